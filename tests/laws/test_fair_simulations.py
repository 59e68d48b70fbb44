"""Fair simulations agree with the definitions on random graphs, kernels with their twins, and every answer has evidence."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from campaigns import blocks
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.fair import FairGraph
from coarsest.lts.games.simulation_game import fair_side_by_side, simulated_pairs
from coarsest.lts.labelled import Graph
from coarsest.lts.language.fair_inclusion import FairAnswers
from coarsest.run import Limits, Run
from oracles import fair_simulations as oracle
from random_fair_graphs import random_fair_graph

SEEDS = range(60)
CAMPAIGN = range(1000, 2000)


def pairs_of(fair: FairGraph, by: str, choice: str = "pure") -> set[oracle.Pair]:
    return {(int(p), int(q)) for p, q in np.argwhere(simulated_pairs(by, fair, Run(), choice=choice))}


def check_relation(seed: int, *, states: int = 6) -> int:
    fair = random_fair_graph(Random(seed), states=states)
    related = {by: pairs_of(fair, by) for by in oracle.GAMES}
    assert related == {by: definition(fair) for by, definition in oracle.GAMES.items()}
    assert related["direct"] <= related["delay"] <= related["game"]
    return len(related["direct"]) < len(related["delay"]) or len(related["delay"]) < len(related["game"])


def test_relations_by_definition() -> None:
    assert sum(check_relation(seed) for seed in SEEDS) > 5


@pytest.mark.nightly
def test_relations_by_definition_campaign() -> None:
    for seed in CAMPAIGN:
        check_relation(seed, states=8)


def pair_of_graphs(seed: int) -> tuple[FairGraph, FairGraph]:
    random = Random(seed)
    first = random_fair_graph(random, states=4)
    return first, random_fair_graph(random, states=4) if random.random() < 0.8 else first


def check_comparison(seed: int) -> dict[str, bool]:
    """What is related, each confirmed by the judge, which `compare_graphs` asks."""
    first, second = pair_of_graphs(seed)
    both = fair_side_by_side(oracle.staying(first), oracle.staying(second))
    sides = [first.graph.initial.tolist(), (second.graph.initial + first.graph.states).tolist()]
    answers = {}
    for by, definition in oracle.RELATIONS.items():
        relation = definition(both)
        below = [all(any((p, q) in relation for q in others) for p in ones) for ones, others in (sides, sides[::-1])]
        for preorder, expected in ((True, below[0]), (False, all(below))):
            answer = compare_graphs(first, second, by=by, preorder=preorder)
            assert answer.related == expected
            assert answer.evidence is not None
            assert answer.confirmed
        answers[by] = below[0]
    chain = [*(answers[by] for by in oracle.RELATIONS), oracle.language_included(both, *sides)]
    assert chain == sorted(chain), "each is coarser than the one before, and language inclusion is the coarsest"
    return answers


def test_comparisons_are_confirmed() -> None:
    answers = [check_comparison(seed) for seed in SEEDS]
    for by in oracle.RELATIONS:
        assert 10 < sum(answer[by] for answer in answers) < 50


@pytest.mark.nightly
def test_comparisons_are_confirmed_campaign() -> None:
    for seed in CAMPAIGN:
        check_comparison(seed)


@pytest.mark.parametrize("by", oracle.GAMES)
@pytest.mark.parametrize("block", blocks(3, by_day=1))
def test_kernels_and_twins(by: str, block: int) -> None:
    for seed in range(block * 7, block * 7 + 7):
        fair = random_fair_graph(Random(seed), states=12)
        assert pairs_of(fair, by, "compiled") == pairs_of(fair, by, "pure")


def check_exists(seed: int, *, states: int) -> int:
    """Also for states of one graph; gives how deep the lassos rely on one another."""
    fair = random_fair_graph(Random(seed), states=states)
    every = range(fair.graph.states)
    related, lassos = FairAnswers(fair, every, every, Run()).related()
    pairs = {(int(p), int(q)) for p, q in np.argwhere(related)}
    assert pairs == oracle.exists(fair)
    assert pairs_of(fair, "game") <= pairs
    return max((lasso.level for lasso in lassos), default=0)


def test_exists_by_definition() -> None:
    assert {check_exists(seed, states=4) for seed in SEEDS} >= {0, 1}
    assert min(check_exists(seed, states=5) for seed in (787, 956)) >= 2


def test_one_lasso_without_an_answer_is_looked_for_before_all_loops() -> None:
    """Loops of sixty states are too many to be looked at, but the first actions differ."""
    random = Random(1)
    rows = [(0, "a", 1)] + [(state, random.choice("ab"), random.randrange(1, 60)) for state in range(1, 60) for _ in "xy"]
    first, second = (
        Graph.from_edges(
            60, [row[0] for row in rows], [place, *("ab".index(row[1]) for row in rows[1:])], [row[2] for row in rows],
            action_names=("a", "b", "c"),
        )
        for place in (0, 2)
    )  # fmt: skip
    assert not compare_graphs(first, second, by="exists", run=Run(Limits(steps=300))).related


@pytest.mark.nightly
def test_exists_by_definition_campaign() -> None:
    for seed in CAMPAIGN:
        check_exists(seed, states=4)
