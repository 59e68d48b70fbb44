"""Whatever certificate is accepted, what it shows is true: thousands of random ones, right, nearly right and wrong.

The checker is not asked to accept all that is true, but it must accept what is written by compare and reduce.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts import labelled
from coarsest.lts.certificates import InclusionCertificate, PartitionCertificate, SimulationCertificate
from coarsest.lts.compare.compare_graphs import certify_graph, compare_graphs
from coarsest.lts.judge.confirm_graphs import confirm_comparison, confirm_graph
from coarsest.lts.labelled import Graph
from coarsest.lts.union import side_by_side
from oracles import graph_relations as oracle
from random_graph_pairs import changed_graph, random_silent_graph

PARTITIONS = ("bisimulation", "branching-bisimulation", "branching-bisimulation-divergence")
SEEDS = range(150)
CAMPAIGN = range(1000, 3000)


def classes(graph: Graph, by: str) -> list[int]:
    """By the definition."""
    if by == "branching-bisimulation-divergence":
        return oracle.divergence_preserving_partition(graph)
    related = oracle.bisimulation_levels(graph)[-1] if by == "bisimulation" else oracle.branching_bisimulation(graph)
    return [min(t for t in range(graph.states) if (s, t) in related) for s in range(graph.states)]


def numbered(blocks: Sequence[int]) -> np.ndarray:
    """The same partition with the numbers 0, 1, …"""
    known: dict[int, int] = {}
    return np.array([known.setdefault(block, len(known)) for block in blocks], dtype=np.int64)


def tampered(random: Random, blocks: Sequence[int]) -> np.ndarray:
    """Some states moved, alone or into another block; or blocks merged."""
    changed = list(blocks)
    for _ in range(random.randint(0, 2)):
        state = random.randrange(len(changed))
        choice = random.random()
        if choice < 0.4:
            changed[state] = len(changed) + random.randrange(2)
        elif choice < 0.7:
            changed[state] = random.choice(changed)
        else:
            one, other = random.choice(changed), random.choice(changed)
            changed = [one if block == other else block for block in changed]
    return numbered(changed)


def check_partition(seed: int) -> int:
    random = Random(seed)
    graph = random_silent_graph(random, states=6)
    accepted = 0
    for by in PARTITIONS:
        truth = classes(graph, by)
        assert confirm_graph(graph, PartitionCertificate(by, numbered(truth))).accepted
        for _ in range(5):
            blocks = tampered(random, truth)
            if confirm_graph(graph, PartitionCertificate(by, blocks)).accepted:
                accepted += 1
                pairs = [(s, t) for s in range(graph.states) for t in range(graph.states) if blocks[s] == blocks[t]]
                assert all(truth[s] == truth[t] for s, t in pairs), (seed, by, blocks)
    return accepted


def random_formula(random: Random, graph: Graph) -> Formula:
    make = Builder()
    places = [make.true, *(make.label(name) for name in graph.label_names)]
    for _ in range(random.randint(1, 6)):
        one, other, action = random.choice(places), random.choice(places), random.choice(graph.action_names)
        places.append(
            random.choice([
                lambda: make.diamond(action, one), lambda: make.until(one, action, other), lambda: make.diverges(one),
                lambda: make.negation(one), lambda: make.conjunction([one, other]),
            ])()
        )  # fmt: skip
    return make.formula(places[-1])


def check_minimality(seed: int) -> int:
    random = Random(seed)
    graph = random_silent_graph(random, states=5)
    accepted = 0
    for by in PARTITIONS:
        truth = classes(graph, by)
        for blocks in (numbered(truth), numbered(range(graph.states)), tampered(random, truth)):
            for number in (1, 4, 12):
                formulas = tuple(random_formula(random, graph) for _ in range(number))
                if confirm_graph(graph, PartitionCertificate(by, blocks, formulas)).accepted:
                    accepted += 1
                    assert numbered(truth).tolist() == blocks.tolist(), (seed, by, list(map(str, formulas)))
    return accepted


def random_pair(random: Random) -> tuple[Graph, Graph]:
    first = random_silent_graph(random, states=5)
    return first, changed_graph(random, first)


def tampered_order(random: Random, certificate: SimulationCertificate) -> SimulationCertificate:
    blocks, above = certificate.blocks.copy(), certificate.above.copy()
    if random.random() < 0.3:  # one more block, perhaps with a state in it, perhaps without
        above = np.pad(above, (0, 1))
        above[-1] = above[random.randrange(len(above))]
        above[:, -1] = random.random() < 0.5
        above[-1, -1] = True
        if random.random() < 0.5:
            blocks[random.randrange(len(blocks))] = len(above) - 1
    for _ in range(random.randint(0, 2)):
        above[random.randrange(len(above)), random.randrange(len(above))] ^= True
    if random.random() < 0.2:
        blocks[random.randrange(len(blocks))] = random.randrange(len(above))
    return SimulationCertificate(certificate.relation, blocks, above, certificate.preorder)


def check_order(seed: int) -> int:
    random = Random(seed)
    first, second = random_pair(random)
    accepted = 0
    for by, levels in (("simulation", oracle.simulation_levels), ("ready-simulation", oracle.ready_simulation_levels)):
        found = compare_graphs(first, first, by=by).certificate
        assert isinstance(found, SimulationCertificate)
        both = side_by_side(first, first)
        truth = levels(both)[-1]
        for _ in range(8):
            claim = tampered_order(random, found)
            if confirm_comparison(first, first, claim).accepted:
                accepted += 1
                for s, t in np.argwhere(claim.above[claim.blocks][:, claim.blocks]).tolist():
                    assert (s, t) in truth, (seed, by)
        related = compare_graphs(first, second, by=by, preorder=True)
        if related.certificate is not None:
            assert confirm_comparison(first, second, related.certificate).accepted
    return accepted


def check_inclusion(seed: int) -> int:
    """The certificate that a graph has its own traces, tampered with, for a graph that has others."""
    random = Random(seed)
    first, second = random_pair(random)
    others = random_silent_graph(random, states=5) if random.random() < 0.5 else changed_graph(random, first)
    found = compare_graphs(first, second, by="traces", preorder=True).certificate
    if not isinstance(found, InclusionCertificate):
        return 0
    both = side_by_side(first, others)
    initial = both.initial.tolist()
    sides = [s for s in initial if s < first.states], [s for s in initial if s >= first.states]
    missing = oracle.shortest_trace_not_included(both, *sides)
    accepted = 0
    alone = SimulationCertificate("finite-simulation", np.arange(both.states), np.eye(both.states, dtype=np.bool_), preorder=True)
    for _ in range(20):
        known = second.states == others.states and random.random() < 0.5
        order = tampered_order(random, found.simulation if known else alone)
        pairs = [pair for pair in found.ways[0] if known and random.random() < 0.9]
        for _ in range(random.randint(0, 3)):
            members = random.choices(order.blocks[first.states :].tolist(), k=random.randint(0, 2))
            pairs.append((random.choice([random.randrange(len(order.above)), len(order.above) - 1]), tuple(members)))
        if confirm_comparison(first, others, InclusionCertificate("traces", order, (tuple(pairs),), preorder=True)).accepted:
            accepted += 1
            assert missing is None, seed
    return accepted


CHECKS = {"partition": check_partition, "minimality": check_minimality, "order": check_order, "inclusion": check_inclusion}


@pytest.mark.parametrize("name", CHECKS)
def test_what_is_accepted_is_true(name: str) -> None:
    assert sum(CHECKS[name](seed) for seed in SEEDS) > 100


@pytest.mark.nightly
@pytest.mark.parametrize("name", CHECKS)
def test_campaign(name: str) -> None:
    for seed in CAMPAIGN:
        CHECKS[name](seed)


def test_no_kernel_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even in putting two graphs side by side."""
    random = Random(7)
    graph = random_silent_graph(random)
    other = changed_graph(random, graph)
    claims = [compare_graphs(graph, graph, by=by).certificate for by in (*PARTITIONS, "simulation", "traces")]
    about_one = [certify_graph(other, by=by, minimal=True) for by in PARTITIONS]

    def none(*_: object) -> None:
        raise AssertionError("a kernel")

    monkeypatch.setattr(labelled, "kernels", none)
    assert all(claim is not None and confirm_comparison(graph, graph, claim).accepted for claim in claims)
    assert all(confirm_graph(other, claim).accepted for claim in about_one)


def test_long_silent_paths_are_no_trouble() -> None:
    """In time that grows with the length, not with its square."""
    length = 100_000
    states = np.arange(length)
    graph = Graph.from_edges(
        length + 1, [*states, length], [0] * length + [1], [*states + 1, length], action_names=("i", "a")
    )  # fmt: skip
    for by in PARTITIONS[1:]:
        assert confirm_graph(graph, PartitionCertificate(by, np.zeros(length + 1, dtype=np.int64))).accepted
    looping = Graph.from_edges(length, states, [0] * length, (states + 1) % length, action_names=("i",))
    certificate = PartitionCertificate(PARTITIONS[2], np.zeros(2 * length + 1, dtype=np.int64))
    assert not confirm_comparison(graph, looping, certificate).accepted
