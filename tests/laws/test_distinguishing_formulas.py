"""What tells larger graphs apart, or shows that they are related, is confirmed by every relation.

Graphs of a dozen states and more are beyond the definitions, but not beyond the judges: every comparison here ends with confirmed
evidence, or the comparison raises. Formulas for all classes of a graph are judged in the same way.
"""

from __future__ import annotations

from random import Random

import pytest

from campaigns import blocks
from coarsest.lts.compare.compare_by_spectrum import compare_by_spectrum
from coarsest.lts.compare.compare_graphs import certify_graph, compare_graphs
from coarsest.lts.judge.confirm_graphs import confirm_graph
from coarsest.lts.labelled import Graph
from coarsest.lts.relations import BUILT_IN
from random_graph_pairs import changed_graph, random_larger_graph

BISIMULATIONS = [relation.name for relation in BUILT_IN if "bisimulation" in relation.name]
PAIRS = 12
"""In one block of the campaign."""


def pair_of_graphs(seed: int) -> tuple[Graph, Graph]:
    random = Random(seed)
    first = random_larger_graph(random)
    second = changed_graph(random, first) if random.random() < 0.6 else random_larger_graph(random)
    return first, changed_graph(random, second) if random.random() < 0.5 else second


@pytest.mark.parametrize("block", blocks(100, by_day=1))
@pytest.mark.parametrize("relation", BUILT_IN, ids=lambda relation: relation.name)
def test_evidence_is_confirmed(relation, block: int) -> None:
    answers = set()
    for seed in range(block * PAIRS, (block + 1) * PAIRS):
        first, second = pair_of_graphs(seed)
        for preorder in {False, relation.preorder}:
            found = compare_graphs(first, second, by=relation.name, preorder=preorder)
            assert found.confirmed
            answers.add(found.related)
    assert answers == {True, False}


@pytest.mark.parametrize("block", blocks(100, by_day=1))
@pytest.mark.parametrize("by", BISIMULATIONS)
def test_formulas_tell_all_classes_apart(by: str, block: int) -> None:
    for seed in range(block * PAIRS, (block + 1) * PAIRS):
        graph = random_larger_graph(Random(seed))
        outcome = confirm_graph(graph, certify_graph(graph, by=by, minimal=True))
        assert outcome.accepted, (seed, outcome.problem)


@pytest.mark.parametrize("block", blocks(100, by_day=1))
def test_the_spectrum_is_confirmed(block: int) -> None:
    for seed in range(block * PAIRS, block * PAIRS + 3):
        first, second = pair_of_graphs(seed)
        for row in compare_by_spectrum(first, second).rows:
            assert all(way.confirmed or way.below is None or way.reason for way in row.ways), (seed, row.notion.name)
