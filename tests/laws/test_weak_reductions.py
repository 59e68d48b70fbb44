"""Graphs reduced by weak and coupled simulation and by traces, and the transformations: related, and nothing is left to do."""

from __future__ import annotations

from random import Random

import pytest

from coarsest.api.graph import Graph as PublicGraph
from coarsest.api.graph import minimise_by
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.labelled import Graph
from coarsest.lts.relations import TRANSFORMATIONS
from coarsest.lts.union import internal_action, tidied
from oracles.graph_relations import steps
from oracles.weak_relations import Weak
from random_graph_pairs import changed_graph, random_silent_graph

SEEDS = range(60)
BY = ("ready-simulation", "coupled-simulation", "weak-simulation", "traces", "weak-traces")
CANONICAL = ("ready-simulation", "traces", "weak-traces")


def content(graph: Graph) -> tuple[object, ...]:
    rows = zip(graph.sources.tolist(), [graph.action_names[a] for a in graph.actions.tolist()], graph.targets.tolist())
    return graph.states, sorted(rows), [graph.label_names[n] for n in graph.labels.tolist()], sorted(graph.initial.tolist())


@pytest.mark.parametrize("by", [*BY, *(one.name for one in TRANSFORMATIONS)])
def test_related_and_nothing_left_to_do(by: str) -> None:
    for seed in SEEDS:
        graph = random_silent_graph(Random(seed))
        small = minimise_by(by, graph)
        assert compare_graphs(graph, small.graph, by=small.relation).related
        assert content(minimise_by(by, small.graph).graph) == content(small.graph)


@pytest.mark.parametrize("by", CANONICAL)
def test_related_graphs_have_one_smallest_graph(by: str) -> None:
    related = 0
    for seed in SEEDS:
        random = Random(seed)
        graph = random_silent_graph(random)
        other = changed_graph(random, graph)
        same = content(minimise_by(by, graph).graph) == content(minimise_by(by, other).graph)
        assert same == compare_graphs(graph, other, by=by).related
        related += same
    assert 10 < related < len(SEEDS)


def test_results_are_deterministic() -> None:
    for seed in SEEDS:
        graph = random_silent_graph(Random(seed))
        for by in ("traces", "weak-traces", "determinise"):
            result = minimise_by(by, graph).graph
            keys = [
                (source, action, result.labels[target])
                for source, out in enumerate(steps(result))
                for action, target in out
                if action != "i" or by != "weak-traces"
            ]
            assert len(keys) == len(set(keys))
            if len(graph.label_names) == 1 and by == "weak-traces":
                assert not any(action == "i" for out in steps(result) for action, _ in out)


def test_silent_steps_are_closed_and_components_contracted() -> None:
    """After tau-star a state can do at once what it could do after silent steps; after tau-scc no silent cycle is left."""
    for seed in SEEDS:
        graph = tidied(random_silent_graph(Random(seed)))
        weak = Weak(graph)
        closed = minimise_by("tau-star", graph, keep_unreachable=True)
        if len(graph.label_names) == 1:
            for state in range(graph.states):
                able = {a for s in weak.silent[state] for a, _ in weak.steps[s]} - {"i"}
                assert {a for a, _ in steps(closed.graph)[int(closed.state_of[state])]} == able
        contracted = minimise_by("tau-scc", graph).graph
        if len(graph.label_names) == 1 and internal_action(contracted) >= 0:
            assert not Weak(contracted).cycles()


def test_sizes_grow_as_they_must() -> None:
    """The traces of words whose n-th letter from the end is a: n + 1 states, 2ⁿ sets of them and one (Meyer, Fischer 1971)."""
    n = 6
    rows = [(0, 0, 0), (0, 1, 0), (0, 0, 1), *((s, a, s + 1) for s in range(1, n) for a in (0, 1)), (n, 2, n)]
    graph = PublicGraph.from_edges(n + 1, *zip(*rows), action_names=("a", "b", "end"))
    assert graph.reduce(by="determinise").graph.states == 2**n + 1
    small = graph.reduce(by="traces")
    assert (small.graph.states, small.confirmed) == (2**n + 1, True)
