"""ξ by both algorithms is that of the definition; Iterative_Sym is right with any representatives and limit, and never misled."""

from __future__ import annotations

from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest

from campaigns import blocks
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.reduce.symmetry.closing import sigma_step
from coarsest.reduce.symmetry.create_xi_barner_grumberg import create_xi, least_of_neighbours, orbit_to_xi
from coarsest.reduce.symmetry.iterative_sym_barner_grumberg import iterative_sym
from coarsest.reduce.symmetry.movers import mover
from coarsest.reduce.symmetry.permutation import IDENTITY, Permutation
from coarsest.run import Run
from coarsest.search.reachability import explore
from coarsest.space.bdd.build import build
from oracles.orbits import apply, orbit
from random_symmetries import Symmetric, random_permutation


def space_of(machine: Machine) -> Any:
    return build(machine, Run(), BuildOptions(reorder=False))


def of_states(generators: list[Permutation], machine: Machine) -> list[Permutation]:
    names = [variable.name for variable in machine.state_variables]
    return [one.within(names) or IDENTITY for one in generators]


def every_state(machine: Machine) -> list[dict[str, Any]]:
    variables = machine.state_variables
    return [dict(zip([v.name for v in variables], values)) for values in product(*(v.type.values() for v in variables))]


@pytest.mark.parametrize("seed", range(15))
def test_pairs_are_those_of_the_definition(seed: int) -> None:
    system = Symmetric(seed)
    space, run = space_of(system.machine), Run()
    generators = of_states(system.generators, system.machine)
    rep = least_of_neighbours(space, generators, [variable.name for variable in system.machine.state_variables])
    xi = create_xi(space, generators, rep, run)
    assert xi.complete and xi.pairs == orbit_to_xi(space, generators, rep, run).pairs
    moves = [partial(apply, one.moves, one.values) for one in generators]
    states = [state for state in every_state(system.machine) if space.state(state) <= space.states]
    for state in states:
        alike = [other for other in states if frozenset(other.items()) in orbit(frozenset(state.items()), moves)]
        represented = xi.representatives_of(space.state(state))
        assert represented, "every orbit has a representative"
        assert represented == union(space, [other for other in alike if space.state(other) <= rep])
        if space.state(state) <= rep:
            assert xi.orbit_of(space.state(state)) == union(space, alike)
            assert all(xi.between(state, other)(state) == other for other in alike)


def union(space: Any, states: list[dict[str, Any]]) -> Any:
    together = space.empty
    for state in states:
        together = together | space.state(state)
    return together


@pytest.mark.parametrize("block", blocks(30, by_day=2))
def test_iterative_sym(block: int) -> None:
    """With a limit of 0, ξ is the identity on representatives; with none, it is complete. A path that is given is one of the
    model; and when ξ is complete, bad states are met exactly if there are any."""
    for seed in range(20 * block, 20 * block + 20):
        system, rng, run = Symmetric(seed), Random(seed), Run()
        wrong = seed % 2 == 1
        generators = [random_permutation(rng, system.machine)] if wrong else system.generators
        space = space_of(system.machine)
        movers = [mover(space, one) for one in of_states(generators, system.machine)]
        bad = sigma_step(space, space.where(system.condition(2)), movers, run).states
        reachable = explore(space, run, space.initial)
        rep = least_of_neighbours(space, generators, [variable.name for variable in system.machine.state_variables])
        for limit in (0, 10, 10**9):
            outcome = iterative_sym(space, bad, generators, rep, run, limit=limit)
            if outcome.path is not None:
                assert outcome.path[0] <= space.initial and outcome.path[-1] <= bad, seed
                assert all(after <= space.post(state) for state, after in zip(outcome.path, outcome.path[1:])), seed
            if not wrong:
                assert not outcome.misled and outcome.reached <= reachable, seed
            if not wrong and limit == 10**9:
                assert (outcome.path is not None) == bool(reachable & bad), seed
