"""Graphs reduced by simulation and branching bisimulation: related to the original, smallest, the same for related graphs."""

from __future__ import annotations

from functools import partial
from random import Random

import numpy as np
import pytest

from campaigns import blocks
from coarsest._kernels.choose import kernels
from coarsest.lts.branching.branching_bisimulation import branching_partition, minimise_by_branching_bisimulation
from coarsest.lts.compare.compare_graphs import certify_graph, compare_graphs
from coarsest.lts.compare.confirm_reduction import confirm_reduction
from coarsest.lts.judge.confirm_graphs import confirm_graph
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.minimise import Minimised
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.relations import reduction_called
from coarsest.lts.rounds.history import PartitionHistory
from coarsest.lts.rounds.signatures_blom_orzan import refine_by_signatures
from coarsest.lts.simulation.preorder_ranzato_tapparo import Preorder, simulation_preorder
from coarsest.lts.simulation.smallest_bustan_grumberg import minimise_by_simulation, without_little_brothers
from coarsest.lts.union import tidied
from coarsest.options.option import Confirm
from coarsest.run import Run
from oracles import graph_relations as oracle
from random_graph_pairs import changed_graph, random_silent_graph

SEEDS = range(200)
BY = ("simulation", "finite-simulation", "branching-bisimulation", "branching-bisimulation-divergence")
Triple = tuple[int, str, int]


def minimised(graph: Graph, by: str, choice: str = "auto") -> Minimised:
    if by.endswith("simulation") and "bi" not in by:
        return minimise_by_simulation(graph, stay=by == "simulation", choice=choice)
    return minimise_by_branching_bisimulation(graph, divergence=by.endswith("divergence"), choice=choice)


def content(graph: Graph) -> tuple[object, ...]:
    """All that a graph says, with names."""
    rows = zip(graph.sources.tolist(), [graph.action_names[a] for a in graph.actions.tolist()], graph.targets.tolist())
    return graph.states, sorted(rows), [graph.label_names[n] for n in graph.labels.tolist()], sorted(graph.initial.tolist())


@pytest.mark.parametrize("by", BY)
def test_related_smaller_and_nothing_left_to_do(by: str) -> None:
    for seed in SEEDS:
        graph = random_silent_graph(Random(seed))
        found = minimised(graph, by)
        assert compare_graphs(graph, found.graph, by=by).related
        assert found.graph.states <= graph.states
        assert found.graph.transitions <= graph.transitions
        assert content(minimised(found.graph, by).graph) == content(found.graph)


@pytest.mark.parametrize("by", BY)
def test_related_graphs_have_one_smallest_graph(by: str) -> None:
    """For simulation this is theorem 3.1.2 of Bustan's thesis: reduced structures are equivalent iff they are isomorphic."""
    related = 0
    for seed in SEEDS:
        random = Random(seed)
        graph = random_silent_graph(random)
        other = changed_graph(random, graph)
        same = content(minimised(graph, by).graph) == content(minimised(other, by).graph)
        assert same == compare_graphs(graph, other, by=by).related
        related += same
    assert 20 < related < len(SEEDS)


def quotient_by_definition(graph: Graph, by: str, *, every: bool) -> tuple[object, ...]:
    """Definition 3.2.1 of Bustan's thesis over the reachable states: how many classes are reached, and the names of the steps
    between classes of states that stand for them."""
    levels = {"simulation": oracle.simulation_levels, "ready-simulation": oracle.ready_simulation_levels,
              "finite-simulation": partial(oracle.simulation_levels, finite=True)}  # fmt: skip
    below, moves = levels[by](graph)[-1], oracle.steps(graph)
    reached = set(graph.initial.tolist())
    while more := {t for s in reached for _, t in moves[s]} - reached:
        reached |= more
    class_of = {s: frozenset(t for t in reached if (s, t) in below and (t, s) in below) for s in reached}
    have = all if every else any
    steps = {
        (class_of[s], action, class_of[t]) for s in reached for action, t in moves[s]
        if have(any((action, u) in moves[one] for u in class_of[t]) for one in class_of[s])
    }  # fmt: skip
    classes = initial = {class_of[s] for s in graph.initial.tolist()}
    while more := {target for source, _, target in steps if source in classes} - classes:
        classes = classes | more
    return classes, initial, {step for step in steps if step[0] in classes}


