"""Weak bisimulation agrees with the definition on random graphs, and there is one smallest graph; evidence is confirmed."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from coarsest.api.graph import minimise_by
from coarsest.lts.compare.compare_graphs import certify_graph, compare_graphs
from coarsest.lts.judge.confirm_graphs import confirm_graph
from coarsest.lts.labelled import Graph
from coarsest.lts.rounds.signatures_blom_orzan import refine_by_signatures
from coarsest.lts.union import internal_action, side_by_side, tidied
from coarsest.lts.weak import rounds_of_weak_signatures
from coarsest.lts.weak.rounds_of_weak_signatures import weak_rounds
from coarsest.lts.weak.saturated import branching_classes, weak_transitions
from coarsest.lts.weak.weak_bisimulation import essential_transitions, minimise_by_weak_bisimulation, weak_classes
from coarsest.run import Run
from oracles import graph_relations
from oracles import weak_relations as oracle
from random_graph_pairs import changed_graph, random_silent_graph

BY = ("weak-bisimulation", "weak-bisimulation-divergence")
BRANCHING = ("branching-bisimulation", "branching-bisimulation-divergence")
SEEDS = range(100)
CAMPAIGN = range(1000, 3000)


def related_by(relation: set[oracle.Pair], both: Graph, states: int) -> bool:
    initial = both.initial.tolist()
    ones, others = [s for s in initial if s < states], [s for s in initial if s >= states]
    return all(any((s, t) in relation for t in others) for s in ones) and all(
        any((s, t) in relation for t in ones) for s in others
    )


def content(graph: Graph) -> tuple[object, ...]:
    rows = zip(graph.sources.tolist(), [graph.action_names[a] for a in graph.actions.tolist()], graph.targets.tolist())
    return graph.states, sorted(rows), [graph.label_names[n] for n in graph.labels.tolist()], sorted(graph.initial.tolist())


def check(seed: int, by: str) -> bool:
    random = Random(seed)
    first = random_silent_graph(random, states=6)
    second = changed_graph(random, first) if random.random() < 0.6 else random_silent_graph(random, states=6)
    both = side_by_side(first, second)
    relation = oracle.weak_bisimulation(both, divergence=by.endswith("divergence"))
    found = compare_graphs(first, second, by=by)
    assert found.related == related_by(relation, both, first.states)
    block = weak_classes(both, Run(), divergence=by.endswith("divergence")).block.tolist()
    assert {(s, t) for s in range(both.states) for t in range(both.states) if block[s] == block[t]} == relation
    same = content(minimise_by(by, first).graph) == content(minimise_by(by, second).graph)
    assert same == found.related
    return found.related


@pytest.mark.parametrize("by", BY)
def test_the_definition(by: str) -> None:
    assert 20 < sum(check(seed, by) for seed in SEEDS) < 95


@pytest.mark.nightly
@pytest.mark.parametrize("by", BY)
def test_the_definition_campaign(by: str) -> None:
    for seed in CAMPAIGN:
        check(seed, by)


@pytest.mark.parametrize("by", BY)
def test_the_smallest_graph_has_no_state_or_transition_too_many(by: str) -> None:
    removed = 0
    for seed in SEEDS:
        small = minimise_by(by, random_silent_graph(Random(seed), states=6)).graph
        relation = oracle.weak_bisimulation(small, divergence=by.endswith("divergence"))
        assert all(s == t for s, t in relation)
        for place in range(small.transitions):
            kept = np.arange(small.transitions) != place
            less = Graph.from_edges(
                small.states, small.sources[kept], small.actions[kept], small.targets[kept], initial=small.initial,
                labels=small.labels, action_names=small.action_names, label_names=small.label_names,
            )  # fmt: skip
            both = side_by_side(small, less)
            assert not related_by(
                oracle.weak_bisimulation(both, divergence=by.endswith("divergence")), both, small.states
            )
            removed += 1
    assert removed > 30


@pytest.mark.parametrize("by", BY)
def test_certificates_show_that_no_coarser_partition_would_do(by: str) -> None:
    for seed in range(80):
        graph = random_silent_graph(Random(seed))
        outcome = confirm_graph(graph, certify_graph(graph, by=by, minimal=True))
        assert outcome.accepted, outcome.problem


@pytest.mark.parametrize("by", BY)
def test_without_internal_steps_it_is_strong_bisimulation(by: str) -> None:
    for seed in SEEDS:
        graph = random_silent_graph(Random(seed), actions=("a", "b", "c"))
        block = weak_classes(tidied(graph), Run(), divergence=by.endswith("divergence")).block.tolist()
        strong = graph_relations.bisimulation_levels(graph)[-1]
        assert {(s, t) for s in range(graph.states) for t in range(graph.states) if block[s] == block[t]} == strong


def test_it_lies_below_branching_bisimulation() -> None:
    for seed in SEEDS:
        random = Random(seed)
        first = random_silent_graph(random)
        second = changed_graph(random, first)
        related = {by: compare_graphs(first, second, by=by).related for by in (*BY, *BRANCHING)}
        assert related["weak-bisimulation-divergence"] or not related["branching-bisimulation-divergence"]
        assert related["weak-bisimulation"] or not related["branching-bisimulation"]
        assert related["weak-bisimulation"] or not related["weak-bisimulation-divergence"]


def test_twins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled kernels and the pure ones give the same, also where a portion has room for few transitions."""
    for room in (1, 1 << 18):
        monkeypatch.setattr("coarsest.tuning.ARRAY_PIECE", 8 * room)
        for seed in SEEDS:
            graph = tidied(random_silent_graph(Random(seed), states=9))
            if internal_action(graph) < 0:
                continue
            one, other = (weak_transitions(graph, Run(), choice=choice) for choice in ("pure", "compiled"))
            assert content(one) == content(other)
            for divergence in (False, True):
                ways = [minimise_by_weak_bisimulation(graph, divergence=divergence, choice=c) for c in ("pure", "compiled")]
                assert content(ways[0].graph) == content(ways[1].graph)


