"""Invariants by a search from the bad states."""

from __future__ import annotations

from coarsest.check.invariants.searched import found, measured, searches
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import Workshop


def decide(question: Question[Invariant], shop: Workshop) -> Finding:
    space = shop.spaces.space(question.part.machine)
    search = searches(shop, space)
    if not search.by_chaining:
        return measured("backward", question, shop)
    result = search.backwards(space.states - space.where(question.claim.good), shop.run)
    return found(shop, question, space, result, {})
