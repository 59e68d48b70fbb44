"""A machine reduced by its symmetries: one class for each orbit, and the way back from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from coarsest import tuning
from coarsest.errors import InputError, Unsupported
from coarsest.model.machine import Machine
from coarsest.model.parts.extend import extend_trace
from coarsest.model.trace import Trace
from coarsest.reduce.bisimulation.list_then_refine import MOST_STATES, TooMany
from coarsest.reduce.lift import ClassPath
from coarsest.reduce.partition.certificate import StablePartition
from coarsest.reduce.partition.observation import Observation
from coarsest.reduce.partition.observed import Observed, Watcher
from coarsest.reduce.partition.partition import Lazy, Partition, TooManyBlocks
from coarsest.reduce.partition.reachable_part import reachable_states
from coarsest.reduce.reduction import Reduction
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.reduce.symmetry.orbit_lift import OrbitLift
from coarsest.reduce.symmetry.orbit_partition import list_then_join, orbit_by_orbit
from coarsest.reduce.symmetry.orbit_spaces import OrbitSpace, OrbitSpaces
from coarsest.run import Run
from coarsest.space.carrier import Spaces
from coarsest.space.explicit.explicit import ExplicitSet
from coarsest.space.space import S

ALGORITHMS = ("auto", "orbit-by-orbit", "list-then-join")

class OrbitReduction(Reduction[S], frozen=True, dict=True):
    """The orbits of the reachable states."""

    generators: tuple[Permutation, ...]

    relation = "symmetry"

    @cached_property
    def certificate(self) -> StablePartition[S]:
        return OrbitClasses(self.observation, self.observed, self.partition, self.quotient)


class OrbitClasses(StablePartition[S], frozen=True, dict=True):
    """Orbits as evidence: they are a bisimulation, but there may be a coarser one."""

    coarsest = False


class RepresentativesReduction(OrbitReduction[ExplicitSet], frozen=True, dict=True):
    """The same, where only a representative of each orbit is listed."""

    def lift(self, path: ClassPath, run: Run) -> Trace:
        space = self.observed.space
        assert isinstance(space, OrbitSpace)
        states = tuple(space.describe(self.partition.classes[number]) for number in path.classes)
        trace = OrbitLift(space, run).trace(Trace(states, (), path.loop))
        steps = len(trace.states) - (trace.loop is None)
        promoted = sorted(self.observation.promoted)
        states_inputs = [{name: state[name] for name in promoted} for state in trace.states[:steps]]
        inputs = tuple({**given, **more} for given, more in zip(trace.inputs or [{}] * steps, states_inputs))
        names = [name for name in trace.states[0] if name not in promoted]
        raised = Trace(tuple({name: state[name] for name in names} for state in trace.states), inputs, trace.loop)
        return extend_trace(self.original, raised) if path.loop is None else raised


def orbit_reduction(
    machine: Machine, observation: Observation, spaces: Spaces[Any], generators: Sequence[Permutation], run: Run, *,
    algorithm: str = "auto",
) -> OrbitReduction[Any]:  # fmt: skip
    """The quotient by generators that are symmetries and keep what is observed."""
    own = tuple(generators)
    if spaces.carrier == "explicit" and algorithm != "list-then-join":
        listed = OrbitSpaces(spaces.options, run, own).space(observation.machine)
        assert isinstance(listed, OrbitSpace)
        if listed.representatives.unique:
            representatives = Observed.by(listed, observation.sets(listed, run))
            partition = _every_state(representatives, listed)
            return RepresentativesReduction(machine, observation, representatives, partition, "orbit-by-orbit", own)
        if algorithm != "auto":
            raise Unsupported("the symmetries are too many for a normal form of states", hint="use list-then-join")
    space = spaces.space(observation.machine)
    observed = Observed.by(space, observation.sets(space, run))
    if spaces.carrier == "explicit" or algorithm == "list-then-join":
        return OrbitReduction(machine, observation, observed, list_then_join(observed, own, run), "list-then-join", own)
    used, partition = _of_bdds(observed, own, run, algorithm)
    return OrbitReduction(machine, observation, observed, partition, used, own)


def _of_bdds(observed: Observed[Any], own: Sequence[Permutation], run: Run, algorithm: str) -> tuple[str, Partition[Any]]:
    try:
        most = tuning.ORBITS_ON_DIAGRAMS if algorithm == "auto" else None
        return "orbit-by-orbit", orbit_by_orbit(observed, own, run, most=most)
    except TooManyBlocks:
        reached = reachable_states(observed.space, run)
    try:
        if observed.space.count(reached) <= MOST_STATES:
            return "list-then-join", list_then_join(observed, own, run, reached=reached)
    except (TooMany, Unsupported):
        pass
    return "orbit-by-orbit", orbit_by_orbit(observed, own, run)


def _every_state(observed: Observed[ExplicitSet], space: OrbitSpace) -> Partition[ExplicitSet]:
    """The partition where each representative is the class of its orbit."""
    import numpy as np

    states = space.graph.nodes
    looks = np.zeros(states, dtype=np.int64)
    for number, block in enumerate(observed.blocks):
        looks[block.mask] = number
    edges = zip(space.graph.sources.tolist(), [0] * space.graph.edges, space.graph.targets.tolist())
    initial = np.flatnonzero(space.initial.mask).tolist()
    classes = Lazy(states, lambda state: ExplicitSet(np.arange(states) == state))
    return Partition(classes, tuple(initial), tuple(sorted(edges)), tuple(looks.tolist()), examples=classes)


def require_orbits(algorithm: str, carrier: str, observation: Observation, watch: Watcher[Any] | None) -> None:
    """Refuse options that reducing by orbits does not have."""
    if algorithm not in ALGORITHMS:
        raise InputError(f"there is no algorithm '{algorithm}' for symmetry", hint=f"known: {', '.join(ALGORITHMS)}")
    if carrier == "smt":
        raise Unsupported("symmetries exchange states in BDDs or listed ones, not in formulas", hint="use --carrier bdd")
    if watch is not None:
        raise Unsupported("orbits are not split: there are no partitions on the way", hint="leave out --trace-partitions")
    if observation.actions:
        hint = "leave out --actions, or reduce by bisimulation"
        raise Unsupported("a symmetry takes steps to steps, whatever the inputs are: no actions can be seen", hint=hint)
