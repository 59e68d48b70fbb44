"""Simulation preorders from lists of states are those from matrices, and those of the definition."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.simulation.preorder_ranzato_tapparo import Preorder, simulation_preorder
from coarsest.lts.simulation.smallest_bustan_grumberg import minimise_by_simulation, without_little_brothers
from coarsest.lts.staying import name_of_staying, staying
from coarsest.lts.union import tidied
from coarsest.run import Run
from oracles import graph_relations as oracle
from random_graph_pairs import random_silent_graph


def related(order: Preorder) -> np.ndarray:
    """Which state is below which."""
    return order.matrix()[np.ix_(order.block, order.block)]


def random_graph(random: Random, states: int, transitions: int, actions: int, labels: int) -> Graph:
    """Some states have no transitions, some have transitions to themselves."""
    edges = [[random.randrange(most) for _ in range(transitions)] for most in (states, actions, states)]
    marks = [random.randrange(labels) for _ in range(states)]
    return tidied(
        Graph.from_edges(
            states, *edges, labels=marks, action_names=tuple("abcde"[:actions]), label_names=tuple("pqr"[:labels])
        )
    )


@pytest.fixture
def listing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have states listed from the beginning, however long the lists become."""
    monkeypatch.setattr("coarsest.tuning.LISTED_BLOCKS", 1)
    monkeypatch.setattr("coarsest.lts.simulation.preorder_by_lists.LISTED_PART", 1.0)
    monkeypatch.setattr("coarsest.tuning.KERNEL_WORK", 7)


@pytest.mark.usefixtures("listing")
@pytest.mark.parametrize("ready", [False, True])
def test_lists_have_what_the_definition_says(ready: bool) -> None:
    listed = 0
    for seed in range(150):
        graph = tidied(random_silent_graph(Random(seed), states=12))
        expected = (oracle.ready_simulation_levels(graph) if ready else oracle.simulation_levels(graph, finite=True))[-1]
        order = simulation_preorder(graph, Run(), ready=ready, choice="compiled")
        found = related(order)
        assert {(one, other) for one in range(graph.states) for other in range(graph.states) if found[one, other]} == expected
        assert all(order.below(one, other) == found[one, other] for one in range(graph.states) for other in range(graph.states))
        listed += order.listed is not None
    assert listed > 20


@pytest.mark.parametrize(("actions", "labels"), [(1, 1), (2, 1), (1, 3), (5, 2)])
@pytest.mark.parametrize("most", [30, 200])
def test_lists_and_matrices_agree_on_larger_graphs(
    actions: int, labels: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = 0
    for seed in range(6):
        random = Random(seed)
        graph = random_graph(random, 600, random.choice([900, 1500, 3000]), actions, labels)
        for one in (graph, staying(graph, name_of_staying(graph))):
            by_matrix = simulation_preorder(one, Run(), choice="compiled")
            assert by_matrix.listed is None
            with monkeypatch.context() as patch:
                patch.setattr("coarsest.tuning.LISTED_BLOCKS", most)
                patch.setattr("coarsest.lts.simulation.preorder_by_lists.LISTED_PART", 1.0)
                by_lists = simulation_preorder(one, Run(), choice="compiled")
            assert by_lists.blocks == by_matrix.blocks
            assert np.array_equal(related(by_lists), related(by_matrix))
            listed += by_lists.listed is not None
    assert listed > 3


def test_lists_that_become_long_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a chain, each state is below all that are further from its end."""
    graph = Graph.from_edges(300, range(299), [0] * 299, range(1, 300), action_names=("a",))
    monkeypatch.setattr("coarsest.tuning.LISTED_BLOCKS", 2)
    order = simulation_preorder(graph, Run(), choice="compiled")
    assert order.listed is None
    assert order.blocks == 300
    assert np.array_equal(related(order), np.tril(np.ones((300, 300), dtype=np.bool_)))


@pytest.mark.usefixtures("listing")
def test_little_brothers_by_lists_and_by_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(40):
        graph = random_graph(Random(seed), 40, 100, 2, 1)
        order = simulation_preorder(graph, Run(), choice="compiled")
        assert order.listed is not None
        classes, packed = merged(graph, order.block), Preorder(order.block, order.rows)
        forms = [(one, choice) for one in (order, packed) for choice in ("pure", "compiled")]
        ways = [without_little_brothers(classes, one, choice=choice) for one, choice in forms]
        assert len({(way.offsets.tobytes(), way.actions.tobytes(), way.targets.tobytes()) for way in ways}) == 1
        small = minimise_by_simulation(graph, choice="compiled").graph
        assert compare_graphs(graph, small, by="finite-simulation").related


@pytest.mark.usefixtures("listing")
def test_twins() -> None:
    """The kernels and their twins list the same."""
    from coarsest.lts.simulation.preorder_by_lists import listed_preorder
    from coarsest.lts.simulation.preorder_ranzato_tapparo import _first_relation, _groups

    same = 0
    for seed in range(60):
        graph = random_graph(Random(seed), 30, 70, 2, 2)
        block, above = _first_relation(graph, _groups(graph), ready=False)
        found = [listed_preorder(graph, block.copy(), above.copy(), Run(), choice) for choice in ("pure", "compiled")]
        assert [way is None for way in found] in ([True, True], [False, False])
        if found[0] is not None and found[1] is not None:
            orders = [Preorder(way[0], listed=way[1]) for way in found if way is not None]
            assert np.array_equal(*(related(order) for order in orders))
            same += 1
    assert same > 10
