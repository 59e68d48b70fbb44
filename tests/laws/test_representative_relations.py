"""ξ is that of the definition: Create_ξ for any representatives, Orbit_To_ξ for the smallest states."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import pytest

from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.reduce.symmetry.group.permutation import IDENTITY
from coarsest.reduce.symmetry.orbit_relation_jha import orbit_to_xi
from coarsest.reduce.symmetry.representative_relation import Xi, create_xi
from coarsest.reduce.symmetry.smallest import smallest_states
from coarsest.run import Run
from coarsest.space.bdd.build import build
from oracles.symmetries import moved, orbits
from random_symmetries import Symmetric


def every_state(machine: Machine) -> list[dict[str, Any]]:
    variables = machine.state_variables
    return [dict(zip([v.name for v in variables], values)) for values in product(*(v.type.values() for v in variables))]


def union(space: Any, states: list[dict[str, Any]]) -> Any:
    together = space.empty
    for state in states:
        together = together | space.state(state)
    return together


@pytest.mark.parametrize("seed", range(15))
def test_pairs_are_those_of_the_definition(seed: int) -> None:
    system, run = Symmetric(seed), Run()
    machine = system.machine
    space: Any = build(machine, run, BuildOptions(reorder=False))
    names = [variable.name for variable in machine.state_variables]
    generators = [one.within(names) or IDENTITY for one in system.generators]
    states = [state for state in every_state(machine) if space.state(state) <= space.states]
    parts = orbits([frozenset(state.items()) for state in states], [partial(moved, one.moves, one.values) for one in generators])
    rep = smallest_states(space, generators)
    by_orbits = orbit_to_xi(space, generators, run)
    smallest = by_orbits.representatives(space.states)
    assert smallest <= rep and space.count(smallest) == len(parts), "the smallest state of each orbit"
    ways: list[tuple[Xi, Any]] = [(create_xi(space, generators, rep, run), rep), (by_orbits, smallest)]
    for xi, representatives in ways:
        for state in states:
            (part,) = [part for part in parts if frozenset(state.items()) in part]
            alike = [dict(other) for other in part]
            represented = xi.representatives(space.state(state))
            assert represented and represented == union(space, alike) & representatives
            if space.state(state) <= representatives:
                assert xi.states(space.state(state)) == union(space, alike)
