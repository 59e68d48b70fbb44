"""Why no fair path stays in a region: sets that are removed from it one after another, each with its reason.

Reference: Kesten, Pnueli, Raviv 1998, "Algorithmic verification of linear temporal logic specifications".
Symbols:   –
Invariant: from a set that has been removed, a fair path comes to the goal, or to where paths must not be, or stays nowhere.
Deviates:  what a fixpoint throws away is written down; a set closed but for compassion is taken apart by a removal of its own.
Cost:      that of a fair hull; with compassion, one inside another for each constraint that is not met.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic

from coarsest.check.until import until
from coarsest.run import Run
from coarsest.system.space import S, StateSpace


@dataclass(frozen=True, slots=True)
class RemovedSet(Generic[S]):
    """States in which no fair path stays for ever; see `evidence.certificate.Removal`."""

    states: S
    reason: str
    constraint: int = 0
    inside: tuple[RemovedSet[S], ...] = ()


def remove(space: StateSpace[S], run: Run, region: S, may_be: S) -> tuple[list[RemovedSet[S]], S]:
    """Sets removed from the region, all of them inside `may_be`, and what is left of the region."""
    removed: list[RemovedSet[S]] = []
    left, before = region, space.empty
    while left != before:
        before = left
        for one in _by_fairness(space, run, left, may_be):
            removed.append(one)
            left = left - one.states
            break
        else:
            while leaving := (left & may_be) - space.pre(left):
                run.step("removals", **space.cost(left))
                removed.append(RemovedSet(leaving, "leave"))
                left = left - leaving
    return removed, left


def _by_fairness(space: StateSpace[S], run: Run, left: S, may_be: S) -> Iterator[RemovedSet[S]]:
    """Sets that can be removed because paths that stay in them are not fair."""
    escaping = left - may_be
    for number, justice in enumerate(space.fairness.justice):
        run.step("removals", **space.cost(left))
        caught = left - until(space, run, left, (left & justice) | escaping)
        if caught:
            yield RemovedSet(caught, "justice", number)
    for number, (p, q) in enumerate(space.fairness.compassion):
        run.step("removals", **space.cost(left))
        caught = left - until(space, run, left, (left & q) | escaping)
        if not caught & p:
            continue
        inside, unbroken = remove(space, run, caught - p, caught - p)
        caught = caught - until(space, run, caught, unbroken)
        if caught:
            yield RemovedSet(caught, "compassion", number, tuple(inside))
