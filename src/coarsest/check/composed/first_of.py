"""Several engines side by side, two at a time, each in a process of its own: the first answer wins, and the others are ended.

Diagrams that reach a limit of nodes leave their place to the next engine. The time that is left is shared equally among the
properties that are left, so that a property leaves what it does not use to the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import inf
from queue import SimpleQueue
from typing import Any

from msgspec.structs import replace

from coarsest import tuning
from coarsest.check.setting.session import Decision, Session
from coarsest.check.strategy import contenders
from coarsest.errors import FaultElsewhere, InputError, LimitExceeded
from coarsest.evidence.verdict import Answer, Unknown
from coarsest.memory_use import share_of_memory
from coarsest.model.machine import Property
from coarsest.processes import Ended, Process, heard
from coarsest.run import Limits


def decide(session: Session, claim: Property) -> Decision:
    """The decision of the first engine that decides the property."""
    answer = Contest(session, claim).winner(contenders(session, claim))
    return Decision(answer.verdict, tuple(answer.warnings), answer.statistics)


class Contest:
    """One property, and the processes that look into it."""

    def __init__(self, session: Session, claim: Property) -> None:
        self.session, self.claim = session, claim
        self.run = session.run
        self._running: dict[Process, str] = {}
        self._inbox: SimpleQueue[tuple[Process, Any]] = SimpleQueue()
        self._undecided: dict[str, tuple[Answer, Sequence[str]]] = {}
        self._reasons: dict[str, str] = {}
        """Why each engine has not decided it. They are printed in the order of the table, whichever ended first."""
        self._refusals: list[InputError] = []
        self._faults: list[FaultElsewhere] = []

    def _limits(self) -> Limits:
        """The limits of a process: its share of the memory, and the share of the time left that each property left has."""
        limits, claims = self.run.limits, self.session.claims
        limits = replace(limits, mebibytes=share_of_memory(limits.mebibytes, tuning.CONTENDERS_AT_ONCE))
        if limits.nodes is None:
            limits = replace(limits, nodes=tuning.NODES_OF_A_CONTENDER)
        if limits.seconds is None:
            return limits
        left = next((len(claims) - index for index, claim in enumerate(claims) if claim is self.claim), 1)
        return replace(limits, seconds=max(0.001, limits.seconds - self.run.seconds) / left)

    def winner(self, engines: Sequence[str]) -> Answer:
        """The first decided answer, with the name of its engine; raises the first refusal or fault if no engine can do it."""
        answer, warnings = self._winner(engines)
        for warning in warnings:
            self.session.warn(warning)
        return answer

    def _winner(self, engines: Sequence[str]) -> tuple[Answer, Sequence[str]]:
        limits, waiting = self._limits(), deque(engines)
        ends = inf if limits.seconds is None else self.run.seconds + limits.seconds
        try:
            while self._running or (waiting and self.run.seconds < ends):
                while waiting and len(self._running) < tuning.CONTENDERS_AT_ONCE:
                    engine = waiting.popleft()
                    share = limits if ends == inf else replace(limits, seconds=max(0.001, ends - self.run.seconds))
                    if engine == engines[0] == "bmc":
                        share = replace(share, seconds=min(tuning.SECONDS_OF_ONE_OPERATION, share.seconds or inf))
                    self._running[self._start(engine, share)] = engine
                self.run.step("first of", engines=len(self._running))
                if self.run.seconds > ends + tuning.SECONDS_OF_GRACE:
                    self._reasons |= dict.fromkeys(self._running.values(), "its share of the time was used up")
                    break
                for process, message in heard(self._inbox, tuning.SECONDS_BETWEEN_LOOKS):
                    decided = self._hear(process, message)
                    if decided is not None:
                        return decided
        finally:
            for process in self._running:
                process.end()
        return self._nobody(engines)

    def _hear(self, process: Process, message: Any) -> tuple[Answer, Sequence[str]] | None:
        """The answer of an engine, if it has decided the property."""
        engine = self._running[process]
        if isinstance(message, Ended):
            del self._running[process]
            process.end()
            self._note_end(engine, message)
            return None
        answer, warnings = message
        if isinstance(answer.verdict, Unknown):
            self._undecided[engine] = answer, warnings
            self._reasons[engine] = answer.verdict.because
            return None
        return replace(answer, statistics={**answer.statistics, "engine": engine}), warnings

    def _note_end(self, engine: str, ended: Ended) -> None:
        match ended.error:
            case InputError() as refusal:
                self._refusals.append(refusal)
            case FaultElsewhere() as fault:
                self._faults.append(fault)
                self._lose(engine, f"ended by a bug in coarsest: {fault} (please report what --engine {engine} says)")
            case None if ended.outside:
                self._lose(engine, "was ended from outside, for want of memory perhaps")

    def _lose(self, engine: str, how: str) -> None:
        """Note that an engine has ended without an answer; the others go on."""
        self._reasons[engine] = f"it {how}"
        self.session.warn(f"the engine '{engine}' {how}")

    def _nobody(self, engines: Sequence[str]) -> tuple[Answer, Sequence[str]]:
        """The answer where no engine has decided the property, with the reasons."""
        because = "; ".join(f"{engine}: {self._reasons[engine]}" for engine in engines if engine in self._reasons)
        if not self._undecided:
            if self._faults and len(self._faults) == len(self._reasons):
                raise self._faults[0]
            if self._refusals and not self._reasons:
                raise self._refusals[0]
            raise LimitExceeded("share", because or "its share of the time was used up")
        answer, warnings = next(self._undecided[engine] for engine in engines if engine in self._undecided)
        return replace(answer, verdict=Unknown(because)), warnings

    def _start(self, engine: str, limits: Limits) -> Process:
        session, options = self.session, replace(self.session.options, engine=engine)
        task = session.machine, session.build, options, self.claim
        return Process("coarsest.check.composed.in_a_process:contend", task, limits, self._inbox)
