"""Covers as invariants: a condition is reached if its negation is no invariant, and the counterexample is the witness."""

from __future__ import annotations

from msgspec.structs import replace

from coarsest.evidence.proof import Stated
from coarsest.evidence.verdict import Answer, Fails, Holds, Unknown, Verdict
from coarsest.logic.expr import Apply
from coarsest.logic.show import show
from coarsest.model.machine import Property


def as_invariant(claim: Property) -> Property:
    """The invariant that engines are asked about in place of a cover.

    >>> from coarsest.logic.expr import Name
    >>> from coarsest.model.machine import cover
    >>> as_invariant(cover(Name("full")))
    <Property !full>
    """
    formula = Apply("not", (claim.formula,), claim.formula.span)
    return replace(claim.as_invariant(formula), text=claim.text or show(formula))


def about_cover(answer: Answer, claim: Property) -> Answer:
    """The answer to a cover, where the engines were asked about the invariant that says the opposite."""
    more = tuple(about_cover(further, claim) for further in answer.more)
    return replace(answer, kind=str(claim.kind), verdict=_opposite(answer.verdict), warnings=(), more=more)


def _opposite(verdict: Verdict) -> Verdict:
    match verdict:
        case Fails(trace=trace, confirmation=confirmation):
            return Holds(witness=trace, confirmation=confirmation)
        case Holds(proof=proof, confirmation=confirmation):
            shown_by = verdict.shown_by if proof is None else proof.summary
            return Fails(proof=proof or Stated(shown_by or "no state does"), confirmation=confirmation)
        case Unknown(bound=int(bound)):
            return Unknown(f"no path of up to {bound} step{'s' * (bound != 1)} reaches it", bound=bound)
    return verdict