@pytest.mark.parametrize("by", ["simulation", "ready-simulation", "finite-simulation"])
def test_quotients_are_those_of_the_definition(by: str) -> None:
    different = 0
    for seed in SEEDS:
        graph = random_silent_graph(Random(seed), states=9)
        sizes = []
        for made in ("all", "some", "smallest"):
            small = reduction_called(by).minimised(graph, quotient=made, keep_unreachable=False, run=None)
            assert compare_graphs(graph, small.graph, by=by).related
            assert confirm_reduction(graph, small, when=Confirm.ALWAYS)
            sizes.append(small.graph.transitions)
            if made == "smallest":
                continue
            states = range(small.graph.states)
            members = [frozenset(s for s, number in enumerate(small.state_of.tolist()) if number == one) for one in states]
            steps = {(members[s], action, members[t]) for s in states for action, t in oracle.steps(small.graph)[s]}
            initial = {members[s] for s in small.graph.initial.tolist()}
            classes, first, expected = quotient_by_definition(graph, by, every=made == "all")
            inside = {frozenset(s for s in one if any(s in part for part in classes)) for one in members}
            assert (inside, initial <= set(members), len(first)) == (classes, True, len(initial)), seed
            assert {(a & _union(classes), n, b & _union(classes)) for a, n, b in steps} == expected, seed
        different += sizes[2] < sizes[1]
    assert different > 3


def _union(classes: set[frozenset[int]]) -> frozenset[int]:
    return frozenset(s for one in classes for s in one)


def test_little_brothers_of_a_graph_as_it_is() -> None:
    """Every other state stays, no step leads to a little brother, and what is left is equivalent to the graph."""
    disconnected = 0
    for seed in SEEDS:
        graph = random_silent_graph(Random(seed), states=9)
        small = reduction_called("little-brothers").minimised(graph, keep_unreachable=bool(seed % 2), run=None)
        assert compare_graphs(graph, small.graph, by="simulation").related
        assert confirm_reduction(graph, small, when=Confirm.ALWAYS)
        below, moves = oracle.simulation_levels(graph)[-1], oracle.steps(graph)
        strictly = {(s, t) for s, t in below if (t, s) not in below}
        proper = [{(a, t) for a, t in out if not any(a == b and (t, u) in strictly for b, u in out)} for out in moves]
        numbers = small.state_of.tolist()
        first = graph.initial.tolist()
        starts = {s for s in first if not any((s, t) in strictly for t in first)}
        assert {numbers[s] for s in starts} == set(small.graph.initial.tolist())
        assert all({(a, numbers[t]) for a, t in proper[s]} == set(oracle.steps(small.graph)[numbers[s]])
                   for s in range(graph.states) if numbers[s] >= 0)  # fmt: skip
        assert (min(numbers) >= 0) or not seed % 2
        disconnected += sum(map(len, proper)) < sum(len(set(out)) for out in moves)
    assert disconnected > 10


def test_no_little_brothers_are_left() -> None:
    for seed in SEEDS:
        small = minimised(random_silent_graph(Random(seed), states=9), "simulation").graph
        below = oracle.simulation_levels(small)[-1]
        steps = oracle.steps(small)
        assert not any((t, s) in below and s != t for s, t in below)
        for out in steps:
            assert not any(a == b and t != u and (t, u) in below for a, t in out for b, u in out)
        initial = small.initial.tolist()
        assert not any(s != t and (s, t) in below for s in initial for t in initial)


def same_history(one: PartitionHistory, other: PartitionHistory) -> bool:
    states = range(len(one.block))
    return all(one.separation(s, t) == other.separation(s, t) for s in states for t in states)


def pairs(order: Preorder, states: int) -> set[tuple[int, int]]:
    return {(s, t) for s in range(states) for t in range(states) if order.below(s, t)}


