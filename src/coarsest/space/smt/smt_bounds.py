"""Bounds that all reachable states keep: what need not be looked at beyond them.

A partition has to be stable on whole classes, and unreachable states (a count below zero, say) can make it infinite where the
reachable ones do not. Bounds that are inductive together leave such states out at no cost to any verdict.

Reference: Flanagan, Leino 2001 (Houdini: of many candidates, those that are inductive together).
Symbols:   a *candidate* is a bound on one variable without bounds, everywhere or where another variable has a certain value.
Invariant: every candidate that is left holds in all initial states.
Deviates:  candidates come from the initial values alone, one step apart from them included.
Cost:      one question to the solver per round, and each round drops at least one candidate.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from coarsest import tuning
from coarsest.model.machine import Kind, Variable
from coarsest.model.types import Boolean, Enumeration, is_finite
from coarsest.run import Run
from coarsest.space.smt.smt_solver import Solver
from coarsest.space.smt.smt_step import SmtStep
from coarsest.space.smt.smt_terms import Terms

if TYPE_CHECKING:
    import z3

MOST_MEMBERS: Final = 16
"""Variables with more values do not make candidates."""


def inductive_bounds(terms: Terms, step: SmtStep, run: Run) -> z3.BoolRef:
    """A formula that holds in every reachable state."""
    variables = [v for v in terms.machine.of_kind(Kind.STATE, Kind.FROZEN) if not is_finite(v.type)]
    values = terms.values
    solver = Solver(run, terms.context)
    solver.add(step.legal)
    if not variables or not solver.satisfiable(step.initial):
        return values.true
    with solver.given(step.initial):
        bounds = [bound for v in variables for bound in _bounds(terms, solver, v)]
        candidates = [c for c in _candidates(terms, bounds) if not solver.satisfiable(values.opposite(c))]
    with solver.given(step.relation):
        kept = _inductive(terms, solver, candidates[:tuning.BOUNDS_TRIED], run)
    return values.both(*_irredundant(terms, solver, kept))


def _inductive(terms: Terms, solver: Solver, candidates: list[Any], run: Run) -> list[Any]:
    """Those of the candidates that every step keeps, if it begins where all of them hold."""
    pairs = [pair for v in terms.machine.of_kind(Kind.STATE) for pair in zip(terms.now[v.name], terms.after[v.name])]
    values, kept = terms.values, candidates
    while True:
        run.step("bounds", candidates=len(kept))
        after = [terms.z3.substitute(candidate, *pairs) for candidate in kept]
        model = solver.model(*kept, values.opposite(values.both(*after)))
        if model is None:
            return kept
        holds = [terms.z3.is_true(model.eval(formula, model_completion=True)) for formula in after]
        kept = [candidate for candidate, held in zip(kept, holds) if held]


def _irredundant(terms: Terms, solver: Solver, candidates: list[Any]) -> list[Any]:
    """The candidates without those that the others imply, the more special ones being looked at first."""
    kept = list(candidates)
    for candidate in reversed(candidates):
        others = [other for other in kept if other is not candidate]
        if not solver.satisfiable(*others, terms.values.opposite(candidate)):
            kept = others
    return kept


def _bounds(terms: Terms, solver: Solver, variable: Variable) -> Iterator[z3.BoolRef]:
    """That a variable is not below, or not above, what it is at the beginning, if that is one value; strictly, too."""
    (term,) = terms.now[variable.name]
    model = solver.model()
    assert model is not None
    value = model.eval(term, model_completion=True)
    if solver.satisfiable(term != value):
        value = terms.z3.simplify(value - value)  # it may begin anywhere: is there something special about zero?
    yield from (term >= value, term <= value, term > value, term < value)


def _candidates(terms: Terms, bounds: list[Any]) -> Iterator[z3.BoolRef]:
    """Each bound everywhere, and where a variable of few values has one of them."""
    yield from bounds
    values = terms.values
    for variable in terms.machine.of_kind(Kind.STATE, Kind.FROZEN):
        kind = variable.type
        if not isinstance(kind, Boolean | Enumeration) or kind.size > MOST_MEMBERS:
            continue
        for member in kind.values():
            here = terms.equals(terms.now[variable.name], terms.constant(variable, member))
            elsewhere = terms.z3.simplify(values.opposite(here))
            yield from (values.either(elsewhere, bound) for bound in bounds)
