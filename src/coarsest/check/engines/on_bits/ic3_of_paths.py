"""Linear formulas by IC3, two ways in turns: no path meets what a violation needs often, or comes back to a state after it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from coarsest.check.engines.on_bits.bmc_of_paths import objection as objection_to_bits
from coarsest.check.invariants.ic3 import Ic3, Obligation
from coarsest.check.products.k_liveness import Counting, counting, lasso_in
from coarsest.check.products.liveness_to_safety import lasso, repeating
from coarsest.check.products.violating_paths import goes_on, violating_paths
from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Linear, Question
from coarsest.check.setting.workshop import Workshop
from coarsest.encode.unrolling import Network
from coarsest.errors import LimitExceeded
from coarsest.evidence.proof import NoReturn, Rounds
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace
from coarsest.run import Run

FIRST_TURN = 0.5
"""Seconds; each turn is twice as long as the one before."""


def objection(question: Question[Linear], shop: Workshop) -> str:
    unfit = objection_to_bits(question, shop)
    machine = shop.setting(question.claim.roots).machine
    if not unfit and not goes_on(machine, violating_paths(machine, question.claim), shop.run):
        return "a model with constraints may have states without successor, in which paths stay, and no clause tells these"
    return unfit


def decide(question: Question[Linear], shop: Workshop) -> Finding:
    setting = shop.setting(question.claim.roots)
    machine = violating_paths(setting.machine, question.claim)
    return no_fair_path(machine, shop.run, lambda trace: setting.own_trace(trace, machine))


def no_fair_path(machine: Machine, run: Run, back: Callable[[Trace], Trace] = lambda trace: trace) -> Finding:
    """Has a machine that is fair by justice alone no fair path?"""
    own = replace(run)
    searches: list[ByRounds | ByReturn] = [ByReturn(machine, own), ByRounds(machine, own)]
    seconds = FIRST_TURN
    try:
        while True:
            for search in searches:
                finding = _in_turn(search, own, run, seconds)
                if finding is not None:
                    return replace(finding, shown_by=back(finding.trace)) if isinstance(finding, Refuted) else finding
            seconds *= 2
    finally:
        for search in searches:
            search.close()


def _in_turn(search: ByRounds | ByReturn, own: Run, run: Run, seconds: float) -> Finding | None:
    """What a search finds in so many seconds; it goes on from there the next time."""
    ends, limit = run.seconds + seconds, run.limits.seconds
    own.limits = replace(run.limits, seconds=ends if limit is None else min(ends, limit))
    try:
        return search.go_on()
    except LimitExceeded as exceeded:
        if exceeded.limit != "time":
            raise
        run.step("fair paths", seconds=int(run.seconds))
        return None


class ByReturn:
    """No path comes back to a state after it has met all justice."""

    def __init__(self, machine: Machine, run: Run) -> None:
        self._machine = machine
        self._doubled = repeating(machine)
        self._run = run
        self._search: Ic3 | None = None

    def go_on(self) -> Finding:
        if self._search is None:
            self._search = Ic3(Network(self._doubled.machine, self._run), self._doubled.good, self._run)
        search = self._search
        result = search.decide()
        if isinstance(result, Obligation):
            return Refuted(lasso(search.trace(result), self._machine), search.facts)
        return Proved(NoReturn(search.clauses(result)), facts=search.facts)

    def close(self) -> None:
        if self._search is not None:
            self._search.close()


class ByRounds:
    """No path meets all justice more often than some number of times, which grows."""

    def __init__(self, machine: Machine, run: Run) -> None:
        self._machine = machine
        self._run = run
        self._counting: Counting = counting(machine, 0)
        self._search: Ic3 | None = None

    def go_on(self) -> Finding:
        while True:
            if self._search is None:
                self._search = Ic3(Network(self._counting.machine, self._run), self._counting.good, self._run)
            search, most = self._search, self._counting.most
            facts = {**search.facts, "rounds": most}
            result = search.decide()
            if not isinstance(result, Obligation):
                return Proved(Rounds(most, search.clauses(result)), facts=facts)
            found = lasso_in(search.trace(result), self._machine)
            if found is not None:
                return Refuted(found, facts)
            self.close()
            self._search = None
            self._counting = counting(self._machine, most + 1 + most // 4)

    def close(self) -> None:
        if self._search is not None:
            self._search.close()
