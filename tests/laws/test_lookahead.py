"""Direct simulation with lookahead is what its definition says, lies between simulation and traces, and is confirmed."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from coarsest.errors import InputError
from coarsest.lts.certificates import AttackCertificate, LookaheadCertificate
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.fair import FairGraph
from coarsest.lts.games.simulation_game import fair_side_by_side
from coarsest.lts.judge.fair.lookahead import confirm_lookahead
from coarsest.lts.judge.transitions import Transitions
from oracles.fair_simulations import staying
from oracles.lookahead import direct_ahead
from random_fair_graphs import random_fair_graph
from terms import graph_of, random_term


def expected(first: FairGraph, second: FairGraph, ahead: int) -> bool:
    relation, start = direct_ahead(fair_side_by_side(staying(first), staying(second)), ahead), first.graph.states
    others = [start + q for q in second.graph.initial.tolist()]
    return all(any((p, q) in relation for q in others) for p in first.graph.initial.tolist())


def check_lookahead(seed: int) -> list[bool]:
    """By one to four steps ahead; and whether all traces are included."""
    random = Random(seed)
    if seed % 2:
        first, second = (FairGraph(graph_of(random_term(random, 2))) for _ in "ab")
    else:
        first, second = (random_fair_graph(random, states=5) for _ in "ab")
    below = []
    for ahead in range(1, 5):
        comparison = compare_graphs(first, second, by="direct", preorder=True, ahead=ahead)
        assert comparison.related == expected(first, second, ahead), (seed, ahead)
        check_evidence(first, second, comparison.certificate or comparison.refutation)
        below.append(comparison.related)
    assert below == sorted(below), seed
    below.append(compare_graphs(first, second, by="traces", preorder=True).related)
    assert below[-1] or not below[-2], seed
    return below


def check_evidence(first: FairGraph, second: FairGraph, evidence: object) -> None:
    """Less of it is not accepted."""
    both = Transitions.of(first, second)
    if isinstance(evidence, LookaheadCertificate):
        assert confirm_lookahead(both, evidence).accepted
        assert not confirm_lookahead(both, replace(evidence, below=((),))).accepted
        assert not confirm_lookahead(both, replace(evidence, ahead=1)).accepted
    if isinstance(evidence, AttackCertificate):
        assert confirm_lookahead(both, evidence).accepted
        if evidence.attacks:
            assert not confirm_lookahead(both, replace(evidence, attacks=evidence.attacks[:-1])).accepted
            wrong = replace(evidence.attacks[-1], steps=evidence.attacks[-1].steps[:-1])
            assert not confirm_lookahead(both, replace(evidence, attacks=(*evidence.attacks[:-1], wrong))).accepted


def test_lookahead() -> None:
    below = [check_lookahead(seed) for seed in range(150)]
    assert sum(row[0] for row in below) > 20
    assert sum(row[3] and not row[0] for row in below) > 2, "steps ahead make a difference"
    assert sum(not row[3] for row in below) > 30


@pytest.mark.nightly
def test_lookahead_campaign() -> None:
    for seed in range(1000, 2500):
        check_lookahead(seed)


def test_only_direct_simulation_looks_ahead() -> None:
    graph = random_fair_graph(Random(1))
    with pytest.raises(InputError, match="delay has no lookahead"):
        compare_graphs(graph, graph, by="delay", ahead=2)
