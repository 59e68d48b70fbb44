"""COMPUTE MIN and MAX: a number instead of a verdict."""

from __future__ import annotations

from coarsest.check.questions.finding import Computed, Undecided
from coarsest.check.questions.question import Quantity, Question
from coarsest.check.setting.model_warnings import warn_of_dead_ends, warn_of_unfair_start
from coarsest.check.setting.session import Decision, Session
from coarsest.errors import InputError
from coarsest.evidence.confirmation import Unconfirmed
from coarsest.evidence.proof import Stated
from coarsest.evidence.verdict import Holds, Unknown
from coarsest.logic.expr import Apply
from coarsest.model.machine import Property
from coarsest.model.parts.part import Part
from coarsest.options.engines import QUANTITIES, engine_for

NO_JUDGE = Unconfirmed("no judge counts steps", reported=False)


def decide(session: Session, claim: Property) -> Decision:
    """The number of steps; nobody confirms it."""
    formula = claim.formula
    if not (isinstance(formula, Apply) and formula.op in ("MIN", "MAX")):
        raise InputError("COMPUTE takes MIN [p, q] or MAX [p, q]", formula.span)
    setting = session.setting([formula])
    warn_of_dead_ends(session, setting)
    warn_of_unfair_start(session, setting, needed=True)
    engine = engine_for(QUANTITIES, session.options.engine, "distances")
    finding = engine.decide(Question(Part(setting.own), Quantity(formula)), session)
    if isinstance(finding, Undecided):
        return Decision(Unknown(finding.because), facts=finding.facts)
    assert isinstance(finding, Computed)
    return Decision(Holds(Stated(finding.in_words), confirmation=NO_JUDGE), facts={"value": finding.value})
