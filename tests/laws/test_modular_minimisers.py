"""The modular algorithms against the definitions: on random machines of all kinds, and on random pairs of Moore machines."""

from __future__ import annotations

from random import Random

import pytest
from test_bisimulation_minimisers import check, labels_of
from test_bisimulation_minimisers import machine_of as any_machine

import coarsest
from campaigns import blocks
from coarsest.reduce.bisimulation.algorithms import MODULAR
from oracles.moore_machines import Fsm, are_equivalent, are_isomorphic, composition, improved, quotient, reachable
from random_moore_machines import machine_of, random_pair

KINDS = ({}, {"begin": "all"}, {"begin": "some"}, {"choices": True}, {"choices": True, "begin": "all"})


@pytest.mark.parametrize("block", blocks(8, by_day=2))
def test_random_machines(block: int) -> None:
    sizes = []
    for seed in range(block * 25, (block + 1) * 25):
        machine = any_machine(seed)
        inputs = tuple(v.name for v in machine.input_variables) if seed % 3 == 0 else ()
        sizes.append(check(machine, labels_of(machine, seed), inputs, algorithms=MODULAR))
    assert max(sizes) > 3


def reduced(one: Fsm, two: Fsm, algorithm: str) -> Fsm:
    """The result of an algorithm, read back."""
    model = coarsest.Model(machine_of(one=one, two=two))
    inputs = [v.name for v in model.machine.input_variables]
    found = model.reduce(algorithm=algorithm, actions=inputs, confirm="always")
    assert found.confirmed
    small = found.reduction.quotient
    labels = {
        state: frozenset(str(label.name) for label, values in small.labels.items() if values[state])  # type: ignore[attr-defined]
        for state in range(small.size)
    }
    letters = [frozenset(name for name, value in action.items() if value) for action in small.actions]
    steps = frozenset((s, letters[i], t) for s, i, t in small.edges)
    outputs = frozenset(model.machine.outputs)
    return Fsm(frozenset(range(small.size)), frozenset(small.initial), frozenset(inputs), outputs, labels, steps)


@pytest.mark.parametrize("block", blocks(6, by_day=1))
def test_random_pairs(block: int) -> None:
    """The quotient of the composition, up to isomorphism."""
    smaller = 0
    for seed in range(block * 10, (block + 1) * 10):
        one, two = random_pair(Random(seed), **KINDS[seed % len(KINDS)])
        both = reachable(composition(one, two))
        expected, _ = quotient(both, both.outputs)
        smaller += len(expected.states) < len(both.states)
        for algorithm in MODULAR:
            assert are_isomorphic(expected, reduced(one, two, algorithm)), (seed, algorithm)
    assert smaller


@pytest.mark.parametrize("block", blocks(4, by_day=1))
def test_lemmas_of_the_thesis(block: int) -> None:
    """Lemmas 5.3.1, 5.3.6 and 5.3.10, for machines whose steps are functions of states and inputs."""
    for seed in range(block * 25, (block + 1) * 25):
        begin = ("one", "all")[seed % 2]
        one, two = random_pair(Random(seed), begin=begin, states=3)
        both = composition(one, two)
        stages = improved(one, two)
        crossing = one.outputs | two.outputs & one.inputs
        assert are_equivalent(stages.first_closed, both, crossing), seed
        assert are_equivalent(stages.first_small, both, one.outputs), seed
        small = stages.legal if begin == "all" else reachable(stages.whole)
        assert are_isomorphic(*(quotient(machine, both.outputs)[0] for machine in (small, reachable(both)))), seed
        assert are_isomorphic(small, quotient(small, both.outputs)[0]), seed
