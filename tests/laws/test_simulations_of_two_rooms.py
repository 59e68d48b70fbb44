"""Simulations of Büchi automata, by rows of bits, and of machines, by sets of pairs, are those of fair graphs, by games."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from coarsest._kernels.preorders.fair_simulations import delay_simulation, direct_simulation, unpacked
from coarsest.api.comparing.compare import compare
from coarsest.api.model import Model
from coarsest.automata.listed import ListedAutomaton
from coarsest.check.modular.fair_comparison import ON_PAIRS, below_on_pairs, look_of
from coarsest.errors import EvidenceRejected
from coarsest.evidence.play import Play
from coarsest.evidence.replay.plays import is_lost
from coarsest.logic.expr import Name
from coarsest.lts.fair import FairGraph
from coarsest.lts.games.simulation_game import simulated_pairs
from coarsest.lts.labelled import Graph
from coarsest.reduce.partition.observation import observe
from coarsest.run import Run
from random_buchi import some_buchi
from random_structures import random_structure


def as_fair_graph(buchi: ListedAutomaton) -> FairGraph:
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


def check_pairs(seed: int, by: str) -> bool:
    """Sets of pairs of states say what games between quotients do; who loses by steps alone is shown to, by replay."""
    random = Random(seed)
    total = seed % 3 > 0
    left = random_structure(random, "a", "p", total=total)
    right = random_structure(random, "b", "p", places=6, fair=0.7, total=total)
    seen = [observe(machine, [Name("p")]) for machine in (left, right)]
    by_pairs = below_on_pairs(seen[0], seen[1], by, Run())
    models = [Model(machine) for machine in (left, right)]
    by_games = compare(*models, by=by, preorder=True, observe=["p"], algorithm="quotients")
    assert by_pairs.below == by_games.related, seed
    if by_pairs.play is not None:
        look = look_of(seen[0], seen[1], by)
        assert is_lost(seen[0].machine, seen[1].machine, look, by_pairs.play)
        if by_pairs.play.answers:
            with pytest.raises(EvidenceRejected):
                is_lost(seen[0].machine, seen[1].machine, look, Play(by_pairs.play.states[:-1], by_pairs.play.answers[:-1]))
    return by_pairs.below


@pytest.mark.parametrize("by", ON_PAIRS)
def test_sets_of_pairs_agree_with_games(by: str) -> None:
    verdicts = [check_pairs(seed, by) for seed in range(50)]
    assert min(verdicts.count(True), verdicts.count(False)) >= 4


@pytest.mark.nightly
@pytest.mark.parametrize("by", ON_PAIRS)
def test_sets_of_pairs_campaign(by: str) -> None:
    for seed in range(1000, 2000):
        check_pairs(seed, by)
