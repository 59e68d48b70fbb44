"""Invariants by a search from the initial states; one search serves all properties of a space."""

from __future__ import annotations

from coarsest.check.invariants.searched import found
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import Workshop


def decide(question: Question[Invariant], shop: Workshop) -> Finding:
    space = shop.spaces.space(question.part.machine)
    search = shop.searches(space)
    result = search.forwards(space.states - space.where(question.claim.good), shop.run)
    rings = len(search.rings.rings)  # one image each; by chaining, there may be none
    images = search.chain.images if search.by_chaining else 0
    counts = {"rings": rings, "iterations": rings} if rings else {}
    return found(shop, question, space, result, {**counts, "images": rings + images})
