"""Why no fair path stays in a region: sets that are removed from it one after another, each with its reason.

Reference: Kesten, Pnueli, Raviv 1998, "Algorithmic verification of linear temporal logic specifications".
Symbols:   –
Invariant: from a set that has been removed, a fair path comes to the goal, or to where paths must not be, or stays nowhere.
Deviates:  what a fixpoint throws away is written down; a set closed but for compassion is taken apart by a removal of its own.
Cost:      that of a fair hull; with compassion, one inside another for each constraint that is not met.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Generic

from msgspec import Struct

from coarsest.run import Run
from coarsest.search.until import until
from coarsest.space.space import S, StateSpace


class RemovedSet(Struct, Generic[S], frozen=True):
    """States in which no fair path stays for ever; see `evidence.certificate.Removal`."""

    states: S
    reason: str
    constraint: int = 0
    inside: tuple[RemovedSet[S], ...] = ()


def remove(space: StateSpace[S], run: Run, region: S, may_be: S) -> tuple[list[RemovedSet[S]], S]:
    """Sets removed from the region, all of them inside `may_be`, and what is left of the region."""
    removal = _Removal(space, run, may_be)
    ways: list[Callable[[S], list[RemovedSet[S]]]] = [
        *(partial(removal.by_justice, number) for number in range(len(space.fairness.justice))),
        *(partial(removal.by_compassion, number) for number in range(len(space.fairness.compassion))),
        removal.by_leaving,
    ]
    removed: list[RemovedSet[S]] = []
    left, last, idle = region, 0, set[int]()
    while len(idle) < len(ways) and left:
        # A removal in one way often makes one in a neighbouring way possible.
        turn = min((way for way in range(len(ways)) if way not in idle), key=lambda way: abs(way - last))
        sets = ways[turn](left)
        removed += sets
        for removed_set in sets:
            left = left - removed_set.states
        last, idle = (turn, {turn}) if sets else (last, idle | {turn})
    return removed, left


class _Removal(Generic[S]):
    """The ways to remove sets from what is left."""

    def __init__(self, space: StateSpace[S], run: Run, may_be: S) -> None:
        self.space, self.run, self.may_be = space, run, may_be

    def by_justice(self, number: int, left: S) -> list[RemovedSet[S]]:
        caught = self._cannot_reach(self.space.fairness.justice[number], left)
        return [RemovedSet(caught, "justice", number)] if caught else []

    def by_compassion(self, number: int, left: S) -> list[RemovedSet[S]]:
        p, q = self.space.fairness.compassion[number]
        caught = self._cannot_reach(q, left)
        if not caught & p:
            return []
        inside, unbroken = remove(self.space, self.run, caught - p, caught - p)
        caught = caught - until(self.space, self.run, caught, unbroken)
        return [RemovedSet(caught, "compassion", number, tuple(inside))] if caught else []

    def by_leaving(self, left: S) -> list[RemovedSet[S]]:
        removed = []
        while leaving := (left & self.may_be) - self.space.pre(left):
            self.run.step("removals", **self.space.cost(left))
            removed.append(RemovedSet(leaving, "leave"))
            left = left - leaving
        return removed

    def _cannot_reach(self, goal: S, left: S) -> S:
        """The part of what is left that reaches, inside it, neither the goal nor a state that may not be removed."""
        self.run.step("removals", **self.space.cost(left))
        return left - until(self.space, self.run, left, (left & goal) | (left - self.may_be))
