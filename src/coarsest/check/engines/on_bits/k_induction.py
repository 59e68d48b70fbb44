"""Invariants by induction on bits: bounded search for violations and, in turns, proofs by induction over as many steps."""

from __future__ import annotations

from coarsest.check.engines.on_bits.bmc import objection as objection
from coarsest.check.invariants.joint_bmc import JointSearch
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.session import Session


def decide(question: Question[Invariant], session: Session) -> Finding:
    return JointSearch(question.part, [question.claim], question.whole, session.run, deepest_induction=None).decide(0)
