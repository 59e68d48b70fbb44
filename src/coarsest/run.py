"""A run: the limits, progress events and randomness of one computation.

An algorithm's whole duty is one line per iteration, `run.step("paige-tarjan", blocks=…, waiting=…)`,
which counts, reads the clock, tells whoever listens, and raises LimitExceeded.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from coarsest.errors import LimitExceeded

Statistic: TypeAlias = "int | float | str"

Fact = int | float | str


class Limits(Struct, frozen=True):
    """What a run may use. None means unlimited."""

    seconds: float | None = None
    mebibytes: int | None = None
    nodes: int | None = None
    steps: int | None = None


class Event(Struct, frozen=True):
    """One step of a task: how long the run has lasted, and facts worth showing."""

    task: str
    step: int
    seconds: float
    facts: Mapping[str, Fact]


class Run(Struct):
    """Limits, listeners and a seed; passed to everything that can take long."""

    limits: Limits = Limits()
    listener: Callable[[Event], None] | None = None
    seed: int = 0
    started: float = field(default_factory=time.monotonic)
    steps: dict[str, int] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.started

    def shortened(self, seconds: float) -> Run:
        """The same run, but it ends in so many seconds, or when a quarter of the time that is left is spent."""
        limit, now = self.limits.seconds, self.seconds
        ends = now + seconds if limit is None else now + min(seconds, (limit - now) / 4)
        return replace(self, limits=replace(self.limits, seconds=ends))

    def random(self) -> random.Random:
        """A fresh generator from the seed: the same run gives the same result."""
        return random.Random(self.seed)

    def look_at_clock(self, task: str) -> None:
        """Stop the run if its time is over; nothing is counted."""
        most = self.limits.seconds
        if most is not None and self.seconds > most:
            raise LimitExceeded("time", f"the time limit of {most:g} s was reached during {task}")

    def step(self, task: str, **facts: Fact) -> None:
        """Count one iteration of `task`, report it, and stop the run if a limit is passed."""
        count = self.steps.get(task, 0) + 1
        self.steps[task] = count
        seconds = self.seconds
        if self.listener is not None:
            self.listener(Event(task, count, seconds, facts))
        self.look_at_clock(f"{task}, step {count}")
        limits = self.limits
        if limits.steps is not None and count > limits.steps:
            raise LimitExceeded("steps", f"the limit of {limits.steps} steps was reached during {task}")
