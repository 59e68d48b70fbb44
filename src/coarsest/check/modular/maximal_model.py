"""The maximal model of a formula of ACTL: the tableau of its own, whose steps go on for ever.

Reference: Bustan 2002, sections 4.3.2 to 4.3.4 (footnote 6: states are deleted so that the relation is total).
Symbols:   T_ψ is the machine; R_T(s, t) depends on the promises AX φ in s alone, and the more there are, the fewer t.
Invariant: whatever promises are true in a state that has no infinite path, they are all true in such states only.
Deviates:  states are deleted by constraints: not all promises of a smallest contradictory set may be made at once.
Cost:      a preimage for each step to a dead end, and a few intersections for each contradiction; sets are BDDs.
"""

from __future__ import annotations

from msgspec.structs import replace

from coarsest.logic.expr import Apply, Expr, Name, conjunction
from coarsest.model.composition.actl_tableau_grumberg_long import with_promises
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean
from coarsest.run import Run
from coarsest.space.bdd.build import build


def maximal_model(atoms: tuple[str, ...], formula: Expr, run: Run) -> tuple[Machine, dict[str, Expr]]:
    """T_ψ over some boolean variables, and what each variable that it adds to them stands for."""
    labels = Machine("tableau", {name: Variable(name, Boolean(), Kind.STATE) for name in atoms})
    machine, promises = with_promises(labels, formula)
    contradictions = _contradictions(machine, tuple(promises), run)
    excluded = tuple(Apply("not", (conjunction(some),)) for some in contradictions)
    return replace(machine, invariant_constraints=excluded), promises


def _contradictions(machine: Machine, promises: tuple[str, ...], run: Run) -> list[list[Expr]]:
    """The smallest sets of promises that cannot all be kept."""
    space = build(machine)
    alive = space.states
    while (fewer := alive & space.pre(alive)) != alive:
        run.step("maximal model", **space.cost(alive))
        alive = fewer
    dead, contradictions = space.states - alive, list[list[Expr]]()
    while dead:
        state = space.describe(space.pick(dead))
        made: list[Expr] = [Name(name) for name in promises if state[name]]
        for promise in list(made):
            others = [one for one in made if one != promise]
            if not space.where(conjunction(others)) & alive:
                made = others
        contradictions.append(made)
        dead = dead - space.where(conjunction(made))
    return contradictions
