"""Several engines side by side, each in a process of its own: the first answer wins, and the others are ended."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from coarsest.check.decide.which import searched_as_invariant
from coarsest.check.setting.workshop import CheckOptions, Workshop
from coarsest.errors import CoarsestError, InputError, LimitExceeded
from coarsest.evidence.verdict import Answer, Unknown
from coarsest.model.machine import Machine, Property, PropertyKind
from coarsest.run import Limits, Run
from coarsest.space.bdd.build import BuildOptions

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

FOR_INVARIANTS = ("forward", "ic3", "k-induction")
FOR_PATHS = ("partitioned", "smc", "ic3")
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

    def winner(self, engines: Sequence[str]) -> Answer:
        """The first decided answer, with the name of its engine; raises the first fault if no engine can do it."""
        answer, warnings = self._winner(engines)
        for warning in warnings:
            self.shop.warn(warning)
        return answer

    def _winner(self, engines: Sequence[str]) -> tuple[Answer, Sequence[str]]:
        running = {connection: (engine, process) for engine in engines for connection, process in [self._start(engine)]}
        undecided: list[tuple[Answer, Sequence[str]]] = []
        reasons: list[str] = []
        faults: list[CoarsestError] = []
        try:
            while running:
                self.run.step("first of", engines=len(running))
                for connection in wait(list(running), timeout=LOOK):
                    assert isinstance(connection, Connection)
                    engine, _ = running.pop(connection)
                    try:
                        message = connection.recv()
                    except EOFError:
                        continue  # it was ended, for want of memory perhaps
                    if isinstance(message, CoarsestError):
                        faults.append(message)
                        continue
                    answer, warnings = message
                    if not isinstance(answer.verdict, Unknown):
                        return replace(answer, statistics={**answer.statistics, "engine": engine}), warnings
                    undecided.append((answer, warnings))
                    reasons.append(f"{engine}: {answer.verdict.because}")
        finally:
            for _, process in running.values():
                process.terminate()
        if not undecided:
            raise faults[0] if faults else LimitExceeded("memory", "every engine was ended from outside")
        answer, warnings = undecided[0]
        return replace(answer, verdict=Unknown("; ".join(reasons))), warnings

    def _start(self, engine: str) -> tuple[Connection, SpawnProcess]:
        context = get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        shop, options = self.shop, replace(self.shop.options, engine=engine)
        limits = self.run.limits
        if limits.seconds is not None:
            limits = replace(limits, seconds=max(0.001, limits.seconds - self.run.seconds))
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


def _contend(
    sender: Connection, kind: type[Checker], claim: Property, task: tuple[Machine, BuildOptions, CheckOptions], limits: Limits
) -> None:
    """In a process of its own: decide the property by one engine, and say what came of it."""
    end_with_parent()
    checker = kind(*task, Run(limits))
    message: Any
    try:
        (answer,) = checker.answers([claim])
        message = answer, checker.shop.warnings
    except InputError as refusal:
        message = refusal
    sender.send(message)
