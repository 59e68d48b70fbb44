"""Paths and lassos that show why a formula is true or false.

Reference: Clarke, Grumberg, McMillan, Zhao 1995, "Efficient generation of counterexamples and witnesses in symbolic model
           checking".
Symbols:   –
Invariant: every set in a path is a single state, and each is a successor of the one before.
Deviates:  the cycle is looked for in a terminal component of the fair hull, so that it always closes.
Cost:      one breadth-first search per leg of the path.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from coarsest.check.reachability import BreadthFirst
from coarsest.check.until import until_rings
from coarsest.run import Run
from coarsest.system.space import S, StateSpace
from coarsest.system.views import Within


@dataclass(frozen=True, slots=True)
class Path(Generic[S]):
    """Single states; with `loop`, the last one has a step to states[loop]."""

    states: tuple[S, ...]
    loop: int | None = None


def shortest(space: StateSpace[S], run: Run, start: S, through: S, goal: S) -> list[S]:
    """A shortest path from a state of `start` to one of `goal`, all states but the last in `through`; empty if there is none."""
    if start & goal:
        return [space.pick(start & goal)]
    rings = until_rings(space, run, through, goal, meet=start & through)
    if not rings[-1] & start:
        return []
    path = [space.pick(rings[-1] & start)]
    for ring in reversed(rings[:-1]):
        path.append(space.pick(space.post(path[-1]) & ring))
    return path


def fair_lasso(space: StateSpace[S], run: Run, start: S, region: S, hull: S) -> Path[S]:
    """From a state of `start` through the region into a cycle, inside the fair hull of the region, that is fair."""
    prefix = shortest(space, run, start, region, hull)
    component = _terminal_component(space, run, prefix[-1], hull)
    if not prefix[-1] & component:
        prefix += shortest(space, run, prefix[-1], hull, component)[1:]
    anchor = prefix[-1]
    cycle = [anchor]
    for goal in _obligations(space, component):
        if not any(state & goal for state in cycle):
            cycle += shortest(space, run, cycle[-1], component, goal & component)[1:]
    back = shortest(space, run, space.post(cycle[-1]) & component, component, anchor)
    states = [*prefix, *cycle[1:], *back[:-1]]
    return Path(tuple(states), len(prefix) - 1)


def _terminal_component(space: StateSpace[S], run: Run, state: S, hull: S) -> S:
    """A component of the hull that can be reached from the state and cannot be left inside the hull."""
    inside = Within(space, hull)
    while True:
        after = BreadthFirst(inside, state).finish(run)
        before = BreadthFirst(Within(space, after), state, backwards=True).finish(run)
        rest = after - before
        if not rest:
            return after
        state = space.pick(rest)


def _obligations(space: StateSpace[S], component: S) -> list[S]:
    """What a fair cycle through all of the component has to visit."""
    goals = list(space.fairness.justice)
    goals += [q for p, q in space.fairness.compassion if component & p]
    return [goal & component for goal in goals]
