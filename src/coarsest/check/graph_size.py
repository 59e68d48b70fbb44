"""How large the state graph of a machine is: its reachable states, and the steps between them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from coarsest import tuning
from coarsest.errors import LimitExceeded
from coarsest.model.machine import Machine
from coarsest.model.parts.promote_inputs import promote
from coarsest.reduce.partition.observation import Observation
from coarsest.run import Run
from coarsest.search.reachability import explore
from coarsest.space.carrier import Action, Carrier, Spaces
from coarsest.space.space import S


def size_before(machine: Machine, observation: Observation, spaces: Spaces[Any], run: Run) -> tuple[int | None, int | None]:
    """The numbers of states and transitions of a machine before its reduction; None where a limit is reached first.

    They are for the report only, so counting may take at most twice the work of the reduction, or a small fixed amount.
    """

    def work() -> tuple[int, int | None]:
        space = spaces.space(promote(machine, observation.promoted))
        actions = space.actions(observation.actions, run) if observation.actions else ()
        return graph_size(space, run, actions)

    with suppress(LimitExceeded), run.within(work=max(tuning.WORK_UNASKED, 2 * run.meter.work)):
        return spaces.within_limits(work)
    return None, None


def graph_size(space: Carrier[S], run: Run, actions: Sequence[Action[S]] = ()) -> tuple[int, int | None]:
    """The numbers of states and of transitions; the latter is None where it is hard to count.

    A transition is a pair of states or, with actions, two states and an action.
    """
    reached = explore(space, run, space.initial)
    return space.count(reached), space.count_steps(reached, actions, run)
