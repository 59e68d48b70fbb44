"""What the processes of `first_of` and `side_by_side` do: they begin here, and are known there by name alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any

from coarsest.check.answers import Checker
from coarsest.check.composed.side_by_side import Cost, Task, Told
from coarsest.check.setting.session import CheckOptions
from coarsest.evidence.verdict import Answer
from coarsest.model.machine import Machine, Property
from coarsest.options.methods import BuildOptions
from coarsest.phases import CLOCK
from coarsest.run import Run


def contend(
    task: tuple[Machine, BuildOptions, CheckOptions, Property], run: Run, told: Set[Any]
) -> Iterator[tuple[Answer, Sequence[str]]]:
    """One property, decided by one engine."""
    machine, build, options, claim = task
    checker = Checker(machine, build, options, run)
    for answer in checker.answers([claim]):
        yield answer, checker.session.warnings


def decide_some(task: Task, run: Run, told: Set[Any]) -> Iterator[Told | Cost]:
    """Some of the properties, and at the end what that took."""
    checker = Checker(task.machine, task.build, task.options, run)
    for place, answer in zip(task.places, checker.answers(task.claims)):
        yield Told(place, answer, checker.session.warnings)
    yield Cost(checker.session.statistics(), CLOCK.seconds)
