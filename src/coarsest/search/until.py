"""E[p U q]: from where can q be reached through p?

Reference: Burch, Clarke, McMillan, Dill, Hwang 1992, section 4.
Symbols:   p is `through`, q is `goal`.
Invariant: `reaching` holds states from which `goal` can be reached through `through`, and grows.
Deviates:  by chaining over the parts of the step relation where there are many, ring by ring otherwise, and where that was
           seen to be faster.
Cost:      one preimage of each part per sweep.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any
from weakref import WeakKeyDictionary

from msgspec import Struct

from coarsest import tuning
from coarsest.run import Run
from coarsest.search.reachability import Chaining
from coarsest.space.space import S, StateSpace


class _Experience(Struct):
    """What was seen in one space: neither way is always faster, and the wrong one may take 200 times as long."""

    chaining: float = 0.0
    """Work of the last search by chaining."""
    rings_are_faster: bool | None = None
    """Unknown until rings were tried with as much work as chaining had taken."""

    @property
    def work_on_rings(self) -> float:
        """How much work goes into rings before the rest is done by chaining."""
        if self.rings_are_faster is None:
            return self.chaining if self.chaining >= tuning.WORK_BEFORE_RINGS else 0.0
        return inf if self.rings_are_faster else 0.0


_EXPERIENCE: WeakKeyDictionary[StateSpace[Any], _Experience] = WeakKeyDictionary()


def until(space: StateSpace[S], run: Run, through: S, goal: S) -> S:
    """The states from which `goal` can be reached by a path that stays in `through` before."""
    if len(space.parts) < tuning.PARTS_WORTH_CHAINING:
        return _by_rings(space, run, through, goal, work=inf)[0]
    experience = _EXPERIENCE.setdefault(space, _Experience())
    work = experience.work_on_rings
    reaching, is_all = _by_rings(space, run, through, goal, work=work)
    if 0.0 < work < inf:
        experience.rings_are_faster = is_all
    if not is_all:
        before = run.meter.work
        for reaching in by_chaining(space, run, through, reaching):  # noqa: B020
            if reaching == through | goal:
                break
        experience.chaining = run.meter.work - before
    return reaching


def _by_rings(space: StateSpace[S], run: Run, through: S, goal: S, *, work: float) -> tuple[S, bool]:
    """Predecessors of the newly found states alone, for a few rings and with so much work at least; are these all?"""
    most, ends = through | goal, run.meter.work + work
    reaching = frontier = goal
    rings = 0
    while frontier and reaching != most:
        if rings >= tuning.RINGS_BEFORE_CHAINING and run.meter.work >= ends:
            return reaching, False
        run.step("until", **space.cost(reaching))
        frontier = (space.pre(frontier) & through) - reaching
        reaching = reaching | frontier
        rings += 1
    return reaching, True


def by_chaining(space: StateSpace[S], run: Run, through: S, reaching: S) -> Iterator[S]:
    """Ever larger sets of states that reach those given, or the set before, by a step of one part; until there are no others."""
    search = Chaining(space, reaching, backwards=True, through=through)
    while not search.complete:
        before = search.reached
        search.advance(run)
        if search.reached != before:
            yield search.reached
