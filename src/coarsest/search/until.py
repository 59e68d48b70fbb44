"""E[p U q]: from where can q be reached through p?

Reference: Burch, Clarke, McMillan, Dill, Hwang 1992, section 4.
Symbols:   p is `through`, q is `goal`.
Invariant: `reaching` holds states from which `goal` can be reached through `through`, and grows.
Deviates:  by chaining over the parts of the step relation where there are many, ring by ring otherwise.
Cost:      one preimage of each part per sweep.
"""

from __future__ import annotations

from coarsest.run import Run
from coarsest.space.space import S, StateSpace

FEWEST_PARTS_WORTH_CHAINING = 8
"""With fewer parts, preimages of the newly found states alone are cheaper than preimages of all by one part after another."""


RINGS_BEFORE_CHAINING = 2
"""Often everything is near the goal, as when a constraint of fairness is met again; then a few whole preimages settle it."""


def until(space: StateSpace[S], run: Run, through: S, goal: S) -> S:
    """The states from which `goal` can be reached by a path that stays in `through` before."""
    parts = list(space.parts)
    chain = len(parts) >= FEWEST_PARTS_WORTH_CHAINING
    most = through | goal
    reaching = frontier = goal
    rings = 0
    while frontier and reaching != most:
        if chain and rings == RINGS_BEFORE_CHAINING:
            return _by_chaining(space, run, through, reaching, most)
        run.step("until", **space.cost(reaching))
        frontier = (space.pre(frontier) & through) - reaching
        reaching = reaching | frontier
        rings += 1
    return reaching


def _by_chaining(space: StateSpace[S], run: Run, through: S, reaching: S, most: S) -> S:
    """Go on until no part of the step relation adds anything."""
    parts = list(space.parts)
    settled, turn = 0, 0
    while settled < len(parts) and reaching != most:
        run.step("until", **space.cost(reaching))
        grown = reaching | (parts[turn].pre(reaching) & through)
        settled = settled + 1 if grown == reaching else 0
        turn = (turn + 1) % len(parts)
        reaching = grown
    return reaching
