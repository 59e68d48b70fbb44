"""Independent reductions at the same time, in several processes, where one after another takes long.

This process takes the first job, the second, and so on. Once it has done some work and jobs are waiting, other processes take
the last ones; so short jobs cost no more than they do one by one. A job that another process gives up, because of a limit or for
want of memory, is done here in the end.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterator, Sequence, Set
from queue import SimpleQueue
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from coarsest import tuning
from coarsest.bdd.packages import new_manager
from coarsest.bdd.transfer import Packed, pack, transfer, unpack
from coarsest.memory_use import is_scarce
from coarsest.processes import Ended, Process, cores, heard, is_possible, limits_left
from coarsest.reduce.modular.improved_bustan_grumberg import Job
from coarsest.reduce.modular.moore import Bench
from coarsest.reduce.modular.ordinary_hopcroft import Smaller
from coarsest.run import Event, Run

SECONDS_OF_A_WAIT: Final = 0.05
"""Seconds between two looks at the limits while other processes are waited for."""
BENCH: Final = -1
"""This number stands for the bench among the numbers of functions."""


class Sent(Struct, frozen=True):
    """A job or its result on the way from one process to another; its functions are packed separately."""

    functions: Packed
    rest: bytes
    added: tuple[int, ...] = ()
    """The variables of a result that the other process has added, from the top of the order down."""
    shared: int = 0
    """The number of variables that both processes have."""


def at_once(jobs: Sequence[Job], run: Run) -> list[Smaller]:
    """The results of all jobs, in their order."""
    if len(jobs) < 2 or not is_possible():
        return [job.small(run) for job in jobs]
    return Jobs(jobs, run).done()


class Jobs:
    """Jobs for this process and for others."""

    def __init__(self, jobs: Sequence[Job], run: Run) -> None:
        self.jobs, self.run = jobs, run
        self.helpers = cores() - 1
        self._waiting = list(range(len(jobs)))
        self._away: dict[int, Process] = {}
        self._inbox: SimpleQueue[tuple[Process, Any]] = SimpleQueue()
        self._answers: dict[int, Sent] = {}
        self._looks_at = run.meter.work + tuning.WORK_BEFORE_HELPERS

    def done(self) -> list[Smaller]:
        own = replace(self.run, listener=self._listener(self.run.listener))
        results: dict[int, Smaller] = {}
        try:
            while len(results) + len(self._answers) < len(self.jobs):
                if self._waiting:
                    number = self._waiting.pop(0)
                    results[number] = self.jobs[number].small(own)
                else:  # the steps of waiting do not count, for the clock decides how many there are
                    unlimited = replace(self.run, limits=replace(self.run.limits, steps=None))
                    unlimited.step("parts", reduced=len(results) + len(self._answers), parts=len(self.jobs))
                    self.look(SECONDS_OF_A_WAIT)
        finally:
            for process in self._away.values():
                process.end()
        bench = self.jobs[0].bench
        return [results[n] if n in results else received(self._answers[n], bench) for n in range(len(self.jobs))]

    def _listener(self, before: Callable[[Event], None] | None) -> Callable[[Event], None]:
        """A listener that also looks after the other processes now and then."""

        def listen(event: Event) -> None:
            if before is not None:
                before(event)
            if self.run.meter.work > self._looks_at:
                self.look()

        return listen

    def look(self, seconds: float = 0.0) -> None:
        """Take the answers that the other processes have, or have within some seconds, and give them new jobs."""
        for process, message in heard(self._inbox, seconds):
            number = next((number for number, other in self._away.items() if other is process), None)
            if number is None:
                continue
            if not isinstance(message, Ended):
                self._answers[number] = message
            elif number not in self._answers:
                self._take_back(number)
            if isinstance(message, Ended):
                self._away.pop(number).end()
        if self._away and is_scarce(self.run.limits.mebibytes):
            self.helpers = 0
            for number in list(self._away):
                self._take_back(number)
                self._away.pop(number).end()
        while self._waiting and len(self._away) < self.helpers:
            number = self._waiting.pop()
            task = sent(self.jobs[number])
            self._away[number] = Process(f"{__name__}:reduced", task, limits_left(self.run), self._inbox)
        self._looks_at = self.run.meter.work + tuning.WORK_BEFORE_HELPERS / 20

    def _take_back(self, number: int) -> None:
        """Put a job back into the queue, and use one process fewer from now on."""
        self.helpers -= 1
        self._waiting.append(number)


def sent(job: Job | Smaller, shared: int = 0) -> Sent:
    """A job or a result, packed; `shared` is the number of variables that the receiver has, too."""
    bench = job.bench
    manager: Any = bench.manager
    file = io.BytesIO()
    writer = _Writer(file, bench)
    writer.dump(job)
    latches = job.machine.latches if isinstance(job, Smaller) else {}
    added = tuple(variable for variable in manager.order if variable in latches)
    return Sent(pack(writer.numbers, manager), file.getvalue(), added, shared)


def reduced(task: Sent, run: Run, told: Set[Any]) -> Iterator[Sent]:
    """The result of a job, computed in the other process."""
    names = task.functions.names
    manager: Any = new_manager(mebibytes=run.limits.mebibytes, node_limit=run.limits.nodes, bits=len(names))
    functions = unpack(task.functions, manager)
    job: Job = _Reader(task.rest, Bench(manager), functions).load()
    yield sent(job.small(run), len(names))


def received(answer: Sent, bench: Bench) -> Smaller:
    """The result, with variables for its latches where they were in the order of the other process."""
    packed, shared = answer.functions, answer.shared
    own = dict(zip(answer.added, bench.twins(_shared_above(answer))))
    names = [bench.manager.names[own[n]] if n in own else name if n < shared else f"elsewhere({n})"
             for n, name in enumerate(packed.names)]  # fmt: skip
    between: Any = new_manager(bits=len(names))
    functions = transfer(unpack(replace(packed, names=tuple(names)), between), between, bench.manager)
    small: Smaller = _Reader(answer.rest, bench, functions).load()
    latches = {own[latch]: function for latch, function in small.machine.latches.items()}
    classes = {own[latch]: function for latch, function in small.classes.items()}
    return Smaller(replace(small.machine, latches=latches), classes)


def _shared_above(answer: Sent) -> list[int]:
    """For each variable that was added, the nearest variable above it that both processes have."""
    above, neighbours = 0, []
    for variable in answer.functions.order:
        if variable < answer.shared:
            above = variable
        elif variable in answer.added:
            neighbours.append(above)
    return neighbours


class _Writer(pickle.Pickler):
    """Writes numbers for functions, in the order in which they are met, and BENCH for the bench."""

    def __init__(self, file: io.BytesIO, bench: Bench) -> None:
        super().__init__(file)
        self._bench, self._kind = bench, type(bench.manager.true)
        self.numbers: dict[Any, int] = {}

    def persistent_id(self, item: Any) -> int | None:
        if isinstance(item, self._kind):
            return self.numbers.setdefault(item, len(self.numbers))
        return BENCH if item is self._bench else None


class _Reader(pickle.Unpickler):
    def __init__(self, contents: bytes, bench: Bench, functions: Sequence[Any]) -> None:
        super().__init__(io.BytesIO(contents))
        self._bench, self._functions = bench, functions

    def persistent_load(self, number: int) -> Any:
        return self._bench if number == BENCH else self._functions[number]
