"""Linear formulas by IC3, two ways in turns: no path meets what a violation needs often, or comes back to a state after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec.structs import replace

from coarsest import tuning
from coarsest.check.engines.on_bits.bmc_of_paths import objection as objection_to_bits
from coarsest.check.engines.on_bits.ic3 import ByClauses
from coarsest.check.products.k_liveness import counting, lasso_in
from coarsest.check.products.liveness_to_safety import lasso, repeating
from coarsest.check.products.violating_paths import goes_on, violating_paths
from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Linear, Question
from coarsest.check.setting.session import Session
from coarsest.evidence.proof import ClauseInvariant, ClauseNoReturn, ClauseRounds, Clauses
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace
from coarsest.run import Run


class SearchInTurns(Protocol):
    """A search that goes on for some steps, and later from where it was."""

    def go_on(self) -> Proved | Refuted:
        """What it finds; a budget may end it, and it goes on from there when it is called again."""

    def close(self) -> None: ...


def in_turn(run: Run, search: SearchInTurns, steps: int) -> Proved | Refuted | None:
    """What a search finds in this many steps."""
    with run.within(steps=steps):
        return search.go_on()
    return None


def objection(question: Question[Linear], session: Session) -> str:
    unfit = objection_to_bits(question, session)
    machine = session.setting(question.claim.roots).machine
    if not unfit and not goes_on(machine, violating_paths(machine, question.claim), session.run):
        return "a model with constraints may have states without successor, in which paths stay, and clauses do not express this"
    return unfit


def decide(question: Question[Linear], session: Session) -> Finding:
    setting = session.setting(question.claim.roots)
    machine = violating_paths(setting.machine, question.claim)
    return no_fair_path(machine, session.run, lambda trace: setting.own_trace(trace, machine))


def no_fair_path(machine: Machine, run: Run, back: Callable[[Trace], Trace] = lambda trace: trace) -> Finding:
    """Has a machine that is fair by justice alone no fair path?"""
    search, steps = ByBoth(machine, run), tuning.STEPS_OF_A_FIRST_TURN
    try:
        while True:
            finding = in_turn(run, search, steps)
            if finding is not None:
                return replace(finding, shown_by=back(finding.trace)) if isinstance(finding, Refuted) else finding
            steps *= 2
    finally:
        search.close()


class ByBoth:
    """Both ways, turn by turn."""

    def __init__(self, machine: Machine, run: Run) -> None:
        self._ways: list[SearchInTurns] = [ByReturn(machine, run), ByRounds(machine, run)]

    def go_on(self) -> Proved | Refuted:
        self._ways.reverse()
        return self._ways[-1].go_on()

    def close(self) -> None:
        for way in self._ways:
            way.close()


class ByReturn:
    """No path comes back to a state after it has met all justice."""

    def __init__(self, machine: Machine, run: Run) -> None:
        self._machine = machine
        doubled = repeating(machine)
        self._search = ByClauses(doubled.machine, doubled.good, run)

    def go_on(self) -> Proved | Refuted:
        finding = self._search.go_on()
        if isinstance(finding, Refuted):
            return replace(finding, shown_by=lasso(finding.trace, self._machine))
        return replace(finding, proof=ClauseNoReturn(_clauses(finding)))

    def close(self) -> None:
        self._search.close()


class ByRounds:
    """No path meets all justice more often than some number of times, which grows."""

    def __init__(self, machine: Machine, run: Run) -> None:
        self._machine, self._run = machine, run
        self._count(0)

    def _count(self, most: int) -> None:
        counted = counting(self._machine, most)
        self._most, self._search = most, ByClauses(counted.machine, counted.good, self._run)

    def go_on(self) -> Proved | Refuted:
        while True:
            most, finding = self._most, self._search.go_on()
            facts = {**finding.facts, "rounds": most}
            if isinstance(finding, Proved):
                return Proved(ClauseRounds(most, _clauses(finding)), facts=facts)
            fair = lasso_in(finding.trace, self._machine)
            if fair is not None:
                return Refuted(fair, facts)
            self.close()
            self._count(most + 1 + most // 4)

    def close(self) -> None:
        self._search.close()


def _clauses(finding: Proved) -> Clauses:
    assert isinstance(finding.proof, ClauseInvariant)
    return finding.proof.clauses
