"""The reachable states, and an observed space without the others."""

from __future__ import annotations

from coarsest.reduce.partition.observed import Observed
from coarsest.run import Run
from coarsest.space.space import S, StateSpace
from coarsest.space.views import PartWithin, RestrictedSpace


def reachable_states(space: StateSpace[S], run: Run) -> S:
    """The states that can be reached from the initial ones. Each part of the relation continues where earlier parts arrived."""
    reached, frontier = space.initial, space.initial
    parts = space.parts
    while frontier:
        run.step("reachable states", **space.cost(reached))
        before = reached
        if len(parts) == 1:
            reached = reached | space.post(frontier)
        else:
            for part in parts:
                reached = reached | part.post(reached)
        frontier = reached - before
    return reached


def reachable_part(observed: Observed[S], run: Run) -> Observed[S]:
    """The observed space without its unreachable states."""
    space = observed.space
    reached = reachable_states(space, run)
    inside = RestrictedSpace(space, reached)
    blocks = tuple(part for part in (block & reached for block in observed.blocks) if part)
    actions = tuple(inside if action is space else PartWithin(action, reached) for action in observed.actions)
    return Observed(inside, blocks, actions)
