"""Invariants by a search from the bad states: that of Fisler and Vardi 1999, counted, unless another search is asked for."""

from __future__ import annotations

from coarsest.check.invariants.searched import found, measured
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import Workshop
from coarsest.options.engines import Searching


def decide(question: Question[Invariant], shop: Workshop) -> Finding:
    if shop.options.of(Searching).search != "chaining":
        return measured("backward", question, shop)
    space = shop.spaces.space(question.part.machine)
    result = shop.searches(space).backwards(space.states - space.where(question.claim.good), shop.run)
    return found(shop, question, space, result, {})
