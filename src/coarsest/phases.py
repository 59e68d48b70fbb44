"""Where the CPU time of this process, and of those that work for it, goes: each moment counts for the innermost phase that it
lies in, or for evidence.

Threads are not distinguished: one of them works, and the others wait for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import process_time

EVIDENCE = "evidence"
PHASES = ("parse", "encode", "order", "image", "fair", EVIDENCE)
"""Reading the model, building its relation, looking for orders, searching states, finding fair paths, and showing why."""


class Clock:
    """Adds up seconds."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._phases: list[str] = []
        self._since = process_time()

    def _note(self) -> None:
        now = process_time()
        if self._phases:
            self._seconds[self._phases[-1]] = self._seconds.get(self._phases[-1], 0.0) + now - self._since
        self._since = now

    @property
    def seconds(self) -> Mapping[str, float]:
        """Of each phase until now."""
        self._note()
        return dict(self._seconds)

    def of(self, phase: str) -> float:
        """The seconds of one phase until now."""
        return self.seconds.get(phase, 0.0)

    def add(self, seconds: Mapping[str, float]) -> None:
        """What another process has spent for this one."""
        for phase, more in seconds.items():
            self._seconds[phase] = self._seconds.get(phase, 0.0) + more

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """What happens within counts for this phase; for evidence, if that is what it is done for."""
        self._note()
        self._phases.append(EVIDENCE if EVIDENCE in self._phases else name)
        try:
            yield
        finally:
            self._note()
            self._phases.pop()


CLOCK = Clock()
"""One for the process, whose CPU time it measures. Its seconds are shown, and decide nothing."""
