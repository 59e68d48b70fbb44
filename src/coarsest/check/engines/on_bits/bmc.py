"""Invariants by bounded search on bits: it finds the shortest violations, and proves only where all paths end."""

from __future__ import annotations

from coarsest.check.invariants.together import Together
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import Workshop
from coarsest.model.unbounded import unbounded_variables


def objection(question: Question[Invariant], shop: Workshop) -> str:
    return "the model has variables without bounds" if unbounded_variables(question.part.machine) else ""


def decide(question: Question[Invariant], shop: Workshop) -> Finding:
    return Together(question.part, [question.claim], question.whole, shop.run, deepest_induction=0).decide(0)
