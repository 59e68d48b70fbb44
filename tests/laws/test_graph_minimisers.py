"""Algorithms for classes of graphs agree with the definition, each other and their twins; quotients are canonical."""

from random import Random

import numpy as np
import pytest

from coarsest.errors import LimitExceeded
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise import refiners
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.minimise import minimise
from coarsest.run import Limits, Run
from oracles.graph_relations import bisimulation_levels
from random_labelled_graphs import random_labelled_graph, renumbered

WAYS = [(algorithm, choice) for algorithm in ("signatures", "valmari", "auto", "rounds") for choice in ("pure", "compiled")]


def agrees_with_the_definition(seed: int) -> None:
    graph = random_labelled_graph(Random(seed))
    related = bisimulation_levels(graph)[-1]
    expected = [min(t for t in range(graph.states) if (s, t) in related) for s in range(graph.states)]
    for algorithm, choice in WAYS:
        found = bisimulation_classes(graph, algorithm=algorithm, choice=choice)
        firsts = [found.class_of.tolist().index(number) for number in found.class_of.tolist()]
        assert firsts == expected, (seed, algorithm, choice)
        assert found.number == len(set(expected))


def is_canonical(seed: int, *, states: int = 8) -> None:
    random = Random(seed)
    graph = random_labelled_graph(random, states=states)
    keep = random.random() < 0.2
    small = minimise(graph, keep_unreachable=keep, choice=random.choice(["pure", "compiled"])).graph
    assert small.states <= graph.states
    assert small.transitions <= graph.transitions
    again = minimise(small, keep_unreachable=keep, choice="compiled").graph
    assert as_lists(again) == as_lists(small), seed
    if not keep:
        other = minimise(renumbered(graph, random), choice=random.choice(["pure", "compiled"])).graph
        assert as_lists(other) == as_lists(small), seed


def behaves_alike(seed: int) -> None:
    """Side by side, each state and what stands for it are related by the definition; every state is reached."""
    graph = random_labelled_graph(Random(seed), states=6)
    found = minimise(graph)
    small = found.graph
    both = Graph.from_edges(
        graph.states + small.states,
        np.concatenate([graph.sources, small.sources + graph.states]),
        np.concatenate([[small.action_names.index(graph.action_names[a]) for a in graph.actions], small.actions]).astype(int),
        np.concatenate([graph.targets, small.targets + graph.states]),
        labels=[*([small.label_names.index(graph.label_names[label]) for label in graph.labels]), *small.labels],
        action_names=small.action_names,
        label_names=small.label_names,
    )
    related = bisimulation_levels(both)[-1]
    for state, there in enumerate(found.state_of.tolist()):
        assert there < 0 or (state, graph.states + there) in related, seed
    assert set(found.state_of[graph.initial].tolist()) == set(small.initial.tolist())
    reached = set(small.initial.tolist())
    for _ in range(small.states):
        reached |= {int(t) for s, t in zip(small.sources, small.targets) if s in reached}
    assert reached == set(range(small.states))


def as_lists(graph: Graph) -> tuple[object, ...]:
    parts = (graph.offsets, graph.actions, graph.targets, graph.initial, graph.labels)
    return (*(part.tolist() for part in parts), graph.action_names, graph.label_names)


@pytest.mark.parametrize("block", range(4))
def test_classes_are_those_of_the_definition(block: int) -> None:
    for seed in range(50 * block, 50 * (block + 1)):
        agrees_with_the_definition(seed)


def test_quotients_are_canonical() -> None:
    for seed in range(200):
        is_canonical(seed)
    for seed in range(30):
        is_canonical(seed, states=60)


def test_quotients_behave_like_the_original() -> None:
    for seed in range(60):
        behaves_alike(seed)


@pytest.mark.nightly
@pytest.mark.parametrize("block", range(20))
def test_classes_and_quotients_of_many_graphs(block: int) -> None:
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        agrees_with_the_definition(seed)
        is_canonical(seed, states=Random(seed).choice([8, 30, 300]))
        behaves_alike(seed)


def test_twins_agree_on_larger_graphs() -> None:
    for seed in range(25):
        graph = random_labelled_graph(Random(seed), states=2000)
        first, *others = (bisimulation_classes(graph, algorithm=a, choice=c) for a, c in WAYS)
        for other in others:
            assert np.array_equal(first.class_of, other.class_of)
            assert np.array_equal(first.targets, other.targets)


def two_hubs(spokes: int) -> Graph:
    """A chain that ends in a loop, and four states, the first two and the last two, with transitions to all of it: pairs that
    are alike, so that every split of the chain concerns them, before the rest of the chain or after it."""
    chain = np.arange(2, spokes + 2)
    hubs = [0, 1, spokes + 2, spokes + 3]
    sources = np.concatenate([np.repeat(hubs, spokes), chain, [spokes + 1, 0, 1]])
    targets = np.concatenate([np.tile(chain, 4), np.minimum(chain + 1, spokes + 1), [spokes + 1, 2, 2]])
    actions = np.concatenate([np.zeros(5 * spokes, dtype=int), [1, 1, 1]])
    return Graph.from_edges(spokes + 4, sources, actions, targets, action_names=("a", "b"))


@pytest.mark.parametrize("choice", ["pure", "compiled"])
def test_where_signatures_take_too_long_another_algorithm_goes_on(choice: str) -> None:
    graph = two_hubs(400)
    found = bisimulation_classes(graph, choice=choice)
    assert found.algorithm == "valmari"
    assert found.number == graph.states - 2
    assert found.work < 100 * graph.transitions
    assert bisimulation_classes(graph, algorithm="signatures", choice=choice).work > 120 * graph.transitions


def test_a_partition_that_a_hash_left_too_coarse_is_found_and_refined_again(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_labelled_graph(Random(5), states=40)
    expected = bisimulation_classes(graph)
    seeds = []

    def deceived(name: str, transitions: int, choice: str = "auto") -> object:
        module = real(name, transitions, "pure")
        if name != "partition.signatures":
            return module

        class Deceived:
            @staticmethod
            def coarsest_partition(*arguments: object) -> int:
                seeds.append(arguments[-1])
                return module.coarsest_partition(*arguments) if arguments[-1] == 2 else int(graph.labels.max()) + 1

        return Deceived

    real = refiners.kernels
    monkeypatch.setattr(refiners, "kernels", deceived)
    found = bisimulation_classes(graph)
    assert seeds == [0, 1, 2]
    assert np.array_equal(found.class_of, expected.class_of)


@pytest.mark.parametrize("algorithm", ["signatures", "valmari"])
def test_limits_end_the_work(algorithm: str) -> None:
    graph = random_labelled_graph(Random(3), states=3000)
    with pytest.raises(LimitExceeded):
        bisimulation_classes(graph, algorithm=algorithm, run=Run(Limits(seconds=0.0)))
    steps: list[str] = []
    bisimulation_classes(graph, algorithm=algorithm, run=Run(listener=lambda event: steps.append(event.task)))
    assert steps[0] == algorithm
