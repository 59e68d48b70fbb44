"""Listed representatives: verdicts are those of the plain engines, and orbits those of the definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest
from tests.campaigns import blocks
from tests.oracles.orbits import State, apply, orbits, quotient_edges
from tests.random_symmetric import symmetric_model

import coarsest
from coarsest.evidence.verdict import Fails
from coarsest.model.machine import Machine
from coarsest.reduce.symmetry.declared import declared
from coarsest.reduce.symmetry.orbit_spaces import RepresentativesSoFar
from coarsest.reduce.symmetry.permutation import Permutation
from coarsest.reduce.symmetry.representatives import Columns, Descended, Representatives, Sorted, Tried, components_of
from coarsest.run import Run
from coarsest.space.explicit.enumerate import enumerate_machine
from coarsest.space.explicit.listed import ListedSpace

BLOCKS, MODELS_PER_BLOCK = 25, 8


def described(space: ListedSpace) -> list[State]:
    return [frozenset(space.valuation.state(number).items()) for number in range(space.graph.nodes)]


def steps_of(space: ListedSpace, states: Sequence[State]) -> list[tuple[State, State]]:
    edges = zip(space.graph.sources.tolist(), space.graph.targets.tolist())
    return [(states[source], states[target]) for source, target in edges]


def on_states(one: Permutation) -> Callable[[State], State]:
    return lambda state: apply(one.moves, one.values, state)


@pytest.mark.parametrize("number", blocks(BLOCKS, by_day=1))
def test_verdicts_are_those_of_the_plain_engines(number: int) -> None:
    rng = Random(number)
    for _ in range(MODELS_PER_BLOCK):
        text = symmetric_model(rng, rng.choice([3, 3, 4]), 4)
        model = coarsest.loads(text)
        plain = model.check()
        for one, other in zip(plain, model.check(reduce="symmetry", carrier="explicit"), strict=True):
            assert (one.name, one.verdict.word) == (other.name, other.verdict.word), f"{text}\n{one.formula}"
            if isinstance(other.verdict, Fails) and other.verdict.trace is not None and other.kind in ("invariant", "ltl", "psl"):
                assert other.verdict.confirmed, f"{text}\n{one.formula}"


def orbits_by_definition(machine: Machine, generators: Sequence[Permutation]) -> tuple[int, int]:
    space = enumerate_machine(machine)
    states = described(space)
    parts = orbits(states, [on_states(one) for one in generators])
    return len(parts), len(quotient_edges(steps_of(space, states), parts))


@pytest.mark.parametrize("number", range(12))
def test_orbits_are_those_of_the_definition(number: int) -> None:
    rng = Random(1000 + number)
    model = coarsest.loads(symmetric_model(rng, rng.choice([2, 3, 4])))
    generators = declared(model.machine)
    if number % 3 == 2:
        generators = generators[1:]  # p1 keeps its place
    listed = RepresentativesSoFar(model.machine, generators, Run()).space()
    assert (listed.graph.nodes, listed.graph.edges) == orbits_by_definition(model.machine, generators)


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
    elements = list(coarsest_elements(generators))
    ways = [Sorted(components_of(generators), columns), Tried(elements, columns), Descended(generators, columns)]
    own = [frozenset(zip(names, state)) for state in states]
    parts = orbits(own, [on_states(one) for one in generators])
    place = [next(i for i, part in enumerate(parts) if state in part) for state in own]
    for way in ways:
        least = way.least(rows)
        for row, state, target in zip(least, states, own):
            moved = way.taking(columns.rows([state]))(dict(zip(names, state)))
            assert frozenset(moved.items()) in next(part for part in parts if target in part)
            assert tuple(moved[name] for name in names) == columns.state(row)
        if way.unique:
            assert len({row.tobytes() for row in least}) == len(parts) == len(set(place))
        assert np.array_equal(way.least(least), least)
    assert np.array_equal(whole.of(states), ways[0].least(whole.columns.rows(states)))


def coarsest_elements(generators: Sequence[Permutation]) -> list[Permutation]:
    from coarsest.reduce.symmetry.group import Group

    return list(Group(generators).elements())
