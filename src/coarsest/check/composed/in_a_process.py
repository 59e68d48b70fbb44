"""What the processes of `first_of` and `side_by_side` do. Those modules know these functions only by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any

from coarsest.check.answers import Checker
from coarsest.check.composed.side_by_side import Cost, Report, Share
from coarsest.check.setting.session import CheckOptions
from coarsest.evidence.verdict import Answer
from coarsest.model.machine import Machine, Property
from coarsest.options.methods import BuildOptions
from coarsest.phases import CLOCK
from coarsest.run import Run


def contend(
    task: tuple[Machine, BuildOptions, CheckOptions, Property], run: Run, received: Set[Any]
) -> Iterator[tuple[Answer, Sequence[str]]]:
    """One property, decided by one engine."""
    machine, build, options, claim = task
    checker = Checker(machine, build, options, run)
    for answer in checker.answers([claim]):
        yield answer, checker.session.warnings


def decide_some(share: Share, run: Run, received: Set[Any]) -> Iterator[Report | Cost]:
    """Some of the properties, and at the end what that took."""
    checker = Checker(share.machine, share.build, share.options, run)
    for index, answer in zip(share.indices, checker.answers(share.claims)):
        yield Report(index, answer, checker.session.warnings)
    yield Cost(checker.session.statistics(), CLOCK.seconds)
