"""Certificates of weak relations that are wrong are rejected: forged ones, and those of other relations."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from coarsest.logic.modal.parse_modal import parse
from coarsest.lts.certificates import InclusionCertificate, PartitionCertificate, SimulationCertificate
from coarsest.lts.compare.compare_graphs import certify_graph, compare_graphs
from coarsest.lts.judge.confirm_graphs import confirm_comparison, confirm_graph
from coarsest.lts.judge.forms import sees_too_much
from coarsest.lts.labelled import Graph
from coarsest.lts.union import side_by_side
from coarsest.text import Source
from oracles import weak_relations as oracle
from oracles.failures import Refinement
from random_graph_pairs import changed_graph, random_silent_graph

NAMES = ("i", "a", "b", "c")


def graph_of(states: int, *rows: tuple[int, str, int]) -> Graph:
    sources, actions, targets = zip(*rows)
    return Graph.from_edges(states, sources, [NAMES.index(action) for action in actions], targets, action_names=NAMES)


CHOICE = graph_of(4, (0, "i", 1), (0, "i", 2), (1, "a", 3), (2, "b", 3))
OTHER = graph_of(2, (0, "c", 1))


@pytest.mark.parametrize(
    ("relation", "simulation"),
    [("weak-traces", "weak-simulation"), ("weak-failures", "weak-failures"), ("impossible-futures", "coupled-simulation")],
)
def test_silent_steps_bring_no_progress(relation: str, simulation: str) -> None:
    """Both ways out of the first state are below it, so that a claim about it seems to follow from itself: τ.a + τ.b is not c."""
    above = np.eye(6, dtype=np.bool_)
    above[1, 0] = above[2, 0] = above[3, :] = above[5, :] = relation == "weak-traces"
    above[3, 3] = above[5, 5] = True
    claim = SimulationCertificate(simulation, np.arange(6), above, preorder=True)
    pairs = ((0, (4,)), (1, (4,)), (2, (4,)))
    for some in (pairs[:1], pairs):
        forged = InclusionCertificate(relation, claim, (some,), preorder=True)
        assert not confirm_comparison(CHOICE, OTHER, forged).accepted


def test_a_silent_step_to_the_end_is_an_impossible_future() -> None:
    """After b b the first may have ended; the second goes on, and only stops after an odd number of b."""
    first = Graph.from_edges(2, [1, 1], [1, 0], [1, 0], action_names=("i", "b"), initial=[0, 1])
    second = Graph.from_edges(3, [1, 1, 2, 2], [1, 0, 1, 0], [2, 1, 1, 0], action_names=("i", "b"), initial=[0, 1])
    comparison = compare_graphs(first, second, by="impossible-futures", preorder=True)
    assert str(comparison.difference.formula) == "<<b>><<b>><<i>>[[b]]false"  # type: ignore[union-attr]


def test_what_diverges_answers_with_any_label() -> None:
    """The b that leads to a label q again is answered by one that leads to a divergence, which has the label p."""
    first = Graph.from_edges(2, [0, 1], [1, 0], [0, 1], action_names=("i", "b"), labels=[1, 0], label_names=("p", "q"))
    second = Graph.from_edges(2, [0, 1], [1, 0], [1, 1], action_names=("i", "b"), labels=[1, 0], label_names=("p", "q"))
    assert compare_graphs(first, second, by="failures-divergence", preorder=True).related
    comparison = compare_graphs(second, first, by="failures-divergence", preorder=True)
    assert "diverges(true)" in str(comparison.difference.formula)  # type: ignore[union-attr]


def test_a_formula_about_divergence_names_no_label_that_is_not_there() -> None:
    """After b the first diverges in p, and might do anything, but it is in no state with the label q."""
    first = Graph.from_edges(2, [0, 1], [1, 0], [1, 1], action_names=("i", "b"), labels=[1, 0], label_names=("p", "q"))
    second = Graph.from_edges(2, [0], [1], [1], action_names=("i", "b"), labels=[1, 0], label_names=("p", "q"))
    comparison = compare_graphs(first, second, by="failures-divergence", preorder=True)
    assert str(comparison.difference.formula) == 'label "q" & <<b>><<i>>diverges(true)'  # type: ignore[union-attr]


def test_tampered_partitions() -> None:
    """Whatever partition is accepted consists of related states."""
    accepted = 0
    for seed in range(60):
        random = Random(seed)
        graph = random_silent_graph(random, states=6)
        for by in ("weak-bisimulation", "weak-bisimulation-divergence"):
            certificate = certify_graph(graph, by=by)
            assert isinstance(certificate, PartitionCertificate)
            relation = oracle.weak_bisimulation(graph, divergence=by.endswith("divergence"))
            for _ in range(6):
                blocks = certificate.blocks.copy()
                blocks[random.randrange(len(blocks))] = random.choice(blocks.tolist())
                blocks = np.unique(blocks, return_inverse=True)[1].reshape(-1)
                if confirm_graph(graph, PartitionCertificate(by, blocks)).accepted:
                    accepted += 1
                    pairs = [(s, t) for s in range(graph.states) for t in range(graph.states) if blocks[s] == blocks[t]]
                    assert all(pair in relation for pair in pairs), (seed, by)
    assert accepted > 50


@pytest.mark.parametrize("by", ["weak-simulation", "coupled-simulation"])
def test_tampered_simulations(by: str) -> None:
    accepted = 0
    for seed in range(60):
        random = Random(seed)
        graph = random_silent_graph(random, states=5)
        relation = (oracle.weak_simulation if by == "weak-simulation" else oracle.coupled_simulation)(graph)
        for _ in range(6):
            above = np.eye(graph.states, dtype=np.bool_)
            for s, t in relation:
                above[s, t] |= random.random() < 0.8
            above[random.randrange(graph.states), random.randrange(graph.states)] = True
            if confirm_graph(graph, SimulationCertificate(by, np.arange(graph.states), above, preorder=False)).accepted:
                accepted += 1
                assert all((s, t) in relation for s, t in np.argwhere(above).tolist()), (seed, by)
    assert accepted > 50


@pytest.mark.parametrize("by", ["weak-traces", "failures", "weak-failures", "failures-divergence", "impossible-futures"])
def test_certificates_for_another_graph(by: str) -> None:
    """The evidence about one pair of graphs is not evidence about another, unless they are related, too."""
    accepted = 0
    for seed in range(150):
        random = Random(seed)
        first = random_silent_graph(random, states=4)
        second = changed_graph(random, first)
        third = random_silent_graph(random, states=5)
        certificate = compare_graphs(first, second, by=by, preorder=True).certificate
        if not isinstance(certificate, InclusionCertificate) or third.states != second.states:
            continue
        if random.random() < 0.5:
            certificate = replace(certificate, ways=(certificate.ways[0][1:],))
        for other in (second, third):
            if confirm_comparison(first, other, certificate).accepted:
                accepted += 1
                both = side_by_side(first, other)
                initial = both.initial.tolist()
                sides = {s for s in initial if s < first.states}, {s for s in initial if s >= first.states}
                refinement = Refinement(both, weak=by != "failures")
                assert refinement.traces_included(*sides, 4)
                if by == "impossible-futures":
                    assert refinement.futures_included(*sides, 3)
                elif by != "weak-traces":
                    assert refinement.failures_included(*sides, 4, divergence=by == "failures-divergence")
    assert accepted > 3


WRONG = {
    "weak-bisimulation": ["<a>true", "<<a>><b>true", "<<a>>[[b]]false", "diverges(true)", "(<<a>>true U <b>true)"],
    "weak-bisimulation-divergence": ["diverges([[a]]false)", "<i>true"],
    "coupled-simulation": ["[[a]]false", "<<a>><<i>>([[b]]false & <<c>>true)", "<a>true"],
    "weak-simulation": ["<<i>>[[a]]false"],
    "weak-traces": ["<<a>><<i>>(<<b>>true & <<c>>true)", "<a>true"],
    "simulation": ["[a]false"],
    "traces": ["<a>(<b>true & <c>true)", "<<a>>true"],
    "failures": ["<a>([b]false & <c>true)", "<a>[b]<c>true"],
    "weak-failures": ["<<a>><<i>>[b]false", "[i]false & [a]false", "<<i>>diverges(true)"],
    "failures-divergence": ["<<i>>diverges(<<a>>true)", "<<a>><<i>>[b]false"],
    "impossible-futures": ["<<a>><<i>>[[b]]<<c>>true", "[[a]]false", "<<i>>(<<a>>true & [[b]]false)"],
}
RIGHT = {
    "weak-bisimulation": ["[[a]][[i]]<<b>>true", "<<a>><<i>>[[b]]false"],
    "weak-bisimulation-divergence": ["diverges(<<i>>[[a]]false)"],
    "coupled-simulation": ["<<a>><<i>>[[b]]false", "<<i>>([[a]]false & [[b]]false)", "<<a>><<i>>(<<b>>true & <<c>>true)"],
    "weak-failures": ["<<a>><<i>>([i]false & [b]false)", "<<i>>[i]false", "<<a>><<b>>true"],
    "failures": ["<a>([b]false & [c]false)", "[a]false"],
    "failures-divergence": ["<<a>><<i>>diverges(true)"],
    "impossible-futures": ["<<a>><<i>>([[b]][[c]]false & [[c]]false)"],
}


def test_formulas_that_see_too_much_show_nothing() -> None:
    for relation, texts in WRONG.items():
        for text in texts:
            assert sees_too_much(relation, parse(Source("", text))), (relation, text)
    for relation, texts in RIGHT.items():
        for text in texts:
            assert not sees_too_much(relation, parse(Source("", text))), (relation, text)
