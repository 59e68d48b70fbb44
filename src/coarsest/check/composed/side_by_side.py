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


class Told(Struct, frozen=True):
    """What a process says of one property."""

    place: int
    answer: Answer
    warnings: Sequence[str]


class Cost(Struct, frozen=True):
    """What a process says at its end."""

    statistics: Mapping[str, Statistic]
    seconds: Mapping[str, float]
    """CPU time, by phases."""


class Task(Struct, frozen=True):
    """What a process is asked for."""

    machine: Machine
    build: BuildOptions
    options: CheckOptions
    claims: Sequence[Property]
    places: Sequence[int]
    """Of these properties among all."""


class SideBySide:
    """Deals the properties out like cards: those that are alike often follow one another, and take as long as one another."""

    def __init__(self, session: Session, claims: Sequence[Property]) -> None:
        self.session, self.claims = session, claims
        self.jobs = min(session.options.jobs, len(claims))
        self._progress = Run(listener=session.run.listener)  # the processes keep the limits
        self._inbox: SimpleQueue[tuple[Process, Any]] = SimpleQueue()

    def answers(self) -> Iterator[Answer | None]:
        """One answer for each property, in their order, as soon as it and those before it are known; None where a process was
        ended from outside."""
        processes = [self._start(range(job, len(self.claims), self.jobs)) for job in range(self.jobs)]
        told: dict[int, Told] = {}
        try:
            for place in range(len(self.claims)):
                self._listen(processes, told, until=place)
                for warning in told[place].warnings if place in told else ():
                    self.session.warn(warning)
                yield told.pop(place).answer if place in told else None
            self._listen(processes, told, until=len(self.claims))
        finally:
            for process in processes:
                process.end()

    def _listen(self, processes: Sequence[Process], told: dict[int, Told], *, until: int) -> None:
        """Take in what is said, until there is an answer to this property or there will be none."""
        while until not in told and not all(process.is_over for process in processes):
            self._progress.step("side by side", processes=len(processes), properties=len(self.claims))
            self._hear(told, tuning.SECONDS_BETWEEN_LOOKS)
        self._hear(told, 0.0)

    def _hear(self, told: dict[int, Told], seconds: float) -> None:
        for _, message in heard(self._inbox, seconds):
            match message:
                case Told():
                    told[message.place] = message
                case Cost():
                    self.session.account_for(message.statistics)
                    CLOCK.add(message.seconds)
                case Ended(error=InputError() | FaultElsewhere() as refusal):
                    raise refusal

    def _start(self, places: Sequence[int]) -> Process:
        session = self.session
        options = replace(session.options, jobs=1)
        task = Task(session.machine, session.build, options, [self.claims[place] for place in places], places)
        limits = limits_left(session.run)
        share = share_of_memory(limits.mebibytes, self.jobs)
        limits = replace(limits, steps=session.run.limits.steps, mebibytes=share)
        return Process("coarsest.check.composed.in_a_process:decide_some", task, limits, self._inbox)
