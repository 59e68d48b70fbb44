"""Invariants by bounded search on bits, which proves only where all paths end; or, in turns, by induction over as many steps."""

from __future__ import annotations

from coarsest.check.invariants.joint_bmc import JointSearch
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.session import Session
from coarsest.model.unbounded import unbounded_variables


def objection(question: Question[Invariant], session: Session) -> str:
    return "the model has variables without bounds" if unbounded_variables(question.part.machine) else ""


def decide(question: Question[Invariant], session: Session) -> Finding:
    return JointSearch(question.part, [question.claim], question.whole, session.run, deepest_induction=0).decide(0)


def with_induction(question: Question[Invariant], session: Session) -> Finding:
    return JointSearch(question.part, [question.claim], question.whole, session.run, deepest_induction=None).decide(0)
