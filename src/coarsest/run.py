"""A run: the limits, budgets, progress events and randomness of one computation.

An algorithm's whole duty is one line per iteration, `run.step("paige-tarjan", blocks=…, waiting=…)`,
which counts, reads the clock, tells the listener, and raises LimitExceeded.

The user's limits are in seconds. Our own choices must not depend on how busy the machine is, so they are budgets of *work*:
nodes made, questions to a solver, states looked at. A unit of work takes roughly a microsecond.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from threading import get_ident
from typing import Any, Final, TypeAlias

from msgspec import Struct, field

from coarsest import tuning
from coarsest.errors import BudgetSpent, LimitExceeded, require_type

WORK_OF_A_STEP: Final = 10.0
WORK_OF_A_NODE: Final = 1.0
WORK_OF_A_PROPAGATION: Final = 0.5
WORK_OF_A_VALUE: Final = 5.0
WORK_OF_A_LISTED_STEP: Final = 0.1
"""Work of an iteration of any algorithm, of a node of a decision diagram that is made, of a literal that a SAT solver sets, of
a value that the interpreter tries, and of a step that is listed in columns: microseconds, within a factor of three on the
machines that were measured."""

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


class Budget(Struct, eq=False):
    """What one attempt may still use up."""

    work: float = inf
    steps: float = inf
    ends: float = inf
    """Seconds of the run, where the user has set a limit: an attempt takes a part of what is left and no more."""
    most: Mapping[str, int] = {}
    """Facts that a step may report, and how large they may be."""
    thread: int = 0
    """The one in which the attempt is made: a thread that was left to itself keeps no other from its work."""
    spent: bool = False
    """Has the attempt ended because nothing was left?"""

    def allows(self, seconds: float, facts: Mapping[str, Fact]) -> bool:
        fits = all(isinstance(fact := facts.get(name, 0), int) and fact <= most for name, most in self.most.items())
        return self.work >= 0 and self.steps >= 0 and seconds <= self.ends and fits

    def stop(self) -> None:
        """End the attempt at its next step."""
        self.steps = -1


class Meter(Struct):
    """The work that a run has done, and the budgets of the attempts that are under way, the innermost last."""

    work: float = 0
    evidence: float = 0
    """The part of the work that was done to show what had been found out."""
    shows: int = 0
    """How many calls that show something are under way."""
    budgets: list[Budget] = field(default_factory=list)

    def add(self, work: float, steps: int = 0) -> None:
        self.work += work
        if self.shows:
            self.evidence += work
        for budget in self.budgets:
            budget.work -= work
            budget.steps -= steps


class Run(Struct):
    """Limits, a listener, a seed and a meter; passed to everything that can take long."""

    limits: Limits = Limits()
    listener: Callable[[Event], None] | None = None
    seed: int = 0
    started: float = field(default_factory=time.monotonic)
    steps: dict[str, int] = field(default_factory=dict)
    meter: Meter = field(default_factory=Meter)

    @classmethod
    def given(cls, run: Run | None, limits: Limits | None = None) -> Run:
        """The run that the caller gave, or a new one with these limits."""
        require_type("run", run, Run | None, "a coarsest.Run", hint="limits are given as run=Run(Limits(seconds=…))")
        return cls(limits or Limits()) if run is None else run

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.started

    def _look_at_budgets(self, seconds: float, facts: Mapping[str, Fact]) -> None:
        own = get_ident()
        for budget in tuple(self.meter.budgets):
            if budget.thread == own and not budget.allows(seconds, facts):
                budget.spent = True
                raise BudgetSpent

    def look_at_budgets(self) -> None:
        """End an attempt whose budget others have spent; nothing is counted."""
        self._look_at_budgets(self.seconds, {})

    def spend(self, work: float) -> None:
        """Count work; a budget that is used up ends its attempt at the next step."""
        self.meter.add(work)

    def spend_propagations(self, solver: Any, before: int) -> int:
        """Count the work of a SAT solver since it had made `before` propagations; returns how many it has made by now."""
        now: int = solver.accum_stats()["propagations"]
        self.spend(WORK_OF_A_PROPAGATION * (now - before))
        return now

    @contextmanager
    def within(self, *, work: float = inf, steps: float = inf, most: Mapping[str, int] | None = None) -> Iterator[Budget]:
        """An attempt with a budget of work, or of steps, or one that ends when a step reports more than the most of some fact.
        It ends quietly when the budget is spent, and the budget says so.

        >>> run = Run()
        >>> with run.within(steps=2) as budget:
        ...     while True:
        ...         run.step("search")
        >>> budget.spent, run.steps
        (True, {'search': 3})
        """
        limit, now = self.limits.seconds, self.seconds
        ends = inf if limit is None or work == inf else now + tuning.ATTEMPT_PART_OF_TIME_LEFT * (limit - now)
        budget = Budget(work, steps, ends, most or {}, get_ident())
        self.meter.budgets.append(budget)
        try:
            yield budget
        except BudgetSpent:
            if not budget.spent:
                raise
        finally:
            self.meter.budgets.remove(budget)

    @contextmanager
    def as_evidence(self) -> Iterator[None]:
        """What is done within counts as evidence, which has a share of the work."""
        self.meter.shows += 1
        try:
            yield
        finally:
            self.meter.shows -= 1

    def random(self) -> random.Random:
        """A fresh generator from the seed: the same run gives the same result."""
        return random.Random(self.seed)

    def look_at_clock(self, task: str) -> None:
        """Stop the run if its time is over, or an attempt if its budget is spent; nothing is counted."""
        self.look_at_budgets()
        self._require_time(task)

    def _require_time(self, task: str) -> None:
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
        self.meter.add(WORK_OF_A_STEP, 1)
        self._look_at_budgets(seconds, facts)
        self._require_time(f"{task}, step {count}")
        limits = self.limits
        if limits.steps is not None and count > limits.steps:
            raise LimitExceeded("steps", f"the limit of {limits.steps} steps was reached during {task}")
