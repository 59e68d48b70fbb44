"""Checking certificates about graphs: about one, or that two are related."""

from __future__ import annotations

from coarsest.evidence.graph_certificates import Confirmed, GraphCertificate, PartitionCertificate
from coarsest.evidence.partitions import confirm_partition
from coarsest.graph.labelled import Graph
from coarsest.graph.union import one_internal_name, side_by_side


def confirm_graph(graph: Graph, certificate: GraphCertificate) -> Confirmed:
    """Check a certificate about the states of one graph."""
    match certificate:
        case PartitionCertificate():
            return confirm_partition(one_internal_name(graph), certificate)
    return Confirmed("this certificate is about two graphs")


def confirm_comparison(first: Graph, second: Graph, certificate: GraphCertificate) -> Confirmed:
    """Check that a certificate about both graphs shows that they are related."""
    both = side_by_side(first, second)
    match certificate:
        case PartitionCertificate():
            outcome = confirm_partition(both, certificate)
            return outcome if outcome.problem else Confirmed(_initial_blocks_differ(first, both, certificate), outcome.facts)
    return Confirmed("this certificate is of a kind that is not known")


def _initial_blocks_differ(first: Graph, both: Graph, certificate: PartitionCertificate) -> str:
    """Every initial state of one graph must be in a block with an initial state of the other."""
    initial = both.initial[both.initial < first.states], both.initial[both.initial >= first.states]
    lonely = set(certificate.blocks[initial[0]].tolist()) ^ set(certificate.blocks[initial[1]].tolist())
    return f"block {min(lonely)} contains an initial state of one graph only" if lonely else ""
