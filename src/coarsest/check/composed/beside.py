"""An engine beside others: decision diagrams in this process, bounded search and IC3 in a second one, for all properties at once.

The second process starts when diagrams have done some work. What it finds out about a property is used when that is asked for;
if diagrams work on that property just then, they are stopped. An operation on diagrams may take minutes, and nothing ends it. So
diagrams are built in a thread, and the main thread listens to the other process, watches limits and hears Ctrl-C.

This is the one place of the strategy that reads a clock: a single long operation does work that nobody counts before its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import copy_context
from functools import partial
from math import inf
from queue import SimpleQueue
from time import process_time
from typing import Any

from msgspec.structs import replace

from coarsest import tuning
from coarsest._kernels.worker_threads import Work
from coarsest.check.composed.companion_messages import CompanionTask, Message, stated_in
from coarsest.check.questions.finding import Finding, Settled
from coarsest.check.setting.session import Session
from coarsest.errors import FaultElsewhere, LimitExceeded
from coarsest.logic.expr import Expr
from coarsest.memory_use import is_scarce
from coarsest.model.machine import Property, invariant
from coarsest.processes import Ended, Process, heard, is_possible
from coarsest.run import Budget, Run


def with_companion(stated: Expr, session: Session, decide: Callable[[Session], Finding], *, work: float = inf) -> Settled | None:
    """The finding of `decide` or, if that is earlier, of the companion; None if the work is spent before either has one."""
    companion = _companion(stated, session)
    is_over = True
    try:
        settled = (_raced if session.options.race else _in_turns)(stated, session, decide, work, companion)
        is_over = settled is not None
        return settled
    finally:
        if is_over:
            companion.drop(stated)


def _raced(
    stated: Expr, session: Session, decide: Callable[[Session], Finding], work: float, companion: Companion
) -> Settled | None:
    """In a thread, beside another process. A thread whose answer is no longer needed ends when its operation does."""
    companion.wait_a_while()
    budgets: list[Budget] = []

    def attempt() -> Finding | None:
        with session.run.within(work=work) as budget:
            budgets.append(budget)
            return decide(session)
        return None

    thread = Work(partial(copy_context().run, attempt))
    try:
        thread.start()
        while not thread.over.wait(tuning.SECONDS_BETWEEN_LOOKS):
            settled = companion.look(stated)
            if settled is not None:
                return settled
        finding = thread.result()
        return None if finding is None else Settled(None, finding)
    except (LimitExceeded, MemoryError) as limit:
        if isinstance(limit, LimitExceeded) and limit.limit in ("time", "steps"):
            raise
        settled = companion.wait(stated)
        if settled is None:
            raise
        return settled
    finally:
        for budget in budgets:
            budget.stop()
        if not thread.over.wait(tuning.SECONDS_OF_GRACE / 3):
            session.begin_anew()


def _in_turns(
    stated: Expr, session: Session, decide: Callable[[Session], Finding], work: float, companion: Companion
) -> Settled | None:
    """The same in this process alone, in turns of more and more work: slower, but two runs of a command agree."""
    if work < inf:
        with session.run.within(work=work):
            return Settled(None, decide(session))
        return None
    turn = tuning.WORK_BEFORE_COMPANION
    while True:
        with session.run.within(work=turn):
            return Settled(None, decide(session))
        companion.go_on_here(stated, turn)
        if id(stated) in session.settled:
            return session.settled[id(stated)]
        turn *= 2


def _companion(stated: Expr, session: Session) -> Companion:
    claims = tuple(session.claims)
    if not any(stated_in(claim, session) is stated for claim in claims):
        claims = (invariant(stated),)
    return session.once(session, f"companion {id(claims[0])}", lambda: Companion(session, claims))


class Companion:
    """The process beside this one."""

    def __init__(self, session: Session, claims: tuple[Property, ...]) -> None:
        self.session, self.claims = session, claims
        self.run: Run = session.run
        self.dropped: set[Any] = set()
        self._here: Iterator[Message | None] | None = None
        """The searches of the companion, where they are made in this process."""
        self._numbers = {id(stated_in(claim, session)): number for number, claim in enumerate(claims)}
        self._may_begin = is_possible()
        self._process: Process | None = None
        self._inbox: SimpleQueue[tuple[Process, Any]] = SimpleQueue()
        session.at_end.append(self.end)

    def wait_a_while(self) -> None:
        """Let the process begin, if it has not, only when diagrams have done some more work."""
        self._begins = self.run.meter.work + tuning.WORK_BEFORE_COMPANION
        self._progress = self.run.meter.work, process_time()

    def look(self, stated: Expr) -> Settled | None:
        """What is settled of the property so far. The process is started when it is time; the limit of time is checked."""
        run = self.run
        run.look_at_budgets()
        if self._process is None and self._may_begin and self._is_time():
            self._begin()
        limit = run.limits.seconds
        if limit is not None and run.seconds > limit + tuning.SECONDS_OF_GRACE:
            raise LimitExceeded("time", f"the time limit of {limit:g} s was reached")
        self._listen()
        if self._process is not None and is_scarce(run.limits.mebibytes):
            self._may_begin = False
            self.end()
        return self.session.settled.get(id(stated))

    def _is_time(self) -> bool:
        work, (before, since) = self.run.meter.work, self._progress
        if work != before:
            self._progress = work, process_time()
        return work > self._begins or process_time() - since > tuning.SECONDS_OF_ONE_OPERATION

    def _begin(self) -> None:
        limits = replace(self.run.limits, steps=None, seconds=None)  # it ends when this process has no more use for it
        self._process = Process("coarsest.check.composed.companion:searches", self._task, limits, self._inbox)

    @property
    def _task(self) -> CompanionTask:
        return CompanionTask(self.session.machine, self.claims, self.session.build, self.session.options)

    def _listen(self, seconds: float = 0.0) -> None:
        """Note the messages that have come from the process."""
        for _, message in heard(self._inbox, seconds):
            self.note(message)

    def note(self, message: Message | Ended | None) -> None:
        """Store what was found out about a property; warn where the process has ended by a bug."""
        if isinstance(message, Message):
            self.session.settled.setdefault(id(stated_in(self.claims[message.number], self.session)), message.settled)
        elif isinstance(message, Ended) and isinstance(message.error, FaultElsewhere):
            self.session.warn(f"the search beside diagrams ended by a bug in coarsest: {message.error} (please report it)")

    def go_on_here(self, stated: Expr, work: float) -> None:
        """Search in this process until this much work is done or there is an answer."""
        from coarsest.check.composed.companion import searches

        if self._here is None:
            self._here = searches(self._task, self.run, self.dropped)
        ends = self.run.meter.work + work
        while self.run.meter.work < ends and id(stated) not in self.session.settled:
            try:
                self.note(next(self._here))
            except StopIteration:
                return

    def wait(self, stated: Expr) -> Settled | None:
        """What the process finds, however long it takes."""
        if self._process is None and self._may_begin:
            self._begin()
        while self._process is not None and not self._process.is_over and id(stated) not in self.session.settled:
            self.run.step("beside diagrams")
            self._listen(tuning.SECONDS_BETWEEN_LOOKS)
        self._listen()
        return self.session.settled.get(id(stated))

    def drop(self, stated: Expr) -> None:
        """Let the process leave a property whose answer is no longer needed."""
        number = self._numbers[id(stated)]
        self.dropped.add(number)
        if self._process is not None and not self._process.is_over:
            self._process.send(number)

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.end()
            self._process = None
