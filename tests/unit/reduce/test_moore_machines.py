"""Figures 5.1 to 5.3 of Bustan 2002 on machines with the properties that the text names, and where its lemma 5.3.10 ends.

The edges of the figures are not in the text of the thesis.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from coarsest.logic.expr import Name
from coarsest.reduce.bisimulation.algorithms import MODULAR
from coarsest.reduce.modular.algorithms import REDUCERS
from coarsest.reduce.modular.improved_bustan_grumberg import improved as improved_by_parts
from coarsest.reduce.modular.improved_bustan_grumberg import one_by_one
from coarsest.reduce.modular.moore import Moore, are_equivalent, compose
from coarsest.reduce.modular.ordinary_hopcroft import reduction
from coarsest.reduce.modular.parts import parted
from coarsest.reduce.modular.view import machine_of as view
from coarsest.reduce.partition.observation import observe
from coarsest.run import Run
from coarsest.space.bdd.build import build
from oracles import moore_machines as oracle
from oracles.moore_machines import Fsm, are_isomorphic, composition, improved, quotient, reachable, subsets
from random_moore_machines import machine_of, reduced


def fsm(inputs: str, outputs: str, labels: dict[int, str], steps: dict[int, Any], initial: Any = (0,)) -> Fsm:
    """`steps` give for each state its successor for each set of inputs that is true, or one for all."""
    triples = set()
    for state, after in steps.items():
        for letters in subsets(inputs):
            targets = after["".join(sorted(letters))] if isinstance(after, dict) else after
            triples |= {(state, letters, target) for target in (targets if isinstance(targets, tuple) else (targets,))}
    names = {state: frozenset(label) for state, label in labels.items()}
    return Fsm(frozenset(labels), frozenset(initial), frozenset(inputs), frozenset(outputs), names, frozenset(triples))


def is_minimised(machine: Fsm) -> bool:
    return are_isomorphic(machine, quotient(machine, machine.outputs)[0])


STEADY = fsm("", "a", {0: "a"}, {0: 0})
FOLLOWER = fsm("a", "c", {0: "", 1: "", 2: "c"}, {0: {"": 0, "a": 2}, 1: {"": 2, "a": 2}, 2: 1})
"""An open environment tells its states 0 and 1 apart; the other machine, which always shows a, does not."""


def test_figure_5_1() -> None:
    """The composition of two minimised machines is not always minimised."""
    both = composition(STEADY, FOLLOWER)
    assert is_minimised(STEADY) and is_minimised(FOLLOWER) and not is_minimised(both)
    expected, _ = quotient(reachable(both), both.outputs)
    for algorithm in MODULAR:
        assert are_isomorphic(expected, reduced(STEADY, FOLLOWER, algorithm))


FIRST = fsm("c", "ab", {0: "a", 1: "", 2: "b"}, {0: {"": 1, "c": 2}, 1: 0, 2: 0})
SECOND = fsm("a", "cd", {0: "c", 1: "c", 2: "cd"}, {0: 2, 1: {"": 2, "a": 0}, 2: 1})


def test_figure_5_2() -> None:
    """The stages of the improved algorithm: I_1 = {c}, O_1 = {a, b}, I_2 = {a}, O_2 = {c, d}."""
    both = reachable(composition(FIRST, SECOND))
    assert is_minimised(FIRST) and is_minimised(SECOND) and not is_minimised(both) and both.is_deterministic
    stages = improved(FIRST, SECOND)
    assert stages.first_reduced.outputs == {"a"} and stages.second_reduced.outputs == {"c"}
    assert [len(machine.states) for machine in stages[:2]] == [2, 1]
    assert stages.first_small.inputs == stages.second_small.inputs == frozenset()
    small = reachable(stages.whole)
    expected, _ = quotient(both, both.outputs)
    assert are_isomorphic(small, expected) and len(small.states) == 5 < len(both.states)
    for algorithm in MODULAR:
        assert are_isomorphic(small, reduced(FIRST, SECOND, algorithm))


LEFT = fsm("y", "x", {0: "x", 1: ""}, {0: {"": 0, "y": 1}, 1: {"": 1, "y": 0}}, initial=(0, 1))
RIGHT = fsm("x", "y", {2: "y", 3: ""}, {2: {"": 2, "x": 3}, 3: {"": 3, "x": 2}}, initial=(2, 3))


def test_figure_5_3() -> None:
    """All states are initial: without legal states there are 16, of which 4 stand for states of the composition."""
    both, stages = composition(LEFT, RIGHT), improved(LEFT, RIGHT)
    for machine in (stages.first_reduced, stages.second_reduced, stages.first_closed, stages.second_closed):
        assert is_minimised(machine)
    assert len(stages.whole.initial) == 16 and not oracle.are_equivalent(stages.whole, both, both.outputs)
    assert len(stages.legal.states) == 4 and oracle.are_equivalent(stages.legal, both, both.outputs)


def test_figure_5_3_by_functions() -> None:
    whole, atoms = viewed(LEFT, RIGHT)
    first, second = parted(whole, [[atom] for atom in atoms])
    closed = [compose(one, reduction(other.with_outputs(wires=one.inputs), Run()).machine).with_outputs(one.outputs)
              for one, other in ((first, second), (second, first))]  # fmt: skip
    small = [reduction(machine, Run()).machine for machine in closed]
    assert [machine.states for machine in small] == [4, 4] and not whole.is_deterministic
    assert compose(*small).states == 16
    assert improved_by_parts(whole, [[atom] for atom in atoms], atoms, Run()).machine.states == 4


def viewed(one: Fsm, two: Fsm) -> tuple[Moore, list[frozenset[int]]]:
    machine = machine_of(one=one, two=two)
    observation = observe(machine, [Name(name) for name in machine.outputs])
    space = build(observation.machine)
    whole = view(space, observation.sets(space, Run()), Run())
    return whole, [frozenset({place}) for place in whole.latches]


@pytest.mark.parametrize("algorithm", MODULAR)
@pytest.mark.parametrize("pair", [(STEADY, FOLLOWER), (FIRST, SECOND), (LEFT, RIGHT)], ids=["5.1", "5.2", "5.3"])
def test_the_small_machine_is_equivalent(algorithm: str, pair: tuple[Fsm, Fsm]) -> None:
    whole, atoms = viewed(*pair)
    assert whole.is_deterministic == composition(*pair).is_deterministic
    small = REDUCERS[algorithm](whole, atoms, [[atom] for atom in atoms], Run(), one_by_one).machine
    assert are_equivalent(whole, small, Run())
    turned = replace(small, outputs={number: ~output for number, output in small.outputs.items()})
    assert not are_equivalent(whole, turned, Run())


CHOOSER = fsm("", "a", {0: "", 1: "a"}, {0: 1, 1: (0, 1)}, initial=(1,))
CROSSED = fsm("a", "d", {0: "", 1: "d", 2: ""}, {0: {"": 2, "a": 1}, 1: {"": 1, "a": 0}, 2: 2})
"""Where the first machine shows a, it chooses whether it does so again, and the other reads a in the same step. Of 21,000 random
pairs with two states each, none is an example."""


def test_lemma_5_3_10_is_about_functions() -> None:
    """Where a machine chooses, there are steps between legal states that the composition has not; and ours are right."""
    both, stages = composition(CHOOSER, CROSSED), improved(CHOOSER, CROSSED)
    assert not oracle.are_equivalent(stages.legal, both, both.outputs)
    expected, _ = quotient(reachable(both), both.outputs)
    for algorithm in MODULAR:
        assert are_isomorphic(expected, reduced(CHOOSER, CROSSED, algorithm))