@pytest.mark.parametrize("after", [True, False])
def test_rounds_without_weak_transitions_are_those_with_them(after: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of weak and of delay bisimulation: states are separated in the same round."""
    for seed in SEEDS:
        monkeypatch.setattr("coarsest.tuning.ARRAY_PIECE", Random(seed).choice([8, 1 << 24]))
        states = Random(seed).choice([9, 9, 90])  # the last have more blocks than a word has bits
        graph, _, internal = branching_classes(random_silent_graph(Random(seed), states=states), Run(), divergence=seed % 2 > 0)
        written = refine_by_signatures(weak_transitions(graph, Run(), after=after), Run())
        for choice in ("pure", "compiled"):
            rounds = weak_rounds(graph, internal, Run(), after=after, choice=choice)
            for one in range(graph.states):
                for other in range(one):
                    assert rounds.separation(one, other) == written.separation(one, other), seed


def test_a_hash_that_deceives_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the first seed all hashes are counts of what is reached, which do not tell states apart that reach as much."""
    deceived = attempts = 0
    honest = rounds_of_weak_signatures._mixed

    def counts(words: rounds_of_weak_signatures.Words) -> rounds_of_weak_signatures.Words:
        return honest(words) if attempts > 1 else words * np.uint64(0)

    def attempt(*arguments: object) -> bool:
        nonlocal attempts, deceived
        attempts += 1
        outcome = check_signatures(*arguments)  # type: ignore[arg-type]
        deceived += outcome
        return outcome

    check_signatures = rounds_of_weak_signatures._is_deceived
    monkeypatch.setattr(rounds_of_weak_signatures, "_mixed", counts)
    monkeypatch.setattr(rounds_of_weak_signatures, "_is_deceived", attempt)
    for seed in SEEDS:
        attempts = 1
        graph, _, internal = branching_classes(random_silent_graph(Random(seed), states=9), Run(), divergence=False)
        rounds = weak_rounds(graph, internal, Run())
        assert rounds.blocks == refine_by_signatures(weak_transitions(graph, Run()), Run()).blocks
    assert deceived > 5


def test_essential_transitions_are_those_of_the_graph_of_weak_transitions() -> None:
    left_out = 0
    for seed in SEEDS:
        random = Random(seed)
        classes = weak_classes(random_silent_graph(random, states=12), Run(), divergence=random.random() < 0.5)
        for choice in ("pure", "compiled"):
            few, many = (
                essential_transitions(graph, classes.internal, classes.divergence, Run(), choice=choice)
                for graph in (classes.graph, classes.saturated(Run()))
            )
            assert content(few) == content(many)
            left_out += few.transitions < classes.graph.transitions
    assert left_out > 10


def test_written_weak_transitions_give_the_same_classes_and_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where there are more actions than are looked at together."""
    monkeypatch.setattr("coarsest.tuning.ARRAY_PIECE", 8)
    for seed in SEEDS:
        random = Random(seed)
        actions = random.choice([("a", "b", "i"), (*(f"a{number}" for number in range(150)), "i")])
        graph, divergence = tidied(random_silent_graph(random, states=30, actions=actions)), seed % 2 > 0
        found = []
        for most in (0, 1000):
            monkeypatch.setattr("coarsest.tuning.WEAK_STEPS", most)
            classes = weak_classes(graph, Run(), divergence=divergence)
            history = classes.history(Run())
            depths = [history.separation(*pair) for pair in product(classes.block.tolist(), repeat=2)]
            small = minimise_by_weak_bisimulation(graph, divergence=divergence).graph
            found.append((depths, content(small)))
        assert found[0] == found[1], seed


def graph_of(text: str, initial: int = 0) -> Graph:
    """From `0 a 1, 1 i 2`."""
    rows = [row.split() for row in text.split(",") if row.strip()]
    names = tuple(dict.fromkeys(row[1] for row in rows)) or ("",)
    states = max(initial, *(max(int(row[0]), int(row[2])) for row in rows)) + 1
    return Graph.from_edges(
        states, [int(row[0]) for row in rows], [names.index(row[1]) for row in rows], [int(row[2]) for row in rows],
        initial=[initial], action_names=names,
    )  # fmt: skip


def test_examples_of_milner() -> None:
    """The τ-laws of Communication and concurrency, chapter 7; branching bisimulation does not obey the last one."""
    laws = [
        ("0 a 1, 1 i 2, 2 b 3", "0 a 1, 1 b 2"),  # a.τ.P = a.P
        ("0 a 1, 1 b 3, 1 i 2, 2 b 3", "0 a 1, 1 b 2"),  # P + τ.P = τ.P
        ("0 a 1, 0 a 2, 1 b 3, 1 i 2, 2 c 3", "0 a 1, 1 b 3, 1 i 2, 2 c 3"),  # a.(P + τ.Q) + a.Q = a.(P + τ.Q)
    ]
    for one, other in laws:
        assert compare_graphs(graph_of(one), graph_of(other), by="weak-bisimulation").related
    assert not compare_graphs(*map(graph_of, laws[2]), by="branching-bisimulation").related
    choice, decided = graph_of("0 a 1, 0 b 2"), graph_of("0 a 1, 0 i 2, 2 b 3")  # a + b and a + τ.b
    assert str(compare_graphs(choice, decided, by="weak-bisimulation").difference.formula) == "[[i]]<<a>>true"  # type: ignore[union-attr]


def test_divergence_is_seen_only_if_asked_for() -> None:
    """mCRL2 tells these apart by dpweak-bisim: the first can diverge without having decided for the end, the second cannot."""
    undecided = graph_of("0 i 0, 0 a 1, 0 i 2, 2 i 2")
    decided = graph_of("0 a 1, 0 i 2, 2 i 2")
    assert compare_graphs(undecided, decided, by="weak-bisimulation").related
    found = compare_graphs(undecided, decided, by="weak-bisimulation-divergence")
    assert str(found.difference.formula) == "diverges(<<a>>true)"  # type: ignore[union-attr]


def test_internal_steps_within_a_class_are_no_divergence() -> None:
    """Where a formula says that a state diverges, a state with an internal step to a bisimilar one must not seem to do so."""
    one = graph_of("0 a 1, 0 a 2, 0 a 3, 0 i 3, 1 b 2, 2 a 4, 3 i 3, 3 i 5, 4 a 6, 4 b 3, 5 i 4, 5 i 7, 6 i 5")
    other = graph_of(
        "0 a 0, 0 a 1, 0 a 2, 0 i 0, 0 i 3, 1 b 4, 2 i 4, 3 b 0, 3 i 5, 4 a 6, 5 i 7, 6 a 5, 6 b 0, 7 i 8, 8 i 6, 8 i 9"
    )
    found = compare_graphs(one, other, by="weak-bisimulation-divergence")
    assert found.difference is not None and "diverges" in str(found.difference.formula)
    for graph in (one, other):
        assert confirm_graph(graph, certify_graph(graph, by="weak-bisimulation-divergence", minimal=True)).accepted
