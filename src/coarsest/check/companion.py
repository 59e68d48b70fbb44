"""A second process beside this one, for all properties at once: bounded search and IC3 beside decision diagrams.

It begins once diagrams have been at work for a while. What it finds out about a property is there when that is asked for; if it
is asked for just now, diagrams are told to end. The process is a plain command, not a copy of this one: it neither runs the
user's script again nor shares diagrams.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Thread
from time import process_time
from typing import IO, TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from coarsest._kernels.aside import Work
from coarsest.check.decide.which import searched_as_invariant
from coarsest.check.questions.finding import Finding, Proved, Refuted, Settled
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import CheckOptions, Workshop
from coarsest.elsewhere import is_possible
from coarsest.errors import LimitExceeded
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine, Property, PropertyKind
from coarsest.model.parts.part import Part
from coarsest.options.methods import BuildOptions
from coarsest.run import Event, Limits, Run

if TYPE_CHECKING:
    import subprocess

ALONE, LONGEST_ALONE = 1.0, 5.0
"""Seconds of work that diagrams have for themselves, and by the clock: on a busy machine they do little in a second."""
LOOK = 0.05
"""Seconds between two looks at the other process."""
PATIENCE, GRACE = 0.3, 1.0
"""Seconds that diagrams have to end when they are told to, and to notice that their time is over."""
COMMAND = "coarsest.check.companion_process"


class Overtaken(Exception):
    """The other process has an answer, or nobody needs one any more."""


class Glance(Struct, frozen=True):
    """A short look by this process, which diagrams are at work in, after so many seconds of their work."""

    look: Callable[[], object]
    after: float


class Task(Struct, frozen=True):
    """What the other process is given."""

    machine: Machine
    claims: tuple[Property, ...]
    build: BuildOptions
    options: CheckOptions
    limits: Limits


class Message(Struct, frozen=True):
    """What the other process has found out about a property, by its number; for invariants, on which part of the machine."""

    number: int
    finding: Proved | Refuted
    claim: Invariant | None = None
    part: Machine | None = None
    merged: dict[str, Expr] = {}
    judged: Machine | None = None

    @property
    def settled(self) -> Settled:
        """Traces have found their way back already."""
        if self.claim is None or self.part is None:
            return Settled(None, self.finding)
        return Settled(Question(Part(self.part, merged=self.merged), self.claim, self.judged), self.finding)


def stated_in(claim: Property, shop: Workshop) -> Expr:
    """The condition that is decided, or the formula: by its identity, what is found out is known."""
    good = searched_as_invariant(claim, shop.machine, shop.options)
    return claim.formula if good is None else good


def with_companion(stated: Expr, shop: Workshop, decide: Callable[[Workshop], Finding], glance: Glance | None = None) -> Settled:
    """What `decide` finds or, if that is earlier, the other process, or a glance.

    An operation on diagrams may take minutes, and nothing ends it. So they are built beside the main thread, which listens to the
    other process, watches limits and hears Ctrl-C; a thread whose answer is no longer needed ends when its operation does.
    """
    companion = _companion(stated, shop)
    companion.wait_a_while(glance)
    before, is_over = shop.run.listener, [False]

    def listen(event: Event) -> None:
        if is_over[0]:
            raise Overtaken
        if before is not None:
            before(event)

    work = Work(partial(copy_context().run, decide, shop.with_run(replace(shop.run, listener=listen))))
    try:
        work.start()
        while not work.over.wait(LOOK):
            settled = companion.look(stated)
            if settled is not None:
                return settled
        return Settled(None, work.result())
    except (LimitExceeded, MemoryError) as limit:
        if isinstance(limit, LimitExceeded) and limit.limit in ("time", "steps"):
            raise
        settled = companion.wait(stated)
        if settled is None:
            raise
        return settled
    finally:
        companion.drop(stated)
        is_over[0] = not work.over.is_set()
        if not work.over.wait(PATIENCE):
            shop.begin_anew()
        else:
            is_over[0] = False  # what was built listens still


def _companion(stated: Expr, shop: Workshop) -> Companion:
    claims = tuple(shop.claims)
    if not any(stated_in(claim, shop) is stated for claim in claims):
        claims = (Property(PropertyKind.INVARIANT, stated),)
    return shop.once(shop, f"companion {id(claims[0])}", lambda: Companion(shop, claims))


class Companion:
    """The other process."""

    def __init__(self, shop: Workshop, claims: tuple[Property, ...]) -> None:
        self.shop, self.claims = shop, claims
        self.run: Run = shop.run
        self._numbers = {id(stated_in(claim, shop)): number for number, claim in enumerate(claims)}
        self._may_begin = is_possible()
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: IO[bytes] | None = None
        self._read = 0
        shop.at_end.append(self.end)

    def wait_a_while(self, glance: Glance | None = None) -> None:
        """If it has not begun yet, it begins when diagrams have been at work for a while; and so does the glance."""
        self._glance, self._waits_since = glance, process_time()
        self._begins = self._waits_since + ALONE, self.run.seconds + LONGEST_ALONE

    def look(self, stated: Expr) -> Settled | None:
        """Begin when it is time; what the process has found, if it has. A limit of time that is passed is raised."""
        run = self.run
        if self._glance is not None and process_time() - self._waits_since > self._glance.after:
            self._glance.look()
            self._glance = None
        work, clock = self._begins
        if self._process is None and self._may_begin and (process_time() > work or run.seconds > clock):
            self._begin()
        limit = run.limits.seconds
        if limit is not None and run.seconds > limit + GRACE:
            raise LimitExceeded("time", f"the time limit of {limit:g} s was reached")
        self._listen()
        return self.shop.settled.get(id(stated))

    def _begin(self) -> None:
        import pickle
        import subprocess
        from tempfile import TemporaryFile

        limits = replace(self.run.limits, steps=None, seconds=None)  # it ends when this process has no more use for it
        task = Task(self.shop.machine, self.claims, self.shop.build, self.shop.options, limits)
        self._answers = TemporaryFile()  # noqa: SIM115  (closed at the end)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", COMMAND]
        self._process = process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=self._answers, stderr=subprocess.DEVNULL, env=environment
        )
        # A process that is being started does not read yet, and a pipe holds little.
        Thread(target=_hand_over, args=(process.stdin, pickle.dumps(task)), daemon=True).start()

    def _listen(self) -> None:
        """Note what the process has said since it was listened to."""
        if self._answers is None:
            return
        import pickle

        size = os.fstat(self._answers.fileno()).st_size
        while self._read + 8 <= size:
            length = int.from_bytes(os.pread(self._answers.fileno(), 8, self._read), "big")
            if self._read + 8 + length > size:
                return
            message: Message = pickle.loads(os.pread(self._answers.fileno(), length, self._read + 8))
            self._read += 8 + length
            self.shop.settled.setdefault(id(stated_in(self.claims[message.number], self.shop)), message.settled)

    def wait(self, stated: Expr) -> Settled | None:
        """What the process finds, however long it takes."""
        import subprocess

        if self._process is None and self._may_begin:
            self._begin()
        while self._process is not None and self._process.poll() is None and id(stated) not in self.shop.settled:
            self.run.step("beside diagrams")
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(LOOK)
            self._listen()
        return self.shop.settled.get(id(stated))

    def drop(self, stated: Expr) -> None:
        """The process need not look into this any more."""
        if self._process is not None and self._process.poll() is None and self._process.stdin is not None:
            try:
                self._process.stdin.write(f"{self._numbers[id(stated)]}\n".encode())
                self._process.stdin.flush()
            except (OSError, ValueError):
                return  # it has just ended

    def end(self) -> None:
        """Have the process end."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            with suppress(OSError, ValueError):
                self._process.stdin.close()  # type: ignore[union-attr]
            self._process = None
        if self._answers is not None:
            self._answers.close()
            self._answers = None


def _hand_over(pipe: Any, task: bytes) -> None:
    try:
        pipe.write(task)
        pipe.flush()
    except (OSError, ValueError):
        return  # the process was ended meanwhile
