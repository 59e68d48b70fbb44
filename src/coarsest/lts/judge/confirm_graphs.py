"""Checking certificates about one graph, or about the relation of two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from coarsest.lts.certificates import (
    CertificateCheck,
    GraphCertificate,
    InclusionCertificate,
    PartitionCertificate,
    SimulationCertificate,
)
from coarsest.lts.fair import FairGraph
from coarsest.lts.judge.failures import FUTURES, confirm_failures, confirm_impossible_futures
from coarsest.lts.judge.failures import RELATIONS as FAILURES
from coarsest.lts.judge.fair.fair_answers import confirm_answers
from coarsest.lts.judge.fair.strategies import confirm_fair_simulation
from coarsest.lts.judge.fair.words import confirm_words
from coarsest.lts.judge.inclusions import confirm_inclusion
from coarsest.lts.judge.partitions import confirm_partition
from coarsest.lts.judge.relations import confirm_simulation
from coarsest.lts.judge.transitions import Transitions
from coarsest.lts.judge.weak_relations import RELATIONS as WEAK_RELATIONS
from coarsest.lts.judge.weak_relations import confirm_weak_simulation
from coarsest.lts.labelled import Graph

Judge: TypeAlias = Callable[[Transitions, Any], CertificateCheck]
"""A judge checks the kind of certificate that a relation has. It need not look at initial states."""


def confirm_graph(graph: Graph | FairGraph, certificate: GraphCertificate, judge: Judge | None = None) -> CertificateCheck:
    """Check a certificate about the states of one graph."""
    if not isinstance(certificate, PartitionCertificate | SimulationCertificate):
        return CertificateCheck("this certificate is about two graphs")
    return (judge or _judge_of_its_kind(certificate))(Transitions.of(graph), certificate)


def confirm_comparison(
    first: Graph | FairGraph, second: Graph | FairGraph, certificate: GraphCertificate, judge: Judge | None = None
) -> CertificateCheck:
    """Check that a certificate about both graphs shows that they are related or, if it is a refutation, that they are not."""
    both = Transitions.of(first, second)
    outcome = (judge or _judge_of_its_kind(certificate))(both, certificate)
    if outcome.problem:
        return outcome
    match certificate:
        case PartitionCertificate():
            own, others = _initial_blocks(both, certificate)
            lonely = own ^ others
            problem = f"block {min(lonely)} contains an initial state of one graph only" if lonely else ""
            return CertificateCheck(problem, outcome.facts)
        case SimulationCertificate():
            return CertificateCheck(_initial_state_not_simulated(both, certificate), outcome.facts)
    return outcome


def _judge_of_its_kind(certificate: GraphCertificate) -> Judge:
    """The judge of certificates of this kind about the built-in relations."""
    match certificate:
        case PartitionCertificate():
            return confirm_partition
        case SimulationCertificate():
            return confirm_weak_simulation if certificate.relation in WEAK_RELATIONS else confirm_simulation
        case InclusionCertificate():
            if certificate.relation == FUTURES:
                return confirm_impossible_futures
            return confirm_failures if certificate.relation in FAILURES else confirm_inclusion
    if certificate.relation == "words":
        return confirm_words
    return confirm_answers if certificate.relation == "exists" else confirm_fair_simulation


def _initial_blocks(both: Transitions, certificate: PartitionCertificate | SimulationCertificate) -> list[set[int]]:
    return [set(certificate.blocks[states].tolist()) for states in both.initial]


def _initial_state_not_simulated(both: Transitions, certificate: SimulationCertificate) -> str:
    """Every initial state must be below an initial state of the other graph; for the preorder, only those of the first."""
    sides = _initial_blocks(both, certificate)
    for ones, others in [sides] if certificate.preorder else [sides, sides[::-1]]:
        for block in sorted(ones):
            if not any(certificate.above[block, other] for other in others):
                return f"no initial state of the other graph is above the initial states of block {block}"
    return ""
