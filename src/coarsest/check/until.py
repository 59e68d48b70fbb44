"""E[p U q]: from where can q be reached through p?

Reference: Burch, Clarke, McMillan, Dill, Hwang 1992, section 4.
Symbols:   p is `through`, q is `goal`.
Invariant: `reaching` holds states from which `goal` can be reached through `through`, and grows.
Deviates:  by chaining over the parts of the step relation where there are many, ring by ring otherwise.
Cost:      one preimage of each part per sweep.
"""

from __future__ import annotations

from coarsest.run import Run
from coarsest.system.space import S, StateSpace

FEWEST_PARTS_WORTH_CHAINING = 8
"""With fewer parts, preimages of the newly found states alone are cheaper than preimages of all by one part after another."""


def until(space: StateSpace[S], run: Run, through: S, goal: S) -> S:
    """The states from which `goal` can be reached by a path that stays in `through` before."""
    parts = list(space.parts)
    if len(parts) < FEWEST_PARTS_WORTH_CHAINING:
        return _ring_by_ring(space, run, through, goal)
    reaching = goal
    settled, turn = 0, 0
    most = through | goal
    while settled < len(parts) and reaching != most:
        run.step("until", **space.cost(reaching))
        grown = reaching | (parts[turn].pre(reaching) & through)
        settled = settled + 1 if grown == reaching else 0
        turn = (turn + 1) % len(parts)
        reaching = grown
    return reaching


def _ring_by_ring(space: StateSpace[S], run: Run, through: S, goal: S) -> S:
    reaching = frontier = goal
    while frontier:
        run.step("until", **space.cost(reaching))
        frontier = (space.pre(frontier) & through) - reaching
        reaching = reaching | frontier
    return reaching
