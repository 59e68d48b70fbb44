"""Simulations of Büchi automata, by rows of bits, and of machines, by sets of pairs, are those of fair graphs, by games."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from coarsest.automata.listed import Listed
from coarsest.automata.shrink.simulations import delay_simulation, direct_simulation, unpacked
from coarsest.check.modular.refinement import refinement
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.fair import FairGraph
from coarsest.lts.games.simulation_game import simulated_pairs
from coarsest.lts.labelled import Graph
from coarsest.run import Run
from oracles.fair_simulation import Structure, structure_of
from random_buchi import some_buchi
from random_structures import random_structure


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


def listed(structure: Structure) -> FairGraph:
    states = list(structure.after)
    names = sorted(set(structure.label.values()), key=str)
    rows = [(states.index(s), states.index(t)) for s, targets in structure.after.items() for t in targets]
    sources, targets = zip(*rows) if rows else ((), ())
    graph = Graph.from_edges(
        len(states), sources, [0] * len(rows), targets, initial=[states.index(s) for s in structure.initial],
        labels=[names.index(structure.label[s]) for s in states], label_names=tuple(map(str, names)) or ("",),
    )  # fmt: skip
    return FairGraph(graph, tuple(np.array([s in members for s in states], dtype=np.bool_) for members in structure.fair))


@pytest.mark.parametrize("by", ["delay", "game"])
def test_sets_of_pairs_agree_with_games(by: str) -> None:
    verdicts = []
    for seed in range(40):
        random = Random(seed)
        sets = 1 if by == "delay" else 2
        left = random_structure(random, "a", "p", sets=sets)
        right = random_structure(random, "b", "p", places=6, fair=0.7, sets=sets)
        graphs = [listed(structure_of(machine, ("p",))) for machine in (left, right)]
        related = compare_graphs(graphs[0], graphs[1], by=by, preorder=True).related
        assert refinement(left, right, Run(), by=by).holds == related, seed
        verdicts.append(related)
    assert min(verdicts.count(True), verdicts.count(False)) >= 4
