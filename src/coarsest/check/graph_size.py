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
from coarsest.space.bdd.actions import Action, relation_of, symbolic_actions
from coarsest.space.bdd.relation.disjunctive import Disjunctive
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.relation.step import Relation
from coarsest.space.bdd.spaces import Spaces
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace

FEWEST_SECONDS = 10.0


def size_before(machine: Machine, observation: Observation, spaces: Spaces, run: Run) -> tuple[int | None, int | None]:
    """How many states and transitions a machine has that was reduced; None where a limit is reached first.

    The numbers are for the report only, so that no more is spent on them than twice what the reduction took, or a few seconds.
    """
    patience = max(FEWEST_SECONDS, 2 * run.seconds)
    if run.limits.seconds is not None:
        patience = min(patience, run.limits.seconds - run.seconds)
    run = Run(replace(run.limits, seconds=patience), run.listener, run.seed)

    def work() -> tuple[int, int | None]:
        space = spaces.space(promote(machine, observation.promoted))
        actions = symbolic_actions(space, observation.actions, run) if observation.actions else ()
        return graph_size(space, run, actions)

    try:
        return spaces.within_limits(work)
    except LimitExceeded:
        return None, None


def graph_size(
    space: SymbolicSpace[Any], run: Run, actions: Sequence[Action[SymbolicSet[Any]]] = ()
) -> tuple[int, int | None]:
    """The numbers of states and of transitions; the latter is None if the relation is too large to be one function.

    A transition is a pair of states or, with actions, two states and an action.
    """
    reached = explore(space, run, space.initial)
    states = space.count(reached)
    relations = [relation_of(action) for action in actions] or [space.relation]
    wholes = [_whole(space, relation, run) for relation in relations]
    variables = len(space.bits) + len(space.step.after)
    transitions = 0
    for whole in wholes:
        if whole is None:
            return states, None
        transitions += space.manager.count(whole.relation & reached.function, variables)
    return states, transitions


def _whole(space: SymbolicSpace[Any], relation: Relation[Any], run: Run) -> Monolithic[Any] | None:
    if isinstance(relation, Disjunctive):
        relation = relation.whole or relation
    if isinstance(relation, Monolithic):
        return relation
    return Monolithic.if_small(space.step, run) if relation is space.relation else None
