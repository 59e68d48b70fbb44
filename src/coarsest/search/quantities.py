"""COMPUTE: the fewest and the most steps from one set of states to another.

Reference: Campos, Clarke, Marrero, Minea 1995, "Verifying the performance of the PCI local bus using symbolic techniques".
Symbols:   –
Invariant: minimum: after i rounds, `frontier` holds what is reached in exactly i steps first. Maximum: after i rounds `avoiding`
           holds the states from which some path does not meet the goal in its first i states.
Deviates:  over reachable states on fair paths.
Cost:      one image, or preimage, per step of the answer.
"""

from __future__ import annotations

from coarsest.run import Run
from coarsest.search.reachability import BreadthFirst
from coarsest.space.space import S, StateSpace


def fewest_steps(space: StateSpace[S], run: Run, start: S, goal: S) -> int | None:
    """The length of a shortest path from `start` to `goal`; None if there is none."""
    rings = BreadthFirst(space, start).meet(goal, run)
    return None if rings is None else len(rings) - 1


def most_steps(space: StateSpace[S], run: Run, start: S, goal: S, fair: S) -> int | None:
    """The length of a longest path from `start` that meets `goal` only at its end; None if a path never meets it."""
    steps = 0
    avoiding, before = fair - goal, fair
    while avoiding & start:
        if avoiding == before:
            return None
        run.step("longest path", **space.cost(avoiding))
        steps += 1
        before, avoiding = avoiding, avoiding & space.pre(avoiding)
    return steps
