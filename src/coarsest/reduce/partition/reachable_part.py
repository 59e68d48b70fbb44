"""What an observer sees of the reachable states alone."""

from __future__ import annotations

from coarsest.reduce.partition.observed import Observed
from coarsest.run import Run
from coarsest.space.space import S, StateSpace
from coarsest.space.views import PartWithin, RestrictedSpace


def reachable_states(space: StateSpace[S], run: Run) -> S:
    """All that can be reached from the initial states; each part of the relation sees what those before it have found."""
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
    """The space without what cannot be reached."""
    space = observed.space
    reached = reachable_states(space, run)
    inside = RestrictedSpace(space, reached)
    blocks = tuple(part for part in (block & reached for block in observed.blocks) if part)
    actions = tuple(inside if action is space else PartWithin(action, reached) for action in observed.actions)
    return Observed(inside, blocks, actions)
