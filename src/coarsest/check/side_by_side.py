"""The properties of one model in several processes, each with a share of them: answers come in the order of the properties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from coarsest.check.first_of import LOOK, Checker, end_with_parent
from coarsest.check.setting.workshop import Workshop
from coarsest.errors import FaultElsewhere, InputError
from coarsest.evidence.verdict import Answer
from coarsest.model.machine import Property
from coarsest.options.engines import FIRST_OF
from coarsest.phases import CLOCK
from coarsest.run import Limits, Run, Statistic

if TYPE_CHECKING:
    from collections.abc import Mapping
    from multiprocessing.context import SpawnProcess

    from coarsest.check.setting.workshop import CheckOptions
    from coarsest.model.machine import Machine
    from coarsest.options.methods import BuildOptions


class Told(NamedTuple):
    """What a process says of one property."""

    place: int
    answer: Answer
    warnings: Sequence[str]


class Cost(NamedTuple):
    """What a process says at its end."""

    statistics: Mapping[str, Statistic]
    seconds: Mapping[str, float]
    """CPU time, by phases."""


class Task(NamedTuple):
    """What a process is asked for."""

    machine: Machine
    build: BuildOptions
    options: CheckOptions
    limits: Limits
    claims: Sequence[Property]
    places: Sequence[int]
    """Of these properties among all."""


class SideBySide:
    """Deals the properties out like cards: those that are alike often follow one another, and take as long as one another."""

    def __init__(self, shop: Workshop, claims: Sequence[Property], checker: type[Checker]) -> None:
        self.shop, self.claims, self.checker = shop, claims, checker
        self._progress = Run(listener=shop.run.listener)  # the processes keep the limits

    def answers(self) -> Iterator[Answer | None]:
        """One answer for each property, in their order, as soon as it and those before it are known; None where a process was
        ended from outside."""
        jobs = min(self.shop.options.jobs, len(self.claims))
        running = dict(self._start(range(job, len(self.claims), jobs)) for job in range(jobs))
        processes = list(running.values())
        told: dict[int, Told] = {}
        try:
            for place in range(len(self.claims)):
                while place not in told and running:
                    self._listen(running, told)
                for warning in told[place].warnings if place in told else ():
                    self.shop.warn(warning)
                yield told.pop(place).answer if place in told else None
            while running:
                self._listen(running, told)
        finally:
            for process in processes:
                process.terminate()

    def _listen(self, running: dict[Connection, SpawnProcess], told: dict[int, Told]) -> None:
        """Take in what has been said."""
        self._progress.step("side by side", processes=len(running), properties=len(self.claims))
        for connection in wait(list(running), timeout=LOOK):
            assert isinstance(connection, Connection)
            try:
                message = connection.recv()
            except EOFError:
                del running[connection]
                continue
            if isinstance(message, InputError | FaultElsewhere):
                raise message
            if isinstance(message, Cost):
                self.shop.account_for(message.statistics)
                CLOCK.add(message.seconds)
            else:
                told[message.place] = message

    def _start(self, places: Sequence[int]) -> tuple[Connection, SpawnProcess]:
        context = get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        shop, limits = self.shop, self.shop.run.limits
        if limits.seconds is not None:
            limits = replace(limits, seconds=max(0.001, limits.seconds - shop.run.seconds))
        options = replace(shop.options, jobs=1)
        task = Task(shop.machine, shop.build, options, limits, [self.claims[place] for place in places], places)
        process = context.Process(target=_decide, args=(sender, self.checker, task))
        process.daemon = options.engine != FIRST_OF  # a daemon must not have children of its own
        process.start()
        sender.close()
        return receiver, process


def _decide(sender: Connection, kind: type[Checker], task: Task) -> None:
    """In a process of its own: decide some of the properties, and say of each what came of it."""
    end_with_parent()
    try:
        checker = kind(task.machine, task.build, task.options, Run(task.limits))
        for place, answer in zip(task.places, checker.answers(task.claims)):
            sender.send(Told(place, answer, checker.shop.warnings))
        sender.send(Cost(checker.shop.statistics(), CLOCK.seconds))
    except InputError as refusal:
        sender.send(refusal)
    except Exception as error:
        sender.send(FaultElsewhere.caused_by(error))
