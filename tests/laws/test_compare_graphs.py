"""Comparing graphs agrees with the definitions on random graphs; formulas have the least depth; all evidence is confirmed."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from coarsest.logic.modal.hennessy_milner import show
from coarsest.logic.modal.parse_modal import parse
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.judge.hennessy_milner import FormulaChecker
from coarsest.lts.labelled import Graph
from coarsest.lts.union import side_by_side
from coarsest.text import Source
from oracles import graph_relations as oracle
from random_graph_pairs import changed_graph, random_silent_graph

SEEDS = range(200)
CAMPAIGN = range(1000, 3000)


def pair_of_graphs(seed: int) -> tuple[Graph, Graph, Graph, list[int], list[int]]:
    """Two graphs, both side by side, and the initial states of each."""
    random = Random(seed)
    first = random_silent_graph(random)
    second = changed_graph(random, first) if random.random() < 0.7 else random_silent_graph(random)
    both = side_by_side(first, second)
    initial = both.initial.tolist()
    return first, second, both, [s for s in initial if s < first.states], [s for s in initial if s >= first.states]


def matched(relation: set[oracle.Pair], ones: list[int], others: list[int]) -> bool:
    return all(any((s, t) in relation for t in others) for s in ones)


def least_depth(levels: list[set[oracle.Pair]], ones: list[int], others: list[int]) -> int:
    """The first level on which some state has no partner."""
    return next(depth for depth, relation in enumerate(levels) if not matched(relation, ones, others))


def confirm_formula(first: Graph, second: Graph, formula, true_in: int) -> None:
    assert parse(Source("", show(formula))) == formula
    assert FormulaChecker(first).holds(formula) == (true_in == 0)
    assert FormulaChecker(second).holds(formula) == (true_in == 1)


def check_bisimulation(seed: int) -> bool:
    first, second, both, ones, others = pair_of_graphs(seed)
    levels = oracle.bisimulation_levels(both)
    expected = matched(levels[-1], ones, others) and matched(levels[-1], others, ones)
    found = compare_graphs(first, second)
    assert found.related == expected
    if found.difference is not None:
        confirm_formula(first, second, found.difference.formula, found.difference.true_in)
        depths = [least_depth(levels, *sides) for sides in ((ones, others), (others, ones)) if not matched(levels[-1], *sides)]
        assert found.difference.formula.depth == min(depths)
    return found.related


def test_bisimulation() -> None:
    assert 20 < sum(check_bisimulation(seed) for seed in SEEDS) < 180


@pytest.mark.nightly
def test_bisimulation_campaign() -> None:
    for seed in CAMPAIGN:
        check_bisimulation(seed)


def check_simulation(seed: int, *, by: str) -> bool:
    first, second, both, ones, others = pair_of_graphs(seed)
    ready, finite = by == "ready-simulation", by == "finite-simulation"
    levels = oracle.ready_simulation_levels(both) if ready else oracle.simulation_levels(both, finite=finite)
    below = [matched(levels[-1], *sides) for sides in ((ones, others), (others, ones))]
    for preorder, expected in ((True, below[0]), (False, all(below))):
        found = compare_graphs(first, second, by=by, preorder=preorder)
        assert found.related == expected
        if found.difference is None:
            continue
        confirm_formula(first, second, found.difference.formula, found.difference.true_in)
        if not ready:
            assert all(node.kind != "not" for node in found.difference.formula.nodes)
            ways = ((ones, others), (others, ones))[: 1 if preorder else 2]
            depths = [least_depth(levels, *sides) for sides in ways if not matched(levels[-1], *sides)]
            assert found.difference.formula.depth == min(depths)
    return all(below)


def check_branching(seed: int) -> bool:
    first, second, both, ones, others = pair_of_graphs(seed)
    relation = oracle.branching_bisimulation(both)
    found = compare_graphs(first, second, by="branching-bisimulation")
    assert found.related == (matched(relation, ones, others) and matched(relation, others, ones))
    if found.difference is not None:
        confirm_formula(first, second, found.difference.formula, found.difference.true_in)
    finer = compare_graphs(first, second, by="branching-bisimulation-divergence")
    assert found.related or not finer.related
    if finer.difference is not None:
        confirm_formula(first, second, finer.difference.formula, finer.difference.true_in)
    if both.states <= 7:
        blocks = oracle.divergence_preserving_partition(both)
        assert finer.related == ({blocks[s] for s in ones} == {blocks[s] for s in others})
    return found.related


def check_traces(seed: int) -> bool:
    first, second, both, ones, others = pair_of_graphs(seed)
    missing = [oracle.shortest_trace_not_included(both, *sides) for sides in ((ones, others), (others, ones))]
    for preorder, words in ((True, missing[:1]), (False, missing)):
        found = compare_graphs(first, second, by="traces", preorder=preorder)
        lengths = [len(word) for word in words if word is not None]
        assert found.related == (not lengths)
        if found.difference is not None:
            confirm_formula(first, second, found.difference.formula, found.difference.true_in)
            assert found.difference.trace is not None
            assert len(found.difference.trace) == min(lengths)
    return missing == [None, None]


CHECKS = {
    "simulation": partial(check_simulation, by="simulation"),
    "finite-simulation": partial(check_simulation, by="finite-simulation"),
    "ready-simulation": partial(check_simulation, by="ready-simulation"),
    "branching": check_branching,
    "traces": check_traces,
}


@pytest.mark.parametrize("name", CHECKS)
def test_relation(name: str) -> None:
    assert 20 < sum(CHECKS[name](seed) for seed in SEEDS) < 190


@pytest.mark.nightly
@pytest.mark.parametrize("name", CHECKS)
def test_relation_campaign(name: str) -> None:
    for seed in CAMPAIGN:
        CHECKS[name](seed)
