"""The modular algorithms against the definitions: on random machines of all kinds, and on random pairs of Moore machines."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from test_bisimulation_minimisers import check, labels_of
from test_bisimulation_minimisers import machine_of as any_machine

from campaigns import blocks
from coarsest import Model
from coarsest.reduce.bisimulation.algorithms import MODULAR
from coarsest.reduce.modular import algorithms, at_once
from coarsest.reduce.modular.algorithms import parts_of
from coarsest.reduce.modular.moore import Moore
from coarsest.reduce.modular.parts import Atom
from coarsest.reduce.modular.view import Space
from oracles.moore_machines import are_equivalent, are_isomorphic, composition, improved, quotient, reachable
from quotient_laws import lifted_counterexamples
from random_moore_machines import machine_of, random_pair, reduced

KINDS = ({}, {"begin": "all"}, {"begin": "some"}, {"choices": True}, {"choices": True, "begin": "all"})


@pytest.mark.parametrize("block", blocks(8, by_day=2))
def test_random_machines(block: int) -> None:
    sizes = []
    for seed in range(block * 25, (block + 1) * 25):
        machine = any_machine(seed)
        inputs = tuple(v.name for v in machine.input_variables) if seed % 3 == 0 else ()
        sizes.append(check(machine, labels_of(machine, seed), inputs, algorithms=MODULAR))
    assert max(sizes) > 3


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


@pytest.mark.parametrize("block", blocks(5, by_day=1))
def test_in_several_processes(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same quotient, wherever each part is reduced."""
    monkeypatch.setattr("coarsest.tuning.WORK_BEFORE_HELPERS", -1.0)
    monkeypatch.setattr(at_once, "is_possible", lambda: True)
    monkeypatch.setattr(at_once, "cores", lambda: 3)
    for seed in range(block * 4, (block + 1) * 4):
        one, two = random_pair(Random(seed), **KINDS[seed % len(KINDS)])
        both = reachable(composition(one, two))
        expected, _ = quotient(both, both.outputs)
        for algorithm in ("improved", "improved2", "improved3"):
            assert are_isomorphic(expected, reduced(one, two, algorithm)), (seed, algorithm)


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


@pytest.mark.parametrize("block", blocks(4, by_day=1))
def test_by_simulation(block: int) -> None:
    """The smallest structure by simulation, by way of parts: confirmed, and as large as by any other way."""
    for seed in range(block * 8, (block + 1) * 8):
        one, two = random_pair(Random(seed), **KINDS[seed % len(KINDS)])
        model = Model(machine_of(one=one, two=two))
        expected = model.reduce(by="simulation")
        for algorithm in MODULAR:
            small = model.reduce(by="simulation", algorithm=algorithm, confirm="always")
            assert small.confirmed and (small.states, small.transitions) == (expected.states, expected.transitions), seed


def test_counterexamples_are_lifted() -> None:
    """Properties are decided on the quotient, and paths of it become paths of the machine, which are replayed there."""
    assert lifted_counterexamples(range(12), "modular") > 6


@pytest.mark.parametrize("parts", ["instances", "halves"])
def test_parts_of_a_quotient_can_be_chosen(parts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: list[str] = []

    def spy(space: Space, whole: Moore, atoms: Sequence[Atom], kind: str = "auto") -> Sequence[Sequence[Atom]]:
        kinds.append(kind)
        return parts_of(space, whole, atoms, kind)

    monkeypatch.setattr(algorithms, "parts_of", spy)
    model = Model(machine_of(**dict(zip(("one", "two"), random_pair(Random(3))))))
    formula = "AG AF TRUE"
    assert model.check(formula, reduce="modular", parts=parts)[0].verdict.word == model.check(formula)[0].verdict.word
    assert kinds == [parts]
