"""Checking certificates about graphs: about one, or that two are related."""

from __future__ import annotations

from coarsest.lts.certificates import (
    GraphCertificate,
    InclusionCertificate,
    Outcome,
    PartitionCertificate,
    SimulationCertificate,
)
from coarsest.lts.judge.inclusions import confirm_inclusion
from coarsest.lts.judge.partitions import confirm_partition
from coarsest.lts.judge.relations import confirm_simulation
from coarsest.lts.judge.transitions import Transitions
from coarsest.lts.labelled import Graph


def confirm_graph(graph: Graph, certificate: GraphCertificate) -> Outcome:
    """Check a certificate about the states of one graph."""
    match certificate:
        case PartitionCertificate():
            return confirm_partition(Transitions.of(graph), certificate)
        case SimulationCertificate():
            return confirm_simulation(Transitions.of(graph), certificate)
    return Outcome("this certificate is about two graphs")


def confirm_comparison(first: Graph, second: Graph, certificate: GraphCertificate) -> Outcome:
    """Check that a certificate about both graphs shows that they are related."""
    both = Transitions.of(first, second)
    match certificate:
        case PartitionCertificate():
            outcome = confirm_partition(both, certificate)
            further = outcome.problem or _initial_blocks_differ(both, certificate)
        case SimulationCertificate():
            outcome = confirm_simulation(both, certificate)
            further = outcome.problem or _initial_state_not_simulated(both, certificate)
        case InclusionCertificate():
            return confirm_inclusion(both, certificate)
    return Outcome(further, outcome.facts)


def _initial_blocks(both: Transitions, certificate: PartitionCertificate | SimulationCertificate) -> list[set[int]]:
    return [set(certificate.blocks[states].tolist()) for states in both.initial]


def _initial_blocks_differ(both: Transitions, certificate: PartitionCertificate) -> str:
    """Every initial state of one graph must be in a block with an initial state of the other."""
    first, second = _initial_blocks(both, certificate)
    lonely = first ^ second
    return f"block {min(lonely)} contains an initial state of one graph only" if lonely else ""


def _initial_state_not_simulated(both: Transitions, certificate: SimulationCertificate) -> str:
    """Every initial state must be below an initial state of the other graph; for the preorder, only those of the first."""
    sides = _initial_blocks(both, certificate)
    for ones, others in [sides] if certificate.preorder else [sides, sides[::-1]]:
        for block in sorted(ones):
            if not any(certificate.above[block, other] for other in others):
                return f"no initial state of the other graph is above the initial states of block {block}"
    return ""
