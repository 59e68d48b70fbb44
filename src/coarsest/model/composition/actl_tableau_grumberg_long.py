"""The ACTL tableau: a system that simulates exactly the systems that satisfy a formula.

Reference: Grumberg, Long 1994, "Model checking and modular verification"; Bustan 2002, sections 4.3.3 and 4.3.4.
Symbols:   el(ψ) are the variables of the formula and the `promises` AX φ, sat(φ) is the result of `satisfied` for φ; R_T are the
           `transitions`, F_T is `justice`; T_ψ is `tableau_machine`, T_ψ ‖ M is `under_assumption`.
Invariant: M ⊨ ψ if and only if M ≤ T_ψ in the game simulation, for every M with a fair path from each state.
Deviates:  a state has the values of the variables that ψ mentions, not only the truth of its propositions. AX FALSE is no
           elementary formula: states that satisfy it have no successor in T_ψ, and are dropped, like all other states from
           which no infinite path starts: `without_dead_ends` makes their paths unfair instead.
Cost:      one variable per AX, AU and AR, one justice constraint per AU.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from msgspec import Struct, field
from msgspec.structs import replace

from coarsest.logic.branching.actl import universal
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name
from coarsest.model.composition.dead_ends import PREFIX, without_dead_ends
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.parts.promote_inputs import inputs_mentioned, promote
from coarsest.model.types import Boolean


class ActlTableau(Struct):
    """The promises of a formula of ACTL in normal form, with the rules for them."""

    names: Iterator[str]
    """New names for promises."""
    promises: dict[Expr, Name] = field(default_factory=dict)
    """The variable for AX φ, by φ."""
    transitions: list[Expr] = field(default_factory=list)
    justice: list[Expr] = field(default_factory=list)

    def satisfied(self, formula: Expr) -> Expr:
        """sat(φ), over the variables that φ mentions and the promises."""
        match formula:
            case Apply("AX", (p,)):
                return self._promise(p)
            case Apply("AU", (p, q)):
                return _or(self.satisfied(q), _and(self.satisfied(p), self._promise(formula)))
            case Apply("AR", (p, q)):
                return _and(self.satisfied(q), _or(self.satisfied(p), self._promise(formula)))
            case Apply("and" | "or", parts):
                return Apply(formula.op, tuple(map(self.satisfied, parts)), formula.span)
        return formula

    def _promise(self, formula: Expr) -> Name:
        """The variable for AX φ: where it is true, all successors satisfy φ."""
        if formula not in self.promises:
            promise = self.promises[formula] = Name(next(self.names))
            self.transitions.append(Apply("implies", (promise, Apply("next", (self.satisfied(formula),)))))
            if isinstance(formula, Apply) and formula.op == "AU":
                self.justice.append(_or(Apply("not", (promise,)), self.satisfied(formula.args[1])))
        return self.promises[formula]


def _and(p: Expr, q: Expr) -> Expr:
    return q if p == TRUE else FALSE if p == FALSE else Apply("and", (p, q))


def _or(p: Expr, q: Expr) -> Expr:
    return q if p == FALSE else TRUE if p == TRUE else Apply("or", (p, q))


def with_tableau(machine: Machine, assumption: Expr) -> Machine:
    """The machine beside the tableau of a formula about it: T_ψ ‖ M before states without successors are dropped.

    The inputs that the formula mentions become part of the state: the tableau drives them.
    """
    return with_promises(machine, assumption)[0]


def with_promises(machine: Machine, assumption: Expr) -> tuple[Machine, dict[str, Expr]]:
    """The same, and what each variable that was added stands for."""
    machine = promote(machine, inputs_mentioned(machine, [assumption]))
    tableau = ActlTableau(name for number in count(1) if (name := f"{PREFIX}{number}") not in machine.variables)
    start = tableau.satisfied(universal(assumption))
    promises = {promise.name: Variable(promise.name, Boolean(), Kind.STATE, added=True) for promise in tableau.promises.values()}
    together = replace(
        machine,
        variables={**machine.variables, **promises},
        initial_constraints=(*machine.initial_constraints, start),
        transition_constraints=(*machine.transition_constraints, *tableau.transitions),
        justice=(*machine.justice, *tableau.justice),
    )
    return together, {promise.name: Apply("AX", (formula,)) for formula, promise in tableau.promises.items()}


def under_assumption(machine: Machine, assumption: Expr) -> Machine:
    """T_ψ ‖ M: the machine in all environments that satisfy the formula."""
    return without_dead_ends(with_tableau(machine, assumption))


def tableau_machine(machine: Machine, formula: Expr, *, name: str = "tableau") -> Machine:
    """T_ψ over the variables of the machine that the formula mentions, each of which takes any value at any time.

    It still has states from which no infinite path starts; a game never visits them.
    """
    mentioned = machine.variables_of(formula)
    free = {n: replace(v, kind=Kind.STATE) for n, v in machine.variables.items() if n in mentioned}
    definitions = {n: e for n, e in machine.definitions.items() if machine.variables_of(e) <= mentioned}
    return with_tableau(Machine(name, free, definitions), formula)
