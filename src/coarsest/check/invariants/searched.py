"""What searches over sets of states find, on any carrier: a trace of the part, or a set that proves the invariant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coarsest.check.certify.certificates import SetInvariant, SymbolicInvariant
from coarsest.check.invariants.invariant import InvariantResult
from coarsest.check.questions.finding import Finding, Proved, Reached, Refuted
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.session import Session
from coarsest.check.setting.traces import trace_of
from coarsest.evidence.confirmation import part_in_words
from coarsest.logic.expr import TRUE, conjunction, conjuncts
from coarsest.run import Statistic
from coarsest.search.witness import Path


def measured(engine: str, question: Question[Invariant], session: Session) -> Finding:
    """The finding of an engine whose operations are counted."""
    from coarsest.check.invariants.measured_invariant import measure_invariant

    space = session.spaces.space(question.part.machine)
    result = measure_invariant(engine, space, space.where(question.claim.good), session.run)
    found = InvariantResult(result.path, result.inductive, exact=engine == "forward")
    return finding_of(session, question, space, found, result.facts)


def finding_of(
    session: Session, question: Question[Invariant], space: Any, result: InvariantResult[Any], facts: Mapping[str, Statistic]
) -> Finding:
    """A path as a trace, a set as a proof."""
    if result.path is not None:
        return Refuted(trace_of(space, Path(tuple(result.path))), facts)
    assert result.inductive is not None
    reached = Reached(space, result.inductive, result.exact)
    if session.by_formulas:
        from coarsest.evidence.proof import FormulaInvariant

        parts = [*conjuncts(space.kept_bounds), *conjuncts(space.expression(result.inductive))]
        formula = FormulaInvariant(conjunction([part for part in parts if part != TRUE]))
        return Proved(formula, reached, {**facts, "atoms": result.inductive.atoms})
    part = part_in_words(question.whole, session.machine)
    invariant = SymbolicInvariant if session.spaces.carrier == "bdd" else SetInvariant
    return Proved(invariant(space, result.inductive, exact=result.exact, part=part), reached, facts)
