"""From a machine and what is observed of it to its quotient."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coarsest.errors import Unsupported
from coarsest.model.machine import Machine
from coarsest.options.relations import FAIR_SIMULATIONS
from coarsest.reduce.bisimulation.algorithms import MODULAR, full_name, minimise_by
from coarsest.reduce.partition.observation import Observation
from coarsest.reduce.partition.observed import Observed, Snapshot, Watcher
from coarsest.reduce.reduction import Reduction
from coarsest.reduce.simulation.reduction import SimulationReduction
from coarsest.run import Run
from coarsest.space.carrier import Spaces

DEFAULTS = {"bdd": "auto", "explicit": "list-then-refine", "smt": "bouajjani-fernandez-halbwachs"}
"""What `auto` means on each carrier."""
_NOT_ON_FORMULAS = "BDDs, not on formulas", "use bfh or lee-yannakakis"
REFUSED: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "bdd": {},
    "explicit": dict.fromkeys(("signatures", *MODULAR), ("BDDs, not on listed states", "use list-then-refine or bfh")),
    "smt": dict.fromkeys(("signatures", "list-then-refine", "relation", *MODULAR), _NOT_ON_FORMULAS),
}
"""The algorithms that do not work on a carrier, each with what it works on, and a hint."""
SIMULATION_DEFAULTS = {"bdd": "auto", "explicit": "bisimulation-first", "smt": "bisimulation-first"}
SIMULATION_REFUSED: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "bdd": {},
    "explicit": dict.fromkeys(MODULAR, ("BDDs, not on listed states", "use bisimulation-first")),
    "smt": dict.fromkeys(("relation", *MODULAR), ("BDDs, not on formulas", "use splitters or partition")),
}
"""The same two tables for simulation. States that are described by formulas may be in infinitely many classes, most of them
unreachable; minimising by bisimulation first looks at the reachable ones only."""


def reduce_machine(
    machine: Machine,
    observation: Observation,
    spaces: Spaces[Any],
    run: Run,
    *,
    relation: str = "bisimulation",
    algorithm: str = "auto",
    parts: str = "auto",
    quotient: str = "smallest",
    lookahead: int = 1,
    watch: Watcher[Any] | None = None,
) -> Reduction[Any]:
    """Minimise what is observed of a machine, on any carrier; `watch` gets the observed blocks first."""
    if relation in FAIR_SIMULATIONS:
        from coarsest.reduce.simulation.fair_reduction import fair_reduction

        inner = reduce_machine(machine, observation, spaces, run, algorithm=algorithm, parts=parts, watch=watch)
        return spaces.within_limits(lambda: fair_reduction(inner, relation, run, ahead=max(1, lookahead)))
    by_simulation = relation == "simulation"
    name = _full_name(algorithm, spaces.carrier, quotient, by_simulation=by_simulation)

    def work() -> Reduction[Any]:
        space: Any = spaces.space(observation.machine)
        actions = space.actions(observation.actions, run) if observation.actions else ()
        observed = Observed.by(space, observation.sets(space, run), actions)
        if watch is not None:
            first = frozenset(i for i, block in enumerate(observed.blocks) if block & space.initial)
            watch(Snapshot(observed.blocks, first, frozenset()))
        if not by_simulation:
            used, partition = minimise_by(name, observed, run, watch, parts=parts)
            return Reduction(machine, observation, observed, partition, used)
        used, observed, small = _simulation().minimise_by(
            name, observed, run, watch, first=DEFAULTS[spaces.carrier], parts=parts, quotient=quotient
        )
        return SimulationReduction(
            machine, observation, observed, small.partition, used, small.ordered, small.numbers, quotient
        )

    return spaces.within_limits(work)


def _full_name(algorithm: str, carrier: str, quotient: str, *, by_simulation: bool) -> str:
    """The full name of an algorithm, which has to work on the carrier."""
    defaults, refused = (SIMULATION_DEFAULTS, SIMULATION_REFUSED) if by_simulation else (DEFAULTS, REFUSED)
    word = algorithm if algorithm != "auto" else defaults[carrier]
    name: str = _simulation().full_name(word) if by_simulation else full_name(word)
    if name in refused[carrier]:
        carriers, hint = refused[carrier][name]
        raise Unsupported(f"the algorithm '{name}' works on {carriers}", hint=hint)
    if quotient != "smallest" and carrier == "smt" and name != "bisimulation-first":
        message = "on formulas, a quotient with the steps of all or some states is made of the quotient by bisimulation"
        raise Unsupported(message, hint="use --algorithm bisimulation-first")
    return name


def _simulation() -> Any:
    """The minimisers by simulation, which load arrays."""
    from coarsest.reduce.simulation import algorithms

    return algorithms
