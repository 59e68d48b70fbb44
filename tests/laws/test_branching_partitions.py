"""Branching bisimulation by bottom states: as defined, as in rounds, and the same by both kernels."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from campaigns import blocks
from coarsest._kernels.choose import kernels
from coarsest.lts.branching.branching_bisimulation import branching_classes, branching_quotient, branching_rounds
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise import classes as minimise_classes
from coarsest.run import Run
from oracles import graph_relations as oracle
from random_graph_pairs import random_silent_graph


def mostly_silent(random: Random, states: int) -> Graph:
    """Few actions beside the internal one, which nearly all transitions may have."""
    count = random.randint(1, states)
    number = random.randint(0, 3 * count)
    silent, labels = random.random(), random.choice([1, 1, 1, 2])
    return Graph.from_edges(
        count,
        [random.randrange(count) for _ in range(number)],
        [2 if random.random() < silent else random.randrange(2) for _ in range(number)],
        [random.randrange(count) for _ in range(number)],
        labels=[random.randrange(labels) for _ in range(count)],
        action_names=("a", "divergence", "tau"),
        label_names=("p", "q")[:labels],
    )


def same_partition(one: list[int], other: list[int]) -> bool:
    return len(set(zip(one, other))) == len(set(one)) == len(set(other))


def by_bottom_states(graph: Graph, divergence: bool, choice: str) -> list[int]:
    collapsed, classes = branching_classes(graph, Run(), divergence=divergence, choice=choice)
    numbers: list[int] = classes.class_of[collapsed.component].tolist()
    return numbers


@pytest.mark.parametrize("block", blocks(20, by_day=1))
def test_rounds_and_both_kernels(block: int) -> None:
    for seed in range(500 * block, 500 * block + 500):
        random = Random(seed)
        graph = mostly_silent(random, random.choice([5, 9, 15, 30]))
        for divergence in (False, True):
            collapsed, history = branching_rounds(graph, Run(), divergence=divergence, choice="pure")
            expected = history.block[collapsed.component].tolist()
            pure, compiled = (by_bottom_states(graph, divergence, choice) for choice in ("pure", "compiled"))
            assert same_partition(pure, expected), seed
            assert pure == compiled, seed


@pytest.mark.parametrize("block", blocks(10, by_day=1))
def test_definition(block: int) -> None:
    for seed in range(200 * block, 200 * block + 200):
        graph = random_silent_graph(Random(seed), states=6)
        numbers = by_bottom_states(graph, False, "pure")
        related = oracle.branching_bisimulation(graph)
        assert related == {(s, t) for s in range(graph.states) for t in range(graph.states) if numbers[s] == numbers[t]}
        assert same_partition(by_bottom_states(graph, True, "pure"), oracle.divergence_preserving_partition(graph))


def layers(random: Random, width: int, depth: int) -> Graph:
    """Long internal paths beside one another, with something to be seen now and then: blocks are split many times."""
    states = width * depth
    rows = [
        (level * width + place, random.choice([0, 2, 2, 2]), min(states - 1, (level + 1) * width + random.randrange(width)))
        for level in range(depth) for place in range(width) for _ in range(random.choice([1, 2]))
    ]  # fmt: skip
    sources, actions, targets = (list(column) for column in zip(*rows))
    return Graph.from_edges(states, sources, actions, targets, action_names=("a", "b", "tau"))


@pytest.mark.parametrize("seed", range(6))
def test_deep_graphs(seed: int) -> None:
    random = Random(seed)
    graph = layers(random, random.choice([1, 2, 8]), random.choice([30, 200]))
    for divergence in (False, True):
        collapsed, history = branching_rounds(graph, Run(), divergence=divergence, choice="pure")
        pure, compiled = (by_bottom_states(graph, divergence, choice) for choice in ("pure", "compiled"))
        assert same_partition(pure, history.block[collapsed.component].tolist())
        assert pure == compiled


def test_a_hash_that_deceives_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A partition that is too coarse is not taken: the kernel is asked again with another seed."""
    graph = Graph.from_edges(4, [0, 1, 2], [0, 0, 1], [1, 2, 3], action_names=("tau", "a"))
    honest, seeds = kernels("branching.branching", 0, "pure"), []

    def coarsest_partition(*arguments: object) -> int:
        seeds.append(arguments[-1])
        number: int = honest.coarsest_partition(*arguments)
        if len(seeds) > 1:
            return number
        partition, firsts = (part for part in arguments[4:6] if isinstance(part, np.ndarray))
        partition[:], firsts[0] = 0, 0
        return 1

    deceived = SimpleNamespace(coarsest_partition=coarsest_partition)
    choose = minimise_classes.kernels
    monkeypatch.setattr(
        minimise_classes, "kernels", lambda name, *rest: deceived if name.startswith("branching") else choose(name, *rest)
    )
    small, class_of = branching_quotient(graph, Run(), divergence=False)
    assert seeds == [0, 1]
    assert small.states == 2
    assert class_of.tolist() == [0, 0, 0, 1]
