"""Every way to the smallest simulation equivalent structure, on every carrier, against the definition, on random machines."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from campaigns import blocks
from coarsest.logic.expr import Expr, Name
from coarsest.model.machine import Machine
from coarsest.reduce.partition.observation import Observation, observe
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.simulation import partition_bustan_grumberg, splitters_gentilini_piazza_policriti
from coarsest.reduce.simulation.algorithms import MINIMISERS, minimise_by
from coarsest.reduce.simulation.ordered import Ordered, Smallest, dead_ends_apart
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.explicit.enumerate import enumerate_machine
from oracles.brute_force import BruteForce
from oracles.similarity import Similarity
from random_expressions import Expressions
from random_machines import random_graph_machine, seeded_machine
from space_laws import to_set

BLOCKS, MACHINES = 4, 30


def machine_of(seed: int) -> Machine:
    return random_graph_machine(Random(seed), nodes=11) if seed % 4 else seeded_machine(seed // 4, state_bits=4)


def labels_of(machine: Machine, seed: int) -> list[Expr]:
    """One boolean expression, so that much looks alike."""
    if machine.name == "graph":
        return [Name("at0")]
    return [Expressions(Random(seed), {v.name: v.type for v in machine.state_variables}).boolean(2)]


def carriers(machine: Machine, observation: Observation) -> Iterator[tuple[str, Observed[Any]]]:
    run = Run()
    for name, space in (("symbolic", build(machine)), ("explicit", enumerate_machine(machine, reachable_only=False))):
        actions = space.actions(observation.actions, run) if observation.actions else ()
        yield name, Observed.by(space, observation.sets(space, run), actions)


def check(machine: Machine, labels: list[Expr], actions: tuple[str, ...] = ()) -> tuple[int, int]:
    """All ways agree with the oracle: how many classes there are by bisimulation, and how many states are left."""
    observation = observe(machine, labels, actions=actions, cone=False)
    if observation.promoted:
        return 0, 0
    oracle = BruteForce(machine)
    expected = Similarity(oracle, labels, actions)
    structures = {"smallest": expected.smallest, **{made: expected.quotient(every=made == "all") for made in ("all", "some")}}
    for made, structure in structures.items():
        for carrier, observed in carriers(machine, observation):
            first = "list-then-refine" if carrier == "symbolic" else "bouajjani-fernandez-halbwachs"
            for way in (*MINIMISERS, "auto"):
                _, apart, small = minimise_by(way, observed, Run(), first=first, quotient=made)
                check_structure(small, apart, expected, oracle, (way, carrier, made), structure)
    return len(expected.classes), len(expected.smallest[0])


def check_structure(
    small: Smallest[Any], observed: Observed[Any], expected: Similarity, oracle: BruteForce, who: Any, structure: Any
) -> None:
    space, partition = observed.space, small.partition
    reachable = {state: to_set(space, oracle, [state]) for state in expected.reachable}
    members = [frozenset(s for s, one in reachable.items() if one <= states) for states in partition.classes]
    classes, initial, edges = structure
    assert set(members) == classes and len(members) == len(classes), who
    assert {members[number] for number in partition.initial} == initial, who
    values = [tuple(getattr(action, "inputs", {}).values()) for action in observed.actions]
    ours = [(members[a], values[action], members[b]) for a, action, b in partition.edges]
    assert set(ours) == edges and len(ours) == len(edges), who
    for number, one in enumerate(partition.examples):
        assert one <= partition.classes[number] & observed.blocks[partition.looks[number]] and space.count(one) == 1, who
    everyone = [next(iter(s for s, one in reachable.items() if one <= states), None) for states in small.ordered.classes]
    assert {expected.class_of(s) for s in everyone if s is not None} == expected.classes, who
    for i, s in enumerate(everyone):
        for j, t in enumerate(everyone):
            if s is not None and t is not None:
                assert small.ordered.above[i, j] == expected.is_below(s, t), who
    assert [small.ordered.classes[number] for number in small.numbers] == list(partition.classes), who


@pytest.mark.parametrize("block", blocks(BLOCKS, by_day=2))
def test_random_machines(block: int) -> None:
    sizes = []
    for seed in range(block * MACHINES, (block + 1) * MACHINES):
        machine = machine_of(seed)
        sizes.append(check(machine, labels_of(machine, seed)))
    assert max(small for _, small in sizes) > 3
    assert sum(small < classes for classes, small in sizes) > 3, "there are little brothers"


def test_random_machines_with_actions() -> None:
    checked = 0
    for seed in range(60):
        machine = machine_of(seed)
        inputs = tuple(v.name for v in machine.input_variables)
        if inputs:
            check(machine, labels_of(machine, seed), inputs)
            checked += 1
    assert checked > 5


def pairs_of_classes(observed: Observed[Any], ordered: Ordered[Any]) -> set[tuple[frozenset[str], frozenset[str]]]:
    """H, with each class as the set of its states."""
    space = observed.space
    classes = []
    for states in ordered.classes:
        names = set()
        while states:
            one = space.pick(states)
            names.add(repr(space.describe(one)))
            states = states - one
        classes.append(frozenset(names))
    return {(one, other) for i, one in enumerate(classes) for j, other in enumerate(classes) if ordered.above[i, j]}


def test_two_algorithms_go_through_the_same_rounds() -> None:
    """Figure 3.5 by a state of each class, and by splitters: the same Σ_i and H_i in every round."""
    rounds = 0
    for seed in range(1, 80, 2):
        machine = machine_of(seed)
        observation = observe(machine, labels_of(machine, seed), cone=False)
        observed = next(dead_ends_apart(one) for _, one in carriers(machine, observation))
        by_states = list(partition_bustan_grumberg.refinements(observed, Run()))
        by_splitters = list(splitters_gentilini_piazza_policriti.refinements(observed, Run()))
        assert [pairs_of_classes(observed, one) for one in by_states] == [pairs_of_classes(observed, one) for one in by_splitters]
        rounds = max(rounds, len(by_states))
    assert rounds > 3
