"""What the process beside diagrams does: a short bounded search for all invariants, then IC3 on each property, in turns."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from threading import Thread

from msgspec.structs import replace

from coarsest.check.companion import Message, Task, stated_in
from coarsest.check.decide.invariants import all_invariants, question_of
from coarsest.check.decide.linear import linear_claim
from coarsest.check.decide.which import searched_as_invariant
from coarsest.check.engines.on_bits.ic3 import ByClauses
from coarsest.check.engines.on_bits.ic3_of_paths import ByBoth
from coarsest.check.engines.on_bits.turns import FIRST_TURN, Turns
from coarsest.check.invariants.together import Together
from coarsest.check.products.violating_paths import goes_on, violating_paths
from coarsest.check.questions.finding import Proved, Refuted
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import Workshop
from coarsest.errors import InputError
from coarsest.logic.expr import Expr
from coarsest.model.machine import Property
from coarsest.run import Run

STEPS_FOR_BOUNDED_SEARCH = 40
"""So many steps for each invariant go into longer and longer paths before IC3 begins."""
SHARE_OF_BOUNDED_SEARCH = 25
"""After a turn of IC3 a turn of bounded search has this fraction of its steps: they are about paths of many steps, not of one."""


class InvariantSearch:
    """IC3 on one invariant."""

    def __init__(self, shop: Workshop, stated: Expr, turns: Turns) -> None:
        self._shop, self._stated, self._turns = shop, stated, turns
        self._question: Question[Invariant] | None = None
        self._search: ByClauses | None = None

    def go_on(self) -> Proved | Refuted:
        if self._question is None:
            self._question = question_of(self._shop, self._stated)
        question = self._question
        if self._search is None:
            self._search = ByClauses(question.part.machine, question.claim.good, self._turns.own)
        return self._search.go_on()

    def message(self, number: int, finding: Proved | Refuted) -> Message:
        assert self._question is not None
        return message_about(number, self._question, finding)

    def close(self) -> None:
        if self._search is not None:
            self._search.close()


class PathSearch:
    """IC3 on one linear formula."""

    def __init__(self, shop: Workshop, claim: Property, turns: Turns) -> None:
        self._shop, self._claim, self._turns = shop, claim, turns
        self._search: ByBoth | None = None

    def go_on(self) -> Proved | Refuted:
        if self._search is None:
            run = self._turns.own
            linear = linear_claim(self._shop.machine, self._claim, run)
            self._setting = self._shop.setting(linear.roots)
            self._machine = violating_paths(self._setting.machine, linear)
            if not goes_on(self._setting.machine, self._machine, run):
                raise InputError("paths may stay in states without successor")
            self._search = ByBoth(self._machine, self._turns)
        return self._search.go_on()

    def message(self, number: int, finding: Proved | Refuted) -> Message:
        facts = {**finding.facts, "engine": "ic3"}
        if isinstance(finding, Refuted):
            return Message(number, Refuted(self._setting.own_trace(finding.trace, self._machine), facts))
        return Message(number, replace(finding, facts=facts))

    def close(self) -> None:
        if self._search is not None:
            self._search.close()


def message_about(number: int, question: Question[Invariant], finding: Proved | Refuted) -> Message:
    """What the other side needs to have it judged."""
    if isinstance(finding, Refuted):
        finding = replace(finding, shown_by=question.part.back(finding.trace))
    part = question.part
    finding = replace(finding, facts={"engine": "ic3", **finding.facts})
    return Message(number, finding, question.claim, part.machine, dict(part.merged), question.whole)


class BesideDiagrams:
    """All searches, which take turns."""

    def __init__(self, task: Task, run: Run, dropped: set[int]) -> None:
        self.shop, self.claims, self.dropped = Workshop(task.machine, task.build, task.options, run), task.claims, dropped
        self.shop.claims = task.claims
        self.turns = Turns(run)
        self.told: set[int] = set()
        """What bounded search has found out."""
        self.numbers = {id(stated_in(claim, self.shop)): number for number, claim in enumerate(task.claims)}

    def findings(self) -> Iterator[Message]:
        """What is found out about the properties, one after the other, as long as they are not dropped."""
        together = all_invariants(self.shop, self.turns.own, deepest_induction=0)
        if together is not None:
            yield from self._deepen(together, STEPS_FOR_BOUNDED_SEARCH)
        searches = {number: self._search(claim) for number, claim in enumerate(self.claims)}
        steps = FIRST_TURN
        while searches:
            for number, search in list(searches.items()):
                if number not in self.dropped:
                    yield from self._turn(number, search, steps)
                if number in self.dropped:
                    search.close()
                    del searches[number]
            if together is not None:
                yield from self._deepen(together, steps // SHARE_OF_BOUNDED_SEARCH)
            steps *= 2

    def _deepen(self, together: Together, steps: int) -> Iterator[Message]:
        """Paths that are longer, for some steps."""
        numbers = [self.numbers[id(question.claim.stated)] for question in together.questions]
        with self.turns.turn(steps * len(together.questions)):
            while together.asked:
                together.dropped = {place for place, number in enumerate(numbers) if number in self.dropped}
                together.deepen()
                yield from self._news(together, numbers)
        yield from self._news(together, numbers)

    def _news(self, together: Together, numbers: Sequence[int]) -> Iterator[Message]:
        """What was found out last, at once: somebody may be waiting for it, and nothing may be found out about the others."""
        for place, finding in together.findings.items():
            if numbers[place] not in self.told and isinstance(finding, Proved | Refuted):
                self.told.add(numbers[place])
                self.dropped.add(numbers[place])
                yield message_about(numbers[place], together.questions[place], finding)

    def _turn(self, number: int, search: InvariantSearch | PathSearch, steps: int) -> Iterator[Message]:
        """What one of them finds in its turn; what cannot be decided here is dropped."""
        try:
            finding = self.turns.give(search, steps)
        except InputError:
            self.dropped.add(number)
            return
        if finding is not None:
            self.dropped.add(number)
            yield search.message(number, finding)

    def _search(self, claim: Property) -> InvariantSearch | PathSearch:
        good = searched_as_invariant(claim, self.shop.machine, self.shop.options)
        return PathSearch(self.shop, claim, self.turns) if good is None else InvariantSearch(self.shop, good, self.turns)


def main() -> int:
    """Read a task, and say what is found; what comes after it are the numbers of what is no longer asked for."""
    import pickle

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    task: Task = pickle.load(sys.stdin.buffer)
    dropped: set[int] = set()
    Thread(target=_hear, args=(dropped,), daemon=True).start()
    for message in BesideDiagrams(task, Run(task.limits), dropped).findings():
        text = pickle.dumps(message)
        sys.stdout.buffer.write(len(text).to_bytes(8, "big") + text)
        sys.stdout.buffer.flush()
    return 0


def _hear(dropped: set[int]) -> None:
    """Until the other side ends, and this one with it."""
    for line in sys.stdin.buffer:
        dropped.add(int(line))
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
