"""Invariants by induction on bits: bounded search for violations and, in turns, proofs by induction over as many steps."""

from __future__ import annotations

from coarsest.check.engines.on_bits.bmc import objection as objection
from coarsest.check.invariants.together import Together
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import Workshop


def decide(question: Question[Invariant], shop: Workshop) -> Finding:
    return Together(question.part, [question.claim], question.whole, shop.run, deepest_induction=None).decide(0)
