"""Simulations of Büchi automata, by rows of bits, are those of fair graphs, by games: two ways that share no code."""

from __future__ import annotations

import numpy as np
import pytest

from coarsest.automata.listed import Listed
from coarsest.automata.shrink.simulations import delay_simulation, direct_simulation, unpacked
from coarsest.lts.fair import FairGraph
from coarsest.lts.games.simulation_game import simulated_pairs
from coarsest.lts.labelled import Graph
from coarsest.run import Run
from random_buchi import some_buchi


def as_fair_graph(buchi: Listed) -> FairGraph:
    graph = Graph.from_edges(
        buchi.states, buchi.sources, buchi.letters, buchi.targets, initial=np.flatnonzero(buchi.initial),
        action_names=tuple(f"letter {number}" for number in range(len(buchi.guards))),
    )  # fmt: skip
    return FairGraph(graph, (buchi.accepting,))


@pytest.mark.parametrize("by", ["direct", "delay"])
def test_rows_of_bits_agree_with_games(by: str) -> None:
    random = np.random.default_rng(7)
    simulate = direct_simulation if by == "direct" else delay_simulation
    related = 0
    for _ in range(150):
        buchi = some_buchi(random, most=9)
        by_rows = unpacked(simulate(buchi, Run()), buchi.states)
        by_games = simulated_pairs(by, as_fair_graph(buchi), Run())
        assert by_rows.tolist() == by_games.tolist()
        related += int(by_rows.sum()) - buchi.states
    assert related > 500
