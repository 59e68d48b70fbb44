"""Invariants by IC3: clauses that are inductive relative to what is known of the states after few steps."""

from __future__ import annotations

from coarsest.check.engines.on_bits.bmc import objection as objection
from coarsest.check.invariants.ic3 import Ic3, Obligation
from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import Workshop
from coarsest.encode.unrolling import Network
from coarsest.evidence.proof import ClauseInvariant
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine
from coarsest.run import Run


def decide(question: Question[Invariant], shop: Workshop) -> Finding:
    return by_ic3(question.part.machine, question.claim.good, shop.run)


def by_ic3(machine: Machine, good: Expr, run: Run) -> Finding:
    """What IC3 finds out about a condition in all reachable states of a machine."""
    search = Ic3(Network(machine, run), good, run)
    try:
        result = search.decide()
        if isinstance(result, Obligation):
            return Refuted(search.trace(result), search.facts)
        return Proved(ClauseInvariant(search.clauses(result)), facts=search.facts)
    finally:
        search.close()
