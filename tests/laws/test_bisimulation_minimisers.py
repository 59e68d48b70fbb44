"""Every minimiser on every carrier against the definition of bisimilarity, on random machines."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from campaigns import blocks
from coarsest.logic.expr import Expr, Name
from coarsest.model.machine import Machine
from coarsest.reduce.bisimulation.algorithms import MINIMISERS, MODULAR, minimiser
from coarsest.reduce.bisimulation.signatures_blom_orzan import Rounds
from coarsest.reduce.partition.observation import Observation, observe
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.partition import Partition
from coarsest.reduce.partition.reachable_part import reachable_states
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.explicit.enumerate import enumerate_machine
from oracles.bisimulation import Bisimilarity
from oracles.brute_force import BruteForce
from random_expressions import Expressions
from random_machines import random_graph_machine, seeded_machine
from space_laws import to_set

BLOCKS = 6
MACHINES = 30
"""In each block."""
ON_ARRAYS = {"signatures, compiled": "compiled", "signatures, pure": "pure"}
"""All rounds of signatures on arrays, by these kernels. As it is, `signatures` goes over to arrays where there are many nodes."""
ONLY_SYMBOLIC = {"signatures", "list-then-refine", *MODULAR, *ON_ARRAYS}


def machine_of(seed: int) -> Machine:
    return random_graph_machine(Random(seed)) if seed % 2 else seeded_machine(seed // 2, state_bits=4)


def labels_of(machine: Machine, seed: int) -> list[Expr]:
    """One boolean expression; sometimes also a variable, with all its values."""
    random = Random(seed)
    if machine.name == "graph":
        labels: list[Expr] = [Name("at0")]
    else:
        labels = [Expressions(random, {v.name: v.type for v in machine.state_variables}).boolean(2)]
    if random.random() < 0.3:
        labels.append(Name(random.choice(machine.state_variables).name))
    return labels


def carriers(machine: Machine, observation: Observation) -> dict[str, Observed[Any]]:
    symbolic, explicit = build(machine), enumerate_machine(machine, reachable_only=False)
    run = Run()
    by_symbols = symbolic.actions(observation.actions, run) if observation.actions else ()
    by_edges = explicit.actions(observation.actions, run) if observation.actions else ()
    return {
        "symbolic": Observed.by(symbolic, observation.sets(symbolic, run), by_symbols),
        "explicit": Observed.by(explicit, observation.sets(explicit, run), by_edges),
    }


def check(
    machine: Machine, labels: list[Expr], actions: tuple[str, ...] = (), algorithms: Iterable[str] = (*MINIMISERS, *ON_ARRAYS)
) -> int:
    observation = observe(machine, labels, actions=actions, cone=False)
    if observation.promoted:
        return 0
    oracle = BruteForce(machine)
    expected = Bisimilarity(oracle, labels, actions)
    for algorithm in algorithms:
        for carrier, observed in carriers(machine, observation).items():
            if carrier == "explicit" and algorithm in ONLY_SYMBOLIC:
                continue
            found = on_arrays(observed, ON_ARRAYS[algorithm]) if algorithm in ON_ARRAYS else minimiser(algorithm)(observed, Run())
            check_partition(found, observed, expected, oracle, (algorithm, carrier))
    return len(expected.classes)


def on_arrays(observed: Observed[Any], kernels: str) -> Partition[Any]:
    rounds = Rounds(observed, Run(), None, reachable_states(observed.space, Run()))
    rounds.kernels = kernels
    found = rounds.on_arrays(None)
    assert found is not None
    return found


def check_partition(found: Any, observed: Observed[Any], expected: Bisimilarity, oracle: BruteForce, who: Any) -> None:
    space = observed.space
    reachable = {state: to_set(space, oracle, [state]) for state in expected.reachable}
    members = [frozenset(s for s, one in reachable.items() if one <= states) for states in found.classes]
    assert set(members) == expected.classes, who
    assert len(found) == len(expected.classes), who
    assert {members[number] for number in found.initial} == expected.initial, who
    values = [tuple(getattr(action, "inputs", {}).values()) for action in observed.actions]
    edges = {(members[a], values[action], members[b]) for a, action, b in found.edges}
    assert edges == expected.edges, who
    assert len(found.edges) == len(edges), who
    for number, (states, example) in enumerate(zip(found.classes, found.examples, strict=True)):
        assert example <= states and space.count(example) == 1, who
        assert example <= observed.blocks[found.looks[number]], who
    for i, one in enumerate([*found.classes, *found.others]):
        assert one, who
        assert all(not one & other for other in [*found.classes, *found.others][:i]), who


@pytest.mark.parametrize("block", blocks(BLOCKS, by_day=3))
def test_random_machines(block: int) -> None:
    sizes = []
    for seed in range(block * MACHINES, (block + 1) * MACHINES):
        machine = machine_of(seed)
        sizes.append(check(machine, labels_of(machine, seed)))
    assert max(sizes) > 3


@pytest.mark.parametrize("block", blocks(3, by_day=2))
def test_random_machines_with_actions(block: int) -> None:
    checked = 0
    for seed in range(block * 40, (block + 1) * 40):
        machine = machine_of(seed)
        inputs = tuple(v.name for v in machine.input_variables)
        if inputs:
            check(machine, labels_of(machine, seed), inputs)
            checked += 1
    assert checked > 5
