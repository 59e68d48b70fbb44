"""Formulas about files with assumptions, with the meaning that the file's own properties have.

An assumption holds up to the step at which something bad happens, and what comes after does not matter (AIGER 1.9). So a
condition is about the steps that violate no assumption, and a formula is about the paths on which all assumptions always hold:
they become fairness constraints, since a path that violates one has ended, and remains in a state that violates it.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, conjunction
from coarsest.logic.show import show
from coarsest.model.machine import Machine, Property


def under_assumptions(claim: Property, machine: Machine) -> Property:
    """The claim about the steps and paths that satisfy the assumptions.

    `G p` and `AG p` are conditions like `p` where all paths are fair.
    """
    if not machine.assumptions or any((own.kind, own.formula) == (claim.kind, claim.formula) for own in machine.properties):
        return claim
    condition = claim.formula if claim.kind.is_invariant else _always(claim)
    if condition is None or (not claim.kind.is_invariant and (machine.justice or machine.compassion)):
        return where_paths_start(claim)
    formula = Apply("implies", (conjunction(list(machine.assumptions)), condition), claim.span)
    return replace(claim.as_invariant(formula), text=claim.text or show(claim.formula))


def where_paths_start(claim: Property) -> Property:
    """The claim about the initial states in which a fair path starts."""
    if not claim.kind.is_branching:
        return claim
    from coarsest.logic.branching.actl import holds_without_paths
    from coarsest.logic.branching.quantifiers import quantifiers

    universal = "E" not in quantifiers(claim.formula)
    if universal and (claim.kind.is_ctl_star or holds_without_paths(claim.formula) == TRUE):
        return claim
    return replace(claim, formula=Apply("or", (claim.formula, Apply("AX", (FALSE,)))))


def _always(claim: Property) -> Expr | None:
    """The condition p, if the claim is G p or AG p, perhaps written with F or EF."""
    always, some_time = ("G", "F") if claim.kind.is_ltl else ("AG", "EF") if claim.kind.is_ctl else ("", "")
    match claim.formula:
        case Apply(op, (good,)) if op == always and not is_temporal(good):
            return good
        case Apply("not", (Apply(op, (bad,)),)) if op == some_time and not is_temporal(bad):
            return Apply("not", (bad,), bad.span)
    return None


def with_assumptions_fair(machine: Machine, claims: Iterable[Property]) -> Machine:
    """The machine with its assumptions as fairness constraints, if one of the claims is about paths."""
    missing = tuple(assumption for assumption in machine.assumptions if assumption not in machine.justice)
    if not missing or not any(claim.kind.is_about_paths for claim in claims):
        return machine
    return replace(machine, justice=(*machine.justice, *missing))
