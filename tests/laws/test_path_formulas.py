"""Where exists simulation tells structures apart, a formula of ECTL* does, too (Bustan 2002, section 4.3.1)."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

import coarsest
from coarsest.api.comparing.path_formulas import checked_path_formula
from coarsest.experiments.bustan_fair_structures import random_structure, structure
from coarsest.lts.certificates import LassoCertificate
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.fair import FairGraph
from coarsest.lts.labelled import Graph
from coarsest.run import Run


def begun_in(fair: FairGraph, state: int) -> FairGraph:
    graph = fair.graph
    initial = np.array([state])
    return FairGraph(Graph(graph.offsets, graph.actions, graph.targets, initial, graph.labels, graph.action_names,
                           graph.label_names), fair.fairness)  # fmt: skip


def level_of_formula(first: FairGraph, second: FairGraph) -> int | None:
    """The level of the lassos, if the structures are not related; then there must be a formula, on the lowest levels."""
    answer = compare_graphs(first, second, by="exists", preorder=True)
    if answer.related:
        return None
    assert isinstance(answer.refutation, LassoCertificate)
    formula = checked_path_formula(first, second, answer.refutation, Run())
    level = max((lasso.level for lasso in answer.refutation.lassos), default=0)
    assert formula is not None or level > 1
    return level if formula is not None else -1


def test_formulas_on_the_lowest_levels() -> None:
    levels = []
    for seed in range(12):
        random = Random(seed)
        levels.append(level_of_formula(random_structure(random, 5), random_structure(random, 5)))
    assert {None, 0, 1} <= set(levels)


@pytest.mark.parametrize("seed", [17, 29])
def test_formulas_in_formulas(seed: int) -> None:
    """Some states of these are told apart on the second level only."""
    fair = random_structure(Random(seed), 8)
    states = range(fair.graph.states)
    labels = fair.graph.labels
    levels = {level_of_formula(begun_in(fair, s), begun_in(fair, t)) for s in states for t in states if labels[s] == labels[t]}
    assert 2 in levels


@pytest.mark.nightly
def test_formulas_campaign() -> None:
    levels: Counter[int | None] = Counter()
    for seed in range(80):
        fair = random_structure(Random(seed), 8)
        states, labels = range(fair.graph.states), fair.graph.labels
        pairs = [(s, t) for s in states for t in states if labels[s] == labels[t]]
        levels.update(level_of_formula(begun_in(fair, s), begun_in(fair, t)) for s, t in pairs)
    assert levels[2] > levels[-1]


def test_a_formula_about_a_word() -> None:
    """There is a fair path of a and b in turn; the other structure has a fair path of a alone."""
    first, second = structure("ab", "01 10", "0"), structure("ab", "00 01 11", "0")
    answer = coarsest.compare(first, second, by="exists", preorder=True)
    assert answer.path_formula == (
        '(label "a" & E ((label "a" & X label "b") & G ((label "a" & X label "b") | (label "b" & X label "a"))))'
    )


def test_models() -> None:
    text = "MODULE main VAR x : boolean; {more}"
    free, fair = (coarsest.loads(text.format(more=more)) for more in ("", "FAIRNESS x"))
    answer = coarsest.compare(free, fair, by="exists", preorder=True, observe=["x"])
    assert not answer.related and answer.confirmed
    assert answer.path_formula == '(label "!x" & E (G (label "!x")))'  # and not one that takes another step first
    assert coarsest.compare(fair, free, by="game", preorder=True, observe=["x"]).related
    assert not coarsest.compare(free, fair, by="game", observe=["x"]).related
