"""Invariants by a search from the bad states: that of Fisler and Vardi 1999, counted, unless another search is asked for."""

from __future__ import annotations

from coarsest.check.invariants.searched import finding_of, measured
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.session import Session
from coarsest.options.engines import Searching


def decide(question: Question[Invariant], session: Session) -> Finding:
    if session.options.of(Searching).search != "chaining":
        return measured("backward", question, session)
    space = session.spaces.space(question.part.machine)
    result = session.searches(space).backwards(space.states - space.where(question.claim.good), session.run)
    return finding_of(session, question, space, result, {})
