"""Listed representatives: verdicts are those of the plain engines, and orbits those of the definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import numpy as np
import pytest

from campaigns import blocks
from coarsest.check.composed.by_symmetry import BySymmetry
from coarsest.check.composed.on_orbits import OnOrbits
from coarsest.check.decide.classify import decide
from coarsest.check.setting.session import Session
from coarsest.evidence.verdict import Fails
from coarsest.logic.show import show
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions, CheckOptions
from coarsest.reduce.symmetry.group.group import Group
from coarsest.reduce.symmetry.group.permutation import IDENTITY, Permutation
from coarsest.reduce.symmetry.orbit_spaces import RepresentativesSoFar
from coarsest.reduce.symmetry.representatives import Columns, Descended, Representatives, Sorted, Tried, components_of
from coarsest.run import Run
from coarsest.space.explicit.enumerate import enumerate_machine
from coarsest.space.explicit.listed import ListedSpace
from oracles.symmetries import State, moved, orbits, quotient_edges
from random_symmetries import Symmetric

BLOCKS, MODELS_PER_BLOCK = 40, 10


def described(space: ListedSpace) -> list[State]:
    return [frozenset(space.valuation.state(number).items()) for number in range(space.graph.nodes)]


def steps_of(space: ListedSpace, states: Sequence[State]) -> list[tuple[State, State]]:
    edges = zip(space.graph.sources.tolist(), space.graph.targets.tolist())
    return [(states[source], states[target]) for source, target in edges]


def on_states(one: Permutation) -> Callable[[State], State]:
    return partial(moved, one.moves, one.values)


def on_orbits(system: Symmetric, run: Run) -> OnOrbits:
    """Decides on the representatives of the largest group of the system's symmetries that keep a claim."""
    options = CheckOptions(reduce="symmetry")
    session = Session(system.machine, BuildOptions(carrier="explicit"), options, run)
    by_bdds = BySymmetry(session.sibling("with BDDs", system.machine, carrier="bdd"))
    by_bdds.__dict__["generators"] = system.generators
    return OnOrbits(session, decide, lambda machine, parts: by_bdds.good_group(by_bdds.session.spaces.space(machine), parts))


@pytest.mark.parametrize("number", blocks(BLOCKS, by_day=2))
def test_verdicts_are_those_of_the_plain_engines(number: int) -> None:
    reduced = 0
    for seed in range(number * MODELS_PER_BLOCK, (number + 1) * MODELS_PER_BLOCK):
        system, run = Symmetric(seed), Run()
        decider = on_orbits(system, run)
        plain = Session(system.machine, BuildOptions(), CheckOptions(), run)
        for claim in system.claims():
            expected, found = decide(plain, claim).verdict, decider.decide(claim)
            assert found.verdict.word == expected.word, (seed, show(claim.formula))
            if isinstance(found.verdict, Fails) and claim.kind in (PropertyKind.INVARIANT, PropertyKind.LTL):
                assert found.verdict.confirmed, (seed, show(claim.formula))
            reduced += "representatives" in found.facts
    assert reduced


def orbits_by_definition(machine: Machine, generators: Sequence[Permutation]) -> tuple[int, int]:
    space = enumerate_machine(machine)
    states = described(space)
    parts = orbits(states, [on_states(one) for one in generators])
    return len(parts), len(quotient_edges(steps_of(space, states), parts))


@pytest.mark.parametrize("number", range(40))
def test_orbits_are_those_of_the_definition(number: int) -> None:
    system = Symmetric(number)
    names = [variable.name for variable in system.machine.state_variables]
    generators = [one.within(names) or IDENTITY for one in system.generators][: None if number % 3 else 1]
    listed = RepresentativesSoFar(system.machine, generators, Run()).space()
    assert (listed.graph.nodes, listed.graph.edges) == orbits_by_definition(system.machine, generators)


@pytest.mark.parametrize("number", range(10))
def test_ways_to_a_representative(number: int) -> None:
    """Sorting and trying all permutations give one representative for each orbit, going downhill one or more; and all of them are
    reached by the permutation that is told."""
    rng = Random(number)
    n, width = rng.randrange(2, 5), rng.randrange(1, 4)
    names = [f"p{i}.v{j}" for i in range(n) for j in range(width)]
    generators = [
        Permutation({f"p{a}.v{j}": f"p{b}.v{j}" for j in range(width) for a, b in ((i, i + 1), (i + 1, i))}) for i in range(n - 1)
    ]
    assert [sorted(part) for part in components_of(generators)] == [[f"p{i}.v{j}" for j in range(width)] for i in range(n)]
    columns = Columns(names, generators)
    states = [tuple(rng.randrange(3) for _ in names) for _ in range(60)]
    rows = columns.rows(states)
    whole = Representatives(names, generators, Run())
    elements = Group(generators).elements()
    ways = [Sorted(components_of(generators), columns), Tried(elements, columns), Descended(generators, columns)]
    own = [frozenset(zip(names, state)) for state in states]
    parts = orbits(own, [on_states(one) for one in generators])
    place = [next(i for i, part in enumerate(parts) if state in part) for state in own]
    for way in ways:
        least = way.least(rows)
        for row, state, target in zip(least, states, own):
            taken = way.taking(columns.rows([state]))(dict(zip(names, state)))
            assert frozenset(taken.items()) in next(part for part in parts if target in part)
            assert tuple(taken[name] for name in names) == columns.state(row)
        if way.unique:
            assert len({row.tobytes() for row in least}) == len(parts) == len(set(place))
        assert np.array_equal(way.least(least), least)
    assert np.array_equal(whole.of(states), ways[0].least(whole.columns.rows(states)))

