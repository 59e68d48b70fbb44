"""Paths and lassos that show why a formula is true or false.

Reference: Clarke, Grumberg, McMillan, Zhao 1995, "Efficient generation of counterexamples and witnesses in symbolic model
           checking".
Symbols:   –
Invariant: every set in a path is a single state, and each is a successor of the one before.
Deviates:  the cycle goes to the nearest constraint each time, and is begun again further down when it does not close; after a few
           attempts, or with compassion, it is looked for in a terminal component of the fair hull, where it always closes.
Cost:      one breadth-first search per leg of the path, or one by chaining.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import reduce
from typing import Final, Generic

from msgspec import Struct

from coarsest import tuning
from coarsest.run import Run
from coarsest.search.paths import path_from
from coarsest.search.reachability import Chaining
from coarsest.search.until import by_chaining
from coarsest.space.space import S, StateSpace
from coarsest.space.views import RestrictedSpace

GREEDY_ATTEMPTS: Final = 8


class Path(Struct, Generic[S], frozen=True):
    """Single states; with `loop`, the last one has a step to states[loop]."""

    states: tuple[S, ...]
    loop: int | None = None

    def after(self, prefix: Sequence[S]) -> Path[S]:
        """A path to the first state, and on along this one."""
        loop = None if self.loop is None else self.loop + len(prefix) - 1
        return Path((*prefix, *self.states[1:]), loop)


def shortest(space: StateSpace[S], run: Run, start: S, through: S, goal: S, *, backwards: bool = False) -> list[S]:
    """A shortest path from a state of `start` to one of `goal`, all states but the last in `through`; empty if there is none.

    The search goes forwards: it starts from few states, while a goal is often a large set. It goes backwards where that is
    known to be cheap. Where it takes long, and steps can be taken part by part, a path will do that need not be a shortest one.
    """
    if backwards:
        return _shortest_backwards(space, run, start, through, goal)
    chain = len(space.parts) >= tuning.PARTS_WORTH_CHAINING
    ends = run.meter.work + tuning.WORK_ON_A_SHORTEST_PATH
    rings = [start]
    reached = start
    while not rings[-1] & goal:
        if chain and run.meter.work > ends:
            return _through_chained(space, run, start, through, goal)
        run.step("path search", rings=len(rings), **space.cost(reached))
        frontier = space.post(rings[-1] & through) - reached
        if not frontier:
            return []
        reached = reached | frontier
        rings.append(frontier)
    path = [space.pick(rings[-1] & goal)]
    for ring in reversed(rings[:-1]):
        path.append(space.pick(space.pre(path[-1]) & ring & through))
    path.reverse()
    return path


def _through_chained(space: StateSpace[S], run: Run, start: S, through: S, goal: S) -> list[S]:
    """A path that enters, with each step, the smallest of the sets of a chained search that it can."""
    sets = [goal]
    for reaching in by_chaining(space, run, through, goal):
        sets.append(reaching)
        if reaching & start:
            break
    if not sets[-1] & start:
        return []
    path = [space.pick(sets[-1] & start)]
    smallest = bisect_left(sets, True, key=lambda reaching: bool(path[-1] & reaching))
    while smallest > 0:
        after = space.post(path[-1])
        smallest = bisect_left(sets, True, hi=smallest, key=lambda reaching: bool(after & reaching))
        path.append(space.pick(after & sets[smallest]))
    return path


def _shortest_backwards(space: StateSpace[S], run: Run, start: S, through: S, goal: S) -> list[S]:
    rings = [goal]
    reaching = goal
    while not rings[-1] & start:
        run.step("path search", rings=len(rings), **space.cost(reaching))
        frontier = (space.pre(rings[-1]) & through) - reaching
        if not frontier:
            return []
        reaching = reaching | frontier
        rings.append(frontier)
    return path_from(space, rings, start)


def fair_lasso(space: StateSpace[S], run: Run, start: S, region: S, hull: S, *, backwards: bool = False) -> Path[S]:
    """From a state of `start` through the region into a cycle, inside the fair hull of the region, that is fair."""
    prefix = shortest(space, run, start, region, hull, backwards=backwards)
    if not space.fairness.compassion:
        for _ in range(GREEDY_ATTEMPTS):
            legs = _visit(space, run, prefix[-1], hull, [justice & hull for justice in space.fairness.justice])
            back = _back(space, run, legs[-1], prefix[-1], hull)
            if back is not None:
                return Path((*prefix, *legs[1:], *back), len(prefix) - 1)
            prefix += legs[1:] if len(legs) > 1 else [space.pick(space.post(legs[-1]) & hull)]
    component = _terminal_component(space, run, prefix[-1], hull)
    if not prefix[-1] & component:
        prefix += shortest(space, run, prefix[-1], hull, component)[1:]
    legs = _visit(space, run, prefix[-1], component, _obligations(space, component))
    back = _back(space, run, legs[-1], prefix[-1], component)
    assert back is not None, "a component that cannot be left can be crossed"
    return Path((*prefix, *legs[1:], *back), len(prefix) - 1)


def _visit(space: StateSpace[S], run: Run, state: S, region: S, goals: Sequence[S]) -> list[S]:
    """A path from the state through the region that meets all the goals, the nearest of those left first."""
    path = [state]
    missing = [goal for goal in goals if not state & goal]
    while missing:
        anywhere = reduce(lambda a, b: a | b, missing)
        leg = shortest(space, run, path[-1], region, anywhere)[1:]
        path += leg
        missing = [goal for goal in missing if not any(seen & goal for seen in leg)]
    return path


def _back(space: StateSpace[S], run: Run, last: S, anchor: S, region: S) -> list[S] | None:
    """The states between the last one and the anchor on a way back; None if there is none."""
    path = shortest(space, run, space.post(last) & region, region, anchor)
    return path[:-1] if path else None


def _terminal_component(space: StateSpace[S], run: Run, state: S, hull: S) -> S:
    """A component of the hull that can be reached from the state and cannot be left inside the hull."""
    inside = RestrictedSpace(space, hull)
    while True:
        after = Chaining(inside, state).finish(run)
        before = Chaining(RestrictedSpace(space, after), state, backwards=True).finish(run)
        rest = after - before
        if not rest:
            return after
        state = space.pick(rest)


def _obligations(space: StateSpace[S], component: S) -> list[S]:
    """What a fair cycle through all of the component has to visit."""
    goals = list(space.fairness.justice)
    goals += [q for p, q in space.fairness.compassion if component & p]
    return [goal & component for goal in goals]
