"""From a machine and what is observed of it to its quotient."""

from __future__ import annotations

from typing import Any

from coarsest.errors import InputError
from coarsest.model.machine import Machine
from coarsest.reduce.bisimulation.algorithms import full_name, minimiser
from coarsest.reduce.bisimulation.observation import Observation
from coarsest.reduce.bisimulation.observed import Observed, Snapshot, Watcher
from coarsest.reduce.bisimulation.reduction import Reduction
from coarsest.run import Run
from coarsest.system.actions import symbolic_actions
from coarsest.system.spaces import Spaces
from coarsest.system.symbolic import SymbolicSet

RELATIONS = ("bisimulation",)


def insist_relation(relation: str) -> None:
    """Complain about a relation by which machines are not reduced."""
    if relation not in RELATIONS:
        raise InputError(f"a model cannot be reduced by '{relation}'", hint=f"known: {', '.join(RELATIONS)}")


def reduce_machine(
    machine: Machine,
    observation: Observation,
    spaces: Spaces,
    run: Run,
    *,
    algorithm: str = "auto",
    watch: Watcher[SymbolicSet[Any]] | None = None,
) -> Reduction[SymbolicSet[Any]]:
    """Minimise what is observed of a machine, on BDDs; `watch` is told of the observed blocks first."""
    name = full_name(algorithm)

    def work() -> Reduction[SymbolicSet[Any]]:
        space = spaces.space(observation.machine)
        actions = symbolic_actions(space, observation.actions, run) if observation.actions else ()
        observed = Observed.by(space, observation.sets(space, run), actions)
        if watch is not None:
            first = frozenset(i for i, block in enumerate(observed.blocks) if block & space.initial)
            watch(Snapshot(observed.blocks, first, frozenset()))
        return Reduction(machine, observation, observed, minimiser(name)(observed, run, watch), name)

    return spaces.within_limits(work)
