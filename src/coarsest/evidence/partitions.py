"""Is a partition of the states of a graph stable? Checked from the definition, in a few passes over the transitions.

Strong: if one state of a block has a transition with action a into block C, all states of the block have one.
Branching: if one state of a block has a transition into C that is not inert (internal, within the block), every state of
the block reaches, by inert transitions, a state that has one. Divergence: either all states of a block have an infinite
path of inert transitions, or none has.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest.evidence.graph_certificates import Outcome, PartitionCertificate
from coarsest.evidence.hennessy_milner import FormulaChecker
from coarsest.graph.labelled import Graph
from coarsest.graph.union import INTERNAL

Integers = NDArray[np.int64]
RELATIONS = ("bisimulation", "branching-bisimulation", "branching-bisimulation-divergence")


def confirm_partition(graph: Graph, certificate: PartitionCertificate) -> Outcome:
    """Check that the partition is one of the states, respects the labels, and is stable; and minimal, if it comes with
    formulas."""
    blocks = certificate.blocks
    problem = _wrong_form(graph, certificate) or _mixed_labels(graph, blocks)
    if not problem:
        stable = _unstable if certificate.relation == "bisimulation" else _unstable_branching
        problem = stable(graph, blocks)
    if not problem and certificate.relation.endswith("divergence"):
        problem = _divergence_differs(graph, blocks)
    if not problem and certificate.formulas:
        problem = _not_minimal(graph, certificate)
    facts = {"blocks": int(blocks.max(initial=-1)) + 1, "minimal": bool(certificate.formulas)}
    return Outcome(problem, facts)


def _wrong_form(graph: Graph, certificate: PartitionCertificate) -> str:
    blocks = certificate.blocks
    if certificate.relation not in RELATIONS:
        return f"there is no relation '{certificate.relation}' that a partition certifies"
    if blocks.ndim != 1 or len(blocks) != graph.states:
        return f"the graph has {graph.states} states, the partition {blocks.size}"
    if len(blocks) and blocks.min() < 0:
        return f"block {int(blocks.min())} is none"
    used = np.bincount(blocks, minlength=1)
    if len(used) > graph.states or not used.all():
        return f"block {int(np.flatnonzero(used == 0)[0]) if not used.all() else len(used) - 1} has no states"
    return ""


def _mixed_labels(graph: Graph, blocks: Integers) -> str:
    first = np.zeros(int(blocks.max(initial=-1)) + 1, dtype=np.int64)
    first[blocks[::-1]] = np.arange(graph.states)[::-1]
    different = np.flatnonzero(graph.labels != graph.labels[first[blocks]])
    if not len(different):
        return ""
    return f"states {int(first[blocks[different[0]]])} and {int(different[0])} of one block have different labels"


def _action_numbers(graph: Graph) -> NDArray[Any]:
    """Actions by name: the internal one is number -1."""
    numbers = np.array([-1 if name in INTERNAL else number for number, name in enumerate(graph.action_names)], dtype=np.int64)
    return numbers[graph.actions]


def _unstable(graph: Graph, blocks: Integers) -> str:
    """Count, for each block, action and block, the states that have such a transition: all or none."""
    rows = np.stack([graph.sources.astype(np.int64), _action_numbers(graph), blocks[graph.targets]], axis=1)
    rows = _kinds(rows)[0]
    kinds, which, states = _kinds(np.column_stack([blocks[rows[:, 0]], rows[:, 1:]]))
    short = np.flatnonzero(states < np.bincount(blocks)[kinds[:, 0]])
    if not len(short):
        return ""
    block, action, target = kinds[short[0]].tolist()
    able = rows[which == short[0], 0]
    unable = np.setdiff1d(np.flatnonzero(blocks == block), able)
    return (f"state {int(able[0])} has a transition {_name(graph, action)} into block {target}, "
            f"state {int(unable[0])} of the same block has none")  # fmt: skip


def _kinds(rows: Integers) -> tuple[Integers, Integers, Integers]:
    """The different rows in order, which of them each row is, and how often each occurs."""
    order = np.lexsort(rows.T[::-1])
    fresh = np.ones(len(rows), dtype=np.bool_)
    fresh[1:] = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    which = np.empty(len(rows), dtype=np.int64)
    which[order] = np.cumsum(fresh) - 1
    return rows[order[fresh]], which, np.bincount(which, minlength=int(fresh.sum()))


def _name(graph: Graph, action: int) -> str:
    return next((name for name in graph.action_names if name in INTERNAL), "i") if action < 0 else graph.action_names[action]


def _unstable_branching(graph: Graph, blocks: Integers) -> str:
    """What each state reaches through inert transitions grows backwards along them until nothing is new; then all or none."""
    sources, actions = graph.sources.astype(np.int64), _action_numbers(graph)
    inert = (actions == -1) & (blocks[sources] == blocks[graph.targets])
    rows = np.stack([sources, actions, blocks[graph.targets]], axis=1)[~inert]
    kinds, which, _ = _kinds(np.column_stack([blocks[rows[:, 0]], rows[:, 1:]]))
    tails, heads = sources[inert], graph.targets[inert].astype(np.int64)
    order = np.argsort(heads, kind="stable")
    tails, heads = tails[order], heads[order]
    fresh = known = np.unique(which * graph.states + rows[:, 0])
    while len(fresh):
        states = fresh % graph.states
        begin, end = np.searchsorted(heads, states), np.searchsorted(heads, states, side="right")
        lengths = end - begin
        places = np.arange(int(lengths.sum())) + np.repeat(begin - np.cumsum(lengths) + lengths, lengths)
        reaching = np.unique(np.repeat(fresh - states, lengths) + tails[places])
        fresh = reaching[~np.isin(reaching, known, assume_unique=True)]
        known = np.union1d(known, fresh)
    counts = np.bincount(known // graph.states, minlength=len(kinds)) if len(known) else np.zeros(0, dtype=np.int64)
    short = np.flatnonzero(counts < np.bincount(blocks)[kinds[:, 0]])
    if not len(short):
        return ""
    block, action, target = kinds[short[0]].tolist()
    unable = np.setdiff1d(np.flatnonzero(blocks == block), known[known // graph.states == short[0]] % graph.states)
    return f"state {int(unable[0])} of block {block} reaches no transition {_name(graph, action)} into block {target}"


def _divergence_differs(graph: Graph, blocks: Integers) -> str:
    """Remove states without an inert transition to one that is left, until none is removed."""
    sources = graph.sources.astype(np.int64)
    inert = (_action_numbers(graph) == -1) & (blocks[sources] == blocks[graph.targets])
    tails, heads = sources[inert], graph.targets[inert].astype(np.int64)
    left = np.zeros(graph.states, dtype=np.bool_)
    left[tails] = True
    while True:
        ways = np.zeros(graph.states, dtype=np.bool_)
        ways[tails[left[tails] & left[heads]]] = True
        if np.array_equal(ways, left):
            break
        left = ways
    share = np.bincount(blocks, weights=left)
    mixed = np.flatnonzero((share > 0) & (share < np.bincount(blocks)))
    if not len(mixed):
        return ""
    members = np.flatnonzero(blocks == mixed[0])
    one, other = members[left[members]][0], members[~left[members]][0]
    return f"state {int(one)} diverges, state {int(other)} of the same block does not"


def _not_minimal(graph: Graph, certificate: PartitionCertificate) -> str:
    """Each formula is true in all states of a block or in none; no two blocks satisfy the same formulas."""
    blocks = certificate.blocks
    checker, states = FormulaChecker(graph), range(graph.states)
    size = np.bincount(blocks)
    truths = np.zeros((len(size), len(certificate.formulas)), dtype=np.bool_)
    for place, formula in enumerate(certificate.formulas):
        true_in = np.bincount(blocks[sorted(checker.satisfying(formula, states))], minlength=len(size))
        torn = np.flatnonzero((true_in > 0) & (true_in < size))
        if len(torn):
            return f"formula {place} is true in some states of block {int(torn[0])} only"
        truths[:, place] = true_in > 0
    _, first, which = np.unique(truths, axis=0, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[which.reshape(-1)] != np.arange(len(size)))
    if not len(again):
        return ""
    return f"no formula tells blocks {int(first[which.reshape(-1)[again[0]]])} and {int(again[0])} apart"
