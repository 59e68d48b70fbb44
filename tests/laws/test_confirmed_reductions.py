"""Every reduction of a random graph is confirmed, with and without what cannot be reached; a wrong one is not."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from campaigns import blocks
from coarsest.api.graph import Graph as PublicGraph
from coarsest.api.graph import minimise_by
from coarsest.errors import EvidenceRejected, InputError
from coarsest.lts.compare.confirm_reduction import confirm_reduction
from coarsest.lts.labelled import Graph
from coarsest.lts.relations import names
from random_graph_pairs import random_silent_graph

SEEDS = range(100)


@pytest.mark.parametrize("by", names(reducing=True))
@pytest.mark.parametrize("block", blocks(3, by_day=1))
def test_confirmed(by: str, block: int) -> None:
    for seed in SEEDS[block::3]:
        graph = random_silent_graph(Random(seed), states=12)
        for keep in (False, True):
            assert confirm_reduction(graph, minimise_by(by, graph, keep_unreachable=keep))


def changed(random: Random, graph: Graph) -> Graph:
    """A transition less, or an initial state less."""
    kept = np.ones(graph.transitions, dtype=np.bool_)
    initial = graph.initial
    if graph.transitions and random.random() < 0.7:
        kept[random.randrange(graph.transitions)] = False
    else:
        initial = initial[1:]
    return Graph.from_edges(
        graph.states, graph.sources[kept], graph.actions[kept], graph.targets[kept], initial=initial, labels=graph.labels,
        action_names=graph.action_names, label_names=graph.label_names,
    )  # fmt: skip


NOT_SMALLEST = {"coupled-simulation", "weak-simulation"}
"""There, states are merged, but a transition may be left that is not needed."""
SMALLEST_WITH_ONE_LABEL = {"weak-traces"}


@pytest.mark.parametrize("by", [by for by in names(reducing=True) if by not in NOT_SMALLEST])
def test_wrong_quotients_are_rejected(by: str) -> None:
    """What is smallest is not related to what has less."""
    for seed in SEEDS:
        random = Random(seed)
        graph = random_silent_graph(random, states=12)
        if by in SMALLEST_WITH_ONE_LABEL and len(graph.label_names) > 1:
            continue
        found = minimise_by(by, graph)
        wrong: Any = SimpleNamespace(
            graph=changed(random, found.graph), state_of=found.state_of, relation=by, claim=found.claim
        )
        with pytest.raises(EvidenceRejected):
            confirm_reduction(graph, wrong)


def test_states_must_not_be_lost() -> None:
    graph = Graph.from_edges(3, [0, 0], [0, 0], [1, 2])
    for state_of in ([0, -1, -1], [-1, 0, 0]):
        lost: Any = SimpleNamespace(
            graph=Graph.from_edges(1, [], [], []), state_of=np.array(state_of), relation="bisimulation", claim=None
        )
        with pytest.raises(EvidenceRejected, match="missing"):
            confirm_reduction(graph, lost)


def test_as_much_as_is_asked_for() -> None:
    graph = PublicGraph.from_edges(2, [0], [0], [1])
    assert all(graph.reduce(confirm=when).confirmed for when in ("auto", "always", True))
    assert not any(graph.reduce(confirm=when).confirmed for when in ("never", False))
    with pytest.raises(InputError, match="sometimes"):
        graph.reduce(confirm="sometimes")
    states = np.arange(100_002)
    chain = PublicGraph.from_edges(100_002, states[:-1], np.zeros(100_001, dtype=np.int64), states[1:])
    assert not chain.reduce().confirmed
    assert not chain.reduce(confirm=True).confirmed  # short for `auto`, as everywhere
    assert chain.reduce(confirm="always").confirmed
