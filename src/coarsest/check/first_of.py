"""Several engines side by side, two at a time, each in a process of its own: the first answer wins, and the others are ended.

Diagrams may have so many nodes and no more, after which the next engine has their place. The time that is left is shared among
the properties that are left: what one does not use, the others have.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from math import inf
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from coarsest.check.decide.which import searched_as_invariant
from coarsest.check.setting.workshop import CheckOptions, Workshop
from coarsest.errors import FaultElsewhere, InputError, LimitExceeded
from coarsest.evidence.verdict import Answer, Unknown
from coarsest.model.machine import Machine, Property, PropertyKind
from coarsest.run import Limits, Run
from coarsest.space.bdd.build import BuildOptions

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

FOR_INVARIANTS = ("bmc", "forward", "ic3", "k-induction")
FOR_PATHS = ("partitioned", "ic3", "bmc", "smc")
SHORT_LOOK = {"bmc": 1.0}
"""Seconds of an engine that begins, and leaves its place soon: violations are often near, and nothing else is found by it."""
AT_ONCE, GRACE = 2, 1.0
"""So many processes work at a time, and they have so many seconds to notice that their time is over."""
MOST_NODES = 4_000_000
"""Diagrams have no more, where no limit is given: what they do not decide with these, they seldom decide."""
LOOK = 0.1
"""Seconds between two looks at the clock while the engines are at work."""


def contenders(claim: Property, shop: Workshop) -> Sequence[str]:
    """The engines that compete for a property; none where there is no choice."""
    if searched_as_invariant(claim, shop.machine, shop.options) is not None:
        return FOR_INVARIANTS
    return FOR_PATHS if claim.kind in (PropertyKind.LTL, PropertyKind.PSL) and shop.options.ltl == "auto" else ()


class Checker(Protocol):
    """What a process asks for its answer."""

    shop: Workshop

    def __init__(self, machine: Machine, build: BuildOptions, options: CheckOptions, run: Run) -> None: ...

    def answers(self, claims: Sequence[Property]) -> Iterator[Answer]: ...


class Contest:
    """One property, and the processes that look into it."""

    def __init__(self, shop: Workshop, claim: Property, checker: type[Checker]) -> None:
        self.shop, self.claim, self.checker = shop, claim, checker
        self.run = shop.run
        self._running: dict[Connection, tuple[str, SpawnProcess]] = {}
        self._undecided: list[tuple[Answer, Sequence[str]]] = []
        self._reasons: list[str] = []
        self._refusals: list[InputError] = []
        self._faults: list[FaultElsewhere] = []

    def _limits(self) -> Limits:
        """Of a process: an equal share of the time that is left, for each property that is left."""
        limits, claims = self.run.limits, self.shop.claims
        if limits.nodes is None:
            limits = replace(limits, nodes=MOST_NODES)
        if limits.seconds is None:
            return limits
        left = next((len(claims) - number for number, claim in enumerate(claims) if claim is self.claim), 1)
        return replace(limits, seconds=max(0.001, limits.seconds - self.run.seconds) / left)

    def winner(self, engines: Sequence[str]) -> Answer:
        """The first decided answer, with the name of its engine; raises the first refusal or fault if no engine can do it."""
        answer, warnings = self._winner(engines)
        for warning in warnings:
            self.shop.warn(warning)
        return answer

    def _winner(self, engines: Sequence[str]) -> tuple[Answer, Sequence[str]]:
        limits, waiting = self._limits(), deque(engines)
        ends = inf if limits.seconds is None else self.run.seconds + limits.seconds
        try:
            while self._running or (waiting and self.run.seconds < ends):
                while waiting and len(self._running) < AT_ONCE:
                    engine = waiting.popleft()
                    share = _until(ends, limits, self.run)
                    if engine == engines[0] and engine in SHORT_LOOK:
                        share = replace(share, seconds=min(SHORT_LOOK[engine], share.seconds or inf))
                    connection, process = self._start(engine, share)
                    self._running[connection] = engine, process
                self.run.step("first of", engines=len(self._running))
                if self.run.seconds > ends + GRACE:
                    self._reasons += [f"{engine}: its share of the time was used up" for engine, _ in self._running.values()]
                    break
                for speaker in wait(list(self._running), timeout=LOOK):
                    assert isinstance(speaker, Connection)
                    decided = self._hear(speaker)
                    if decided is not None:
                        return decided
        finally:
            for _, process in self._running.values():
                process.terminate()
        return self._nobody()

    def _hear(self, connection: Connection) -> tuple[Answer, Sequence[str]] | None:
        """What an engine says that has ended, if it has decided the property."""
        engine, _ = self._running.pop(connection)
        try:
            message = connection.recv()
        except EOFError:
            self._lose(engine, "was ended from outside, for want of memory perhaps")
            return None
        if isinstance(message, FaultElsewhere):
            self._faults.append(message)
            self._lose(engine, f"ended by a bug of ours: {message} (please report what --engine {engine} says)")
            return None
        if isinstance(message, InputError):
            self._refusals.append(message)
            return None
        answer, warnings = message
        if isinstance(answer.verdict, Unknown):
            self._undecided.append((answer, warnings))
            self._reasons.append(f"{engine}: {answer.verdict.because}")
            return None
        return replace(answer, statistics={**answer.statistics, "engine": engine}), warnings

    def _lose(self, engine: str, how: str) -> None:
        """An engine said nothing of the property; the others go on."""
        self._reasons.append(f"{engine}: it {how}")
        self.shop.warn(f"the engine '{engine}' {how}")

    def _nobody(self) -> tuple[Answer, Sequence[str]]:
        """Why none of them has decided it."""
        if not self._undecided:
            if self._faults and len(self._faults) == len(self._reasons):
                raise self._faults[0]
            if self._refusals and not self._reasons:
                raise self._refusals[0]
            raise LimitExceeded("share", "; ".join(self._reasons) or "its share of the time was used up")
        answer, warnings = self._undecided[0]
        return replace(answer, verdict=Unknown("; ".join(self._reasons))), warnings

    def _start(self, engine: str, limits: Limits) -> tuple[Connection, SpawnProcess]:
        context = get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        shop, options = self.shop, replace(self.shop.options, engine=engine)
        task = sender, self.checker, self.claim, (shop.machine, shop.build, options), limits
        process = context.Process(target=_contend, args=task)
        process.daemon = True
        process.start()
        sender.close()
        return receiver, process


def end_with_parent() -> None:
    """This process works for another, and nobody asks for what it finds once that one has ended."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches us, too
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _until(ends: float, limits: Limits, run: Run) -> Limits:
    """The same for an engine that begins now, when others have had some of the time."""
    return limits if ends == inf else replace(limits, seconds=max(0.001, ends - run.seconds))


def _contend(
    sender: Connection, kind: type[Checker], claim: Property, task: tuple[Machine, BuildOptions, CheckOptions], limits: Limits
) -> None:
    """In a process of its own: decide the property by one engine, and say what came of it."""
    end_with_parent()
    message: Any
    try:
        checker = kind(*task, Run(limits))
        (answer,) = checker.answers([claim])
        message = answer, checker.shop.warnings
    except InputError as refusal:
        message = refusal
    except Exception as error:
        message = FaultElsewhere.caused_by(error)
    sender.send(message)
