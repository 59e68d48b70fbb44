"""Is a reduced graph related to the original? The judges share no code with the reductions."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from coarsest import tuning
from coarsest.errors import EvidenceRejected
from coarsest.lts.certificates import PartitionCertificate
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.fair import FairGraph, as_fair
from coarsest.lts.judge.confirm_graphs import confirm_comparison
from coarsest.lts.labelled import Graph
from coarsest.lts.relations import judge_of, relations
from coarsest.options.option import Confirm
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.minimise.minimise import Minimised


def confirm_reduction(graph: Graph, reduction: Minimised, *, when: Confirm = Confirm.AUTO) -> bool:
    """Confirm that the quotient is related to the graph, and raise EvidenceRejected if not. It returns False if the user declined
    confirmation, or if it would be costly and the user did not ask."""
    claim = reduction.claim
    cheap = graph.transitions <= tuning.CONFIRMED_TRANSITIONS and (claim is None or claim.blocks <= tuning.CONFIRMED_CLASSES)
    if when is Confirm.NEVER or (when is Confirm.AUTO and not cheap):
        return False
    if relations()[reduction.relation].fair:
        return confirm_fair_reduction(as_fair(graph), as_fair(reduction.graph), reduction.relation, when=when)
    if claim is not None:
        stated, certificate = graph, claim.make()
    else:
        stated = _part(graph, reduction.state_of >= 0)
        blocks = np.concatenate([reduction.state_of[reduction.state_of >= 0], np.arange(reduction.graph.states)]).astype(np.int64)
        certificate = PartitionCertificate(reduction.relation, blocks)
    outcome = confirm_comparison(stated, reduction.graph, certificate, judge_of(certificate))
    if not outcome.accepted:
        raise EvidenceRejected(f"a reduction by {reduction.relation} was not confirmed: {outcome.problem}")
    return True


def confirm_fair_reduction(
    fair: FairGraph, small: FairGraph, relation: str, *, when: Confirm = Confirm.AUTO, run: Run | None = None
) -> bool:
    """Confirm a reduction of a fair graph: games are played from the initial states in both directions, and strategies judged."""
    moves = fair.graph.transitions * small.graph.states
    if when is Confirm.NEVER or (when is Confirm.AUTO and moves > tuning.CONFIRMED_MOVES):
        return False
    run, related = run or Run(), None
    with run.within(work=inf if when is Confirm.ALWAYS else max(tuning.WORK_ON_CLASSES, run.meter.work)):
        related = compare_graphs(fair, small, by=relation, run=run).related
    if related is None:
        return False
    if not related:
        raise EvidenceRejected(f"a reduction by {relation} was not confirmed: the spoiler wins a game")
    return True


def _part(graph: Graph, members: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Graph:
    """The graph of some states, whose transitions must not lead to others."""
    if members.all():
        return graph
    numbers = np.cumsum(members) - 1
    inside = members[graph.sources]
    if not members[graph.initial].all() or not members[graph.targets[inside]].all():
        raise EvidenceRejected("a state that can be reached is missing from a reduction")
    offsets = np.append(0, np.cumsum(np.diff(graph.offsets)[members]))
    return Graph(
        offsets, graph.actions[inside], numbers[graph.targets[inside]], numbers[graph.initial], graph.labels[members],
        graph.action_names, graph.label_names,
    )  # fmt: skip
