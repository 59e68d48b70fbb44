"""Invariants by bounded search on bits: it finds the shortest violations, and proves only where all paths end."""

from __future__ import annotations

from coarsest.check.invariants.bounded_search import bounded_search
from coarsest.check.questions.finding import Finding, Proved, Refuted, Undecided
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import Workshop
from coarsest.encode.unrolling import Network
from coarsest.evidence.proof import AllPathsEnd
from coarsest.model.unbounded import unbounded_variables


def objection(question: Question[Invariant], shop: Workshop) -> str:
    return "the model has variables without bounds" if unbounded_variables(question.part.machine) else ""


def decide(question: Question[Invariant], shop: Workshop, *, most: int | None = None) -> Finding:
    """With `most`, only paths of fewer steps are looked at."""
    network = Network(question.part.machine, shop.run)
    steps = 0
    for trace in bounded_search(network, question.claim.good, shop.run):
        if trace is not None:
            return Refuted(trace, {"bound": steps, "gates": network.gates})
        steps += 1
        if steps == most:
            return Undecided(f"no path of fewer than {most} steps violates it")
    return Proved(AllPathsEnd(steps), facts={"bound": steps, "gates": network.gates})
