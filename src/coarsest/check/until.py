"""E[p U q]: from where can q be reached through p?

Reference: Burch, Clarke, McMillan, Dill, Hwang 1992, section 4.
Symbols:   p is `through`, q is `goal`.
Invariant: `reaching` holds states from which `goal` can be reached through `through`, and grows.
Deviates:  by chaining over the parts of the step relation; `rings` gives the distances where a witness needs them.
Cost:      one preimage of each part per sweep.
"""

from __future__ import annotations

from coarsest.run import Run
from coarsest.system.space import S, StateSpace


def until(space: StateSpace[S], run: Run, through: S, goal: S) -> S:
    """The states from which `goal` can be reached by a path that stays in `through` before."""
    reaching = goal
    parts = list(space.parts)
    settled, turn = 0, 0
    while settled < len(parts):
        run.step("until", **space.cost(reaching))
        grown = reaching | (parts[turn].pre(reaching) & through)
        settled = settled + 1 if grown == reaching else 0
        turn = (turn + 1) % len(parts)
        reaching = grown
    return reaching


def until_rings(space: StateSpace[S], run: Run, through: S, goal: S, *, meet: S | None = None) -> list[S]:
    """The same by distance: ring i holds the states that are i steps from `goal`; stops at the ring that meets `meet`."""
    rings = [goal]
    reaching = frontier = goal
    while frontier and not (meet is not None and frontier & meet):
        run.step("until", rings=len(rings), **space.cost(reaching))
        frontier = (space.pre(frontier) & through) - reaching
        reaching = reaching | frontier
        rings.append(frontier)
    if not frontier:
        rings.pop()
    return rings
