"""How large the state graph of a machine is: its reachable states, and the steps between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from coarsest.errors import LimitExceeded
from coarsest.model.machine import Machine
from coarsest.model.parts.promote_inputs import promote
from coarsest.reduce.partition.observation import Observation
from coarsest.run import Run
from coarsest.search.reachability import explore
from coarsest.space.carrier import Action, Carrier, Spaces
from coarsest.space.space import S

FEWEST_SECONDS = 10.0


def size_before(machine: Machine, observation: Observation, spaces: Spaces[Any], run: Run) -> tuple[int | None, int | None]:
    """How many states and transitions a machine has that was reduced; None where a limit is reached first.

    The numbers are for the report only, so that no more is spent on them than twice what the reduction took, or a few seconds.
    """
    patience = max(FEWEST_SECONDS, 2 * run.seconds)
    if run.limits.seconds is not None:
        patience = min(patience, run.limits.seconds - run.seconds)
    run = Run(replace(run.limits, seconds=patience), run.listener, run.seed)

    def work() -> tuple[int, int | None]:
        space = spaces.space(promote(machine, observation.promoted))
        actions = space.actions(observation.actions, run) if observation.actions else ()
        return graph_size(space, run, actions)

    try:
        return spaces.within_limits(work)
    except LimitExceeded:
        return None, None


def graph_size(space: Carrier[S], run: Run, actions: Sequence[Action[S]] = ()) -> tuple[int, int | None]:
    """The numbers of states and of transitions; the latter is None where it is hard to count.

    A transition is a pair of states or, with actions, two states and an action.
    """
    reached = explore(space, run, space.initial)
    return space.count(reached), space.count_steps(reached, actions, run)