@pytest.mark.parametrize("block", blocks(4, by_day=1))
def test_twins(block: int) -> None:
    """The compiled kernels and the pure ones give the same; and they give what the definition says."""
    for seed in SEEDS[block::4]:
        graph = random_silent_graph(Random(seed), states=9)
        for ready in (False, True):
            expected = (oracle.ready_simulation_levels(graph) if ready else oracle.simulation_levels(graph, finite=True))[-1]
            for choice in ("pure", "compiled"):
                order = simulation_preorder(graph, Run(), ready=ready, choice=choice)
                assert pairs(order, graph.states) == expected
                assert len(set(order.block.tolist())) == order.blocks
        pure, compiled = (refine_by_signatures(graph, Run(), choice=choice) for choice in ("pure", "compiled"))
        assert same_history(pure, compiled)
        for divergence in (False, True):
            ways = [branching_partition(graph, Run(), divergence=divergence, choice=choice) for choice in ("pure", "compiled")]
            assert content(ways[0][0].graph) == content(ways[1][0].graph)
            assert same_history(ways[0][1], ways[1][1])


def test_twins_of_little_brothers() -> None:
    for seed in SEEDS:
        graph = random_silent_graph(Random(seed), states=12)
        order = simulation_preorder(graph, Run())
        classes = merged(graph, order.block)
        one, other = (without_little_brothers(classes, order, choice=choice) for choice in ("pure", "compiled"))
        assert content(one) == content(other)


def test_twins_of_components() -> None:
    for seed in SEEDS:
        graph = random_silent_graph(Random(seed), states=20)
        chosen = graph.actions == 2
        found = [np.empty(graph.states, dtype=np.int64) for _ in range(2)]
        counts = [
            kernels("partition.silent_components", 0, choice).components(graph.offsets, graph.targets, chosen, found[place])
            for place, choice in enumerate(("pure", "compiled"))
        ]
        assert counts[0] == counts[1] == len(set(found[0].tolist()))
        assert found[0].tolist() == found[1].tolist()


def layered(width: int, depth: int, seed: int) -> Graph:
    """A graph with long internal paths, many classes and blocks that are split often."""
    random = Random(seed)
    states = width * depth
    rows = [
        (level * width + place, random.choice("aiib"), min(states - 1, (level + 1) * width + random.randrange(width)))
        for level in range(depth)
        for place in range(width)
        for _ in range(2)
    ]
    sources, actions, targets = zip(*rows)
    return Graph.from_edges(states, sources, ["abi".index(a) for a in actions], targets, action_names=("a", "b", "i"))


@pytest.mark.parametrize("seed", range(3))
def test_twins_on_larger_graphs(seed: int) -> None:
    graph = layered(12, 40, seed)
    for divergence in (False, True):
        ways = [branching_partition(graph, Run(), divergence=divergence, choice=choice)[1] for choice in ("pure", "compiled")]
        assert ways[0].blocks == ways[1].blocks
        assert len(set(zip(ways[0].block.tolist(), ways[1].block.tolist()))) == ways[0].blocks
    orders = [simulation_preorder(graph, Run(), choice=choice) for choice in ("pure", "compiled")]
    assert orders[0].blocks == orders[1].blocks
    number = dict(zip(orders[0].block.tolist(), orders[1].block.tolist()))
    moved = np.array([number[block] for block in range(orders[0].blocks)])
    assert np.array_equal(orders[0].matrix(), orders[1].matrix()[np.ix_(moved, moved)])


@pytest.mark.parametrize("by", ["bisimulation", *BY])
def test_certificates_of_reductions(by: str) -> None:
    for seed in range(60):
        graph = random_silent_graph(Random(seed))
        outcome = confirm_graph(graph, certify_graph(graph, by=by, minimal="bi" in by))
        assert outcome.accepted, outcome.problem


def test_names_that_occur_twice() -> None:
    """`i` and `tau` are one action, and so are two actions with one name."""
    graph = Graph.from_edges(4, [0, 0, 1, 2], [0, 1, 2, 3], [1, 2, 3, 3], action_names=("i", "tau", "a", "a"))
    assert tidied(graph).action_names == ("i", "a")
    assert minimised(graph, "branching-bisimulation").graph.states == 2
    assert minimised(graph, "simulation").graph.states == 3
