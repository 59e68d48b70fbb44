"""What the process beside diagrams does: a short bounded search for all invariants, then IC3 on each property, in turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from coarsest import tuning
from coarsest.check.composed.companion_messages import CompanionTask, Message, stated_in
from coarsest.check.decide.classify import searched_as_invariant
from coarsest.check.engines.on_bits.ic3 import ByClauses
from coarsest.check.engines.on_bits.ic3_of_paths import ByBoth, in_turn
from coarsest.check.invariants.joint_bmc import JointSearch
from coarsest.check.products.violating_paths import goes_on, violating_paths
from coarsest.check.questions.finding import Proved, Refuted
from coarsest.check.questions.pose import all_invariants, linear_claim, question_of
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.session import Session
from coarsest.errors import InputError
from coarsest.logic.expr import Expr
from coarsest.model.machine import Property
from coarsest.run import Run


class InvariantSearch:
    """IC3 on one invariant."""

    def __init__(self, session: Session, stated: Expr) -> None:
        self._session, self._stated = session, stated
        self._question: Question[Invariant] | None = None
        self._search: ByClauses | None = None

    def go_on(self) -> Proved | Refuted:
        if self._question is None:
            self._question = question_of(self._session, self._stated)
        question = self._question
        if self._search is None:
            self._search = ByClauses(question.part.machine, question.claim.good, self._session.run)
        return self._search.go_on()

    def message(self, number: int, finding: Proved | Refuted) -> Message:
        assert self._question is not None
        return message_about(number, self._question, finding)

    def close(self) -> None:
        if self._search is not None:
            self._search.close()


class PathSearch:
    """IC3 on one linear formula."""

    def __init__(self, session: Session, claim: Property) -> None:
        self._session, self._claim = session, claim
        self._search: ByBoth | None = None

    def go_on(self) -> Proved | Refuted:
        if self._search is None:
            run = self._session.run
            linear = linear_claim(self._session.machine, self._claim, run)
            self._setting = self._session.setting(linear.roots)
            self._machine = violating_paths(self._setting.machine, linear)
            if not goes_on(self._setting.machine, self._machine, run):
                raise InputError("paths may stay in states without successor")
            self._search = ByBoth(self._machine, run)
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
    """A message with all that is needed to have the finding judged."""
    if isinstance(finding, Refuted):
        finding = replace(finding, shown_by=question.part.back(finding.trace))
    part = question.part
    finding = replace(finding, facts={"engine": "ic3", **finding.facts})
    return Message(number, finding, question.claim, part.machine, dict(part.merged), question.whole)


class BesideDiagrams:
    """All searches, which take turns."""

    def __init__(self, task: CompanionTask, run: Run, dropped: set[Any]) -> None:
        self.session, self.claims, self.dropped = Session(task.machine, task.build, task.options, run), task.claims, dropped
        self.session.claims = task.claims
        self.reported: set[int] = set()
        """The numbers of the properties that bounded search has decided."""
        self.numbers = {id(stated_in(claim, self.session)): number for number, claim in enumerate(task.claims)}

    def findings(self) -> Iterator[Message | None]:
        """What is found out about the properties that are not dropped; None after a turn without finding."""
        joint = all_invariants(self.session, self.session.run, deepest_induction=0)
        if joint is not None:
            yield from self._deepen(joint, tuning.STEPS_OF_BOUNDED_SEARCH_FIRST)
        searches = {number: self._search(claim) for number, claim in enumerate(self.claims)}
        steps = tuning.STEPS_OF_A_FIRST_TURN
        while searches:
            for number, search in list(searches.items()):
                if number not in self.dropped:
                    yield self._turn(number, search, steps)
                if number in self.dropped:
                    search.close()
                    del searches[number]
            if joint is not None:
                yield from self._deepen(joint, steps // tuning.TURNS_OF_IC3_FOR_BOUNDED_SEARCH)
            steps *= 2

    def _deepen(self, joint: JointSearch, steps: int) -> Iterator[Message]:
        """Look at longer paths, for some steps."""
        numbers = [self.numbers[id(question.claim.stated)] for question in joint.questions]
        left = steps * len(joint.questions)
        while joint.asked and left > 0:
            joint.dropped = {index for index, number in enumerate(numbers) if number in self.dropped}
            with self.session.run.within(steps=left) as budget:
                joint.deepen()
            left = 0 if budget.spent else int(budget.steps)
            yield from self._news(joint, numbers)

    def _news(self, joint: JointSearch, numbers: Sequence[int]) -> Iterator[Message]:
        """New findings, reported at once: diagrams may be waiting for them, and there may be none about other properties."""
        for index, finding in joint.findings.items():
            if numbers[index] not in self.reported and isinstance(finding, Proved | Refuted):
                self.reported.add(numbers[index])
                self.dropped.add(numbers[index])
                yield message_about(numbers[index], joint.questions[index], finding)

    def _turn(self, number: int, search: InvariantSearch | PathSearch, steps: int) -> Message | None:
        """What one search finds in its turn; a property that cannot be decided here is dropped."""
        try:
            finding = in_turn(self.session.run, search, steps)
        except InputError:
            self.dropped.add(number)
            return None
        if finding is None:
            return None
        self.dropped.add(number)
        return search.message(number, finding)

    def _search(self, claim: Property) -> InvariantSearch | PathSearch:
        good = searched_as_invariant(claim, self.session.machine, self.session.options)
        return PathSearch(self.session, claim) if good is None else InvariantSearch(self.session, good)


def searches(task: CompanionTask, run: Run, dropped: set[Any]) -> Iterator[Message | None]:
    """What is found out about the properties of a task, except those whose numbers are dropped meanwhile."""
    return BesideDiagrams(task, run, dropped).findings()
