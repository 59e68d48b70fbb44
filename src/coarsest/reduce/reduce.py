"""From a machine and what is observed of it to its quotient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coarsest.errors import InputError, Unsupported
from coarsest.model.machine import Machine
from coarsest.reduce.bisimulation.algorithms import full_name, minimise_by
from coarsest.reduce.partition.observation import Observation
from coarsest.reduce.partition.observed import Observed, Snapshot, Watcher
from coarsest.reduce.reduction import Reduction
from coarsest.run import Run
from coarsest.space.bdd.actions import Action, symbolic_actions
from coarsest.space.bdd.spaces import Spaces
from coarsest.space.bdd.symbolic import SymbolicSpace
from coarsest.space.smt.formula_spaces import FormulaSpaces
from coarsest.space.smt.smt import SmtSpace
from coarsest.space.smt.smt_actions import smt_actions

RELATIONS = ("bisimulation",)
ONLY_ON_BDDS = ("signatures", "list-then-refine", "relation")


def insist_relation(relation: str) -> None:
    """Complain about a relation by which machines are not reduced."""
    if relation not in RELATIONS:
        raise InputError(f"a model cannot be reduced by '{relation}'", hint=f"known: {', '.join(RELATIONS)}")


def reduce_machine(
    machine: Machine,
    observation: Observation,
    spaces: Spaces | FormulaSpaces,
    run: Run,
    *,
    algorithm: str = "auto",
    watch: Watcher[Any] | None = None,
) -> Reduction[Any]:
    """Minimise what is observed of a machine, on BDDs or formulas; `watch` is told of the observed blocks first."""
    name = full_name(algorithm if algorithm != "auto" or isinstance(spaces, Spaces) else "bfh")
    if isinstance(spaces, FormulaSpaces) and name in ONLY_ON_BDDS:
        raise Unsupported(f"the algorithm '{name}' works on BDDs, not on formulas", hint="use bfh or lee-yannakakis")

    def work() -> Reduction[Any]:
        space: Any = spaces.space(observation.machine)
        actions = _actions(space, observation.actions, run) if observation.actions else ()
        observed = Observed.by(space, observation.sets(space, run), actions)
        if watch is not None:
            first = frozenset(i for i, block in enumerate(observed.blocks) if block & space.initial)
            watch(Snapshot(observed.blocks, first, frozenset()))
        used, partition = minimise_by(name, observed, run, watch)
        return Reduction(machine, observation, observed, partition, used)

    return spaces.within_limits(work)


def _actions(space: SymbolicSpace[Any] | SmtSpace, inputs: Sequence[str], run: Run) -> tuple[Action[Any], ...]:
    return smt_actions(space, inputs, run) if isinstance(space, SmtSpace) else symbolic_actions(space, inputs, run)
