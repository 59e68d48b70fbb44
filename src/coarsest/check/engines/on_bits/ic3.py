"""Invariants by IC3: clauses that are inductive relative to the states that few steps may reach."""

from __future__ import annotations

from coarsest.check.engines.on_bits.bmc import objection as objection
from coarsest.check.invariants.ic3 import Ic3, Obligation
from coarsest.check.questions.finding import Proved, Refuted
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.session import Session
from coarsest.encode.unrolling import Network
from coarsest.evidence.proof import ClauseInvariant
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine
from coarsest.run import Run


def decide(question: Question[Invariant], session: Session) -> Proved | Refuted:
    search = ByClauses(question.part.machine, question.claim.good, session.run)
    try:
        return search.go_on()
    finally:
        search.close()


class ByClauses:
    """The search for an inductive set of good states; where a limit has ended it, it can go on from there."""

    def __init__(self, machine: Machine, good: Expr, run: Run) -> None:
        self._machine, self._good, self._run = machine, good, run
        self._search: Ic3 | None = None

    def go_on(self) -> Proved | Refuted:
        """What IC3 finds out about the condition in all reachable states of the machine."""
        if self._search is None:
            self._search = Ic3(Network(self._machine, self._run), self._good, self._run)
        search = self._search
        result = search.decide()
        if isinstance(result, Obligation):
            return Refuted(search.trace(result), search.facts)
        return Proved(ClauseInvariant(search.clauses(result)), facts=search.facts)

    def close(self) -> None:
        if self._search is not None:
            self._search.close()
