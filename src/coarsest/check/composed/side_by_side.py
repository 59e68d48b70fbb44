"""The properties of one model in several processes, each with a share of them: answers come in the order of the properties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from queue import SimpleQueue
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from coarsest import tuning
from coarsest.check.setting.session import CheckOptions, Session
from coarsest.errors import FaultElsewhere, InputError
from coarsest.evidence.verdict import Answer
from coarsest.memory_use import share_of_memory
from coarsest.model.machine import Machine, Property
from coarsest.options.methods import BuildOptions
from coarsest.phases import CLOCK
from coarsest.processes import Ended, Process, heard, limits_left
from coarsest.run import Run, Statistic


class Report(Struct, frozen=True):
    """What a process reports of one property."""

    index: int
    answer: Answer
    warnings: Sequence[str]


class Cost(Struct, frozen=True):
    """What a process reports at its end."""

    statistics: Mapping[str, Statistic]
    seconds: Mapping[str, float]
    """CPU time, by phases."""


class Share(Struct, frozen=True):
    """The properties that one process decides."""

    machine: Machine
    build: BuildOptions
    options: CheckOptions
    claims: Sequence[Property]
    indices: Sequence[int]
    """Where these properties are among all."""


class SideBySide:
    """Deals the properties out like cards: properties that follow one another are often alike, and take equally long."""

    def __init__(self, session: Session, claims: Sequence[Property]) -> None:
        self.session, self.claims = session, claims
        self.jobs = min(session.options.jobs, len(claims))
        self._progress = Run(listener=session.run.listener)  # the processes keep the limits
        self._inbox: SimpleQueue[tuple[Process, Any]] = SimpleQueue()

    def answers(self) -> Iterator[Answer | None]:
        """One answer for each property, in their order, as soon as it and those before it are known; None where a process was
        ended from outside."""
        processes = [self._start(range(job, len(self.claims), self.jobs)) for job in range(self.jobs)]
        reports: dict[int, Report] = {}
        try:
            for index in range(len(self.claims)):
                self._listen(processes, reports, until=index)
                for warning in reports[index].warnings if index in reports else ():
                    self.session.warn(warning)
                yield reports.pop(index).answer if index in reports else None
            self._listen(processes, reports, until=len(self.claims))
        finally:
            for process in processes:
                process.end()

    def _listen(self, processes: Sequence[Process], reports: dict[int, Report], *, until: int) -> None:
        """Take in messages until there is an answer to this property, or there will be none."""
        while until not in reports and not all(process.is_over for process in processes):
            self._progress.step("side by side", processes=len(processes), properties=len(self.claims))
            self._hear(reports, tuning.SECONDS_BETWEEN_LOOKS)
        self._hear(reports, 0.0)

    def _hear(self, reports: dict[int, Report], seconds: float) -> None:
        for _, message in heard(self._inbox, seconds):
            match message:
                case Report():
                    reports[message.index] = message
                case Cost():
                    self.session.account_for(message.statistics)
                    CLOCK.add(message.seconds)
                case Ended(error=InputError() | FaultElsewhere() as refusal):
                    raise refusal

    def _start(self, indices: Sequence[int]) -> Process:
        session = self.session
        options = replace(session.options, jobs=1)
        share = Share(session.machine, session.build, options, [self.claims[index] for index in indices], indices)
        limits = limits_left(session.run)
        memory = share_of_memory(limits.mebibytes, self.jobs)
        limits = replace(limits, steps=session.run.limits.steps, mebibytes=memory)
        return Process("coarsest.check.composed.in_a_process:decide_some", share, limits, self._inbox)
