"""Is a partition of the states of a graph stable? Checked from the definition, in a few passes over the transitions.

Strong: if one state of a block has a transition with action a into block C, all states of the block have one.
Branching: if one state of a block has a transition into C that is not inert (internal, within the block), every state of
the block reaches, by inert transitions, a state that has one. Divergence: either all states of a block have an infinite
path of inert transitions, or none has.
Weak: if one state of a block has a transition with action a into block C, then every state of the block gets into C by
silent steps, an a, and silent steps; by silent steps alone, perhaps none, if a is internal. Divergence: if silent steps lead
from one state to a silent cycle, and from there into C, then from every state of the block.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from coarsest import tuning
from coarsest.logic.modal.hennessy_milner import action_text
from coarsest.lts.certificates import CertificateCheck, PartitionCertificate
from coarsest.lts.judge.forms import sees_too_much
from coarsest.lts.judge.hennessy_milner import FormulaChecker
from coarsest.lts.judge.inert_components import InertComponents, inert_components
from coarsest.lts.judge.transitions import Column, Integers, Transitions
from coarsest.lts.judge.weak_steps import WeakSteps, asked_by_block, weak_steps
from coarsest.memory_use import give_back

WEAK = ("weak-bisimulation", "weak-bisimulation-divergence")
RELATIONS = ("bisimulation", "branching-bisimulation", "branching-bisimulation-divergence", *WEAK)


def confirm_partition(columns: Transitions, certificate: PartitionCertificate) -> CertificateCheck:
    """Check that a partition is one of the states, respects the labels, and is stable; and minimal, if it comes with formulas."""
    blocks = certificate.blocks
    if certificate.relation not in RELATIONS:
        return CertificateCheck(f"there is no relation '{certificate.relation}' that a partition certifies")
    problem = _wrong_form(columns, blocks) or _mixed_labels(columns, blocks)
    if not problem and certificate.relation == "bisimulation":
        problem = _unstable(columns, blocks)
    elif not problem and certificate.relation in WEAK:
        problem = _unstable_weakly(columns, certificate)
    elif not problem:
        inert = _inert(columns, blocks)
        components = inert_components(columns.states, columns.sources[inert], columns.targets[inert])
        give_back()
        problem = _unstable_branching(columns, blocks, inert, components)
        if not problem and certificate.relation.endswith("divergence"):
            problem = _divergence_differs(blocks, components.diverges)
    if not problem and certificate.formulas:
        problem = _sees_too_much(certificate) or _not_minimal(columns, certificate)
    number = int(blocks.max(initial=-1)) + 1
    return CertificateCheck(problem, {"blocks": number, "minimal": bool(certificate.formulas) or number < 2})


def _wrong_form(columns: Transitions, blocks: Integers) -> str:
    if blocks.ndim != 1 or len(blocks) != columns.states:
        return f"the graph has {columns.states} states, the partition {blocks.size}"
    if len(blocks) and blocks.min() < 0:
        return f"there is no block {int(blocks.min())}"
    used = np.zeros(min(int(blocks.max(initial=-1)), len(blocks)) + 1, dtype=np.bool_)  # a number may be very large
    used[blocks[blocks < len(used)]] = True
    return "" if used.all() else f"block {int(np.flatnonzero(~used)[0])} has no states"


def _mixed_labels(columns: Transitions, blocks: Integers) -> str:
    if not columns.labels.any():
        return ""
    first = np.zeros(int(blocks.max(initial=-1)) + 1, dtype=np.int64)
    first[blocks[::-1]] = np.arange(columns.states)[::-1]
    different = np.flatnonzero(columns.labels != columns.labels[first[blocks]])
    if not len(different):
        return ""
    return f"states {int(first[blocks[different[0]]])} and {int(different[0])} of one block have different labels"


def _unstable(columns: Transitions, blocks: Integers) -> str:
    """Count, for each block, action and block, the states that have such a transition: all or none."""
    sizes = np.bincount(blocks)
    for part in _by_block(columns, blocks):
        rows = _different(columns.sources[part], columns.actions[part], blocks[columns.targets[part]])
        kinds, which, states = _kinds(np.column_stack([blocks[rows[:, 0]], rows[:, 1:]]))
        short = np.flatnonzero(states < sizes[kinds[:, 0]])
        if len(short):
            block, action, target = kinds[short[0]].tolist()
            able = rows[which == short[0], 0]
            unable = np.setdiff1d(np.flatnonzero(blocks == block), able)
            return (f"state {int(able[0])} has a transition {action_text(columns.action_names[action])} into block {target}, "
                    f"state {int(unable[0])} of the same block has none")  # fmt: skip
    return ""


def _portion() -> int:
    """The number of transitions that are looked at together, which takes about 128 bytes for each."""
    return max(1, tuning.ARRAY_PIECE // 128)


def _by_block(columns: Transitions, blocks: Integers, inert: NDArray[np.bool_] | None = None) -> Iterator[Integers]:
    """The indices of transitions that are not inert, in portions of whole blocks, which limits the memory of a check."""
    own = blocks.astype(columns.sources.dtype)[columns.sources]
    portion, begin = _portion(), 0
    counts = np.zeros(int(blocks.max(initial=0)) + 1, dtype=np.int64)
    for start in range(0, len(own), portion):
        counts += np.bincount(own[start : start + portion], minlength=len(counts))
    ends = np.cumsum(counts)
    while begin < len(ends):
        before = int(ends[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + portion, side="right")))
        inside = own >= begin
        inside &= own < end
        if inert is not None:
            inside[inert] = False
        yield np.flatnonzero(inside)
        begin = end


def _different(first: Column, second: Column, third: Column) -> Column:
    """The different rows of three columns, in order."""
    _, actions, ends = spans = [int(column.max(initial=0)) + 1 for column in (first, second, third)]
    if math.prod(spans) >= 2**63:
        return _kinds(np.column_stack([column.astype(np.int64) for column in (first, second, third)]))[0]
    key = first.astype(np.int64)
    for column, span in ((second, actions), (third, ends)):
        key *= span
        key += column
    key.sort()
    fresh = np.ones(len(key), dtype=np.bool_)
    fresh[1:] = key[1:] != key[:-1]
    key = key[fresh]
    del fresh
    rows = np.empty((len(key), 3), dtype=np.int32 if max(spans) < 2**31 else np.int64)
    rows[:, 2] = key % ends
    key //= ends
    rows[:, 1] = key % actions
    key //= actions
    rows[:, 0] = key
    return rows


def _kinds(rows: Column) -> tuple[Column, Integers, Integers]:
    """The different rows of three numbers, in order; the number of each row among these; and the count of each."""
    spans = [int(column.max(initial=0)) + 1 for column in rows.T]
    fresh = np.ones(len(rows), dtype=np.bool_)
    if math.prod(spans) < 2**63:  # sorting one number for each row is faster
        key = (rows[:, 0].astype(np.int64) * spans[1] + rows[:, 1]) * spans[2] + rows[:, 2]
        order = np.argsort(key, kind="stable")
        fresh[1:] = key[order[1:]] != key[order[:-1]]
    else:
        order = np.lexsort(rows.T[::-1])
        fresh[1:] = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    which = np.empty(len(rows), dtype=np.int64)
    which[order] = np.cumsum(fresh) - 1
    return rows[order[fresh]], which, np.bincount(which, minlength=int(fresh.sum()))


def _unstable_branching(columns: Transitions, blocks: Integers, inert: NDArray[np.bool_], components: InertComponents) -> str:
    """The states of a component that inert transitions do not leave must have, together, all transitions that a state of the
    block has, because every state reaches such a component."""
    ends = np.unique(components.component[components.last])
    blocks = blocks.astype(columns.sources.dtype)  # they are as narrow as states
    sizes = np.bincount(blocks[ends], minlength=1)
    for part in _by_block(columns, blocks, inert):
        needed = _different(blocks[columns.sources[part]], columns.actions[part], blocks[columns.targets[part]])
        part = part[components.last[columns.sources[part]]]
        component = components.component[columns.sources[part]]
        able = _different(component, columns.actions[part], blocks[columns.targets[part]])
        kinds, which, counts = _kinds(np.concatenate([needed, np.column_stack([blocks[able[:, 0]], able[:, 1:]])]))
        short = np.flatnonzero(counts - 1 < sizes[kinds[:, 0]])
        if len(short):
            block, action, target = kinds[short[0]].tolist()
            having = able[which[len(needed) :] == short[0], 0]
            unable = np.setdiff1d(ends[blocks[ends] == block], having)
            name = action_text(columns.action_names[action])
            return f"state {int(unable[0])} of block {block} reaches no transition {name} into block {target}"
    return ""


def _divergence_differs(blocks: Integers, diverges: NDArray[np.bool_]) -> str:
    share = np.bincount(blocks, weights=diverges)
    mixed = np.flatnonzero((share > 0) & (share < np.bincount(blocks)))
    if not len(mixed):
        return ""
    members = np.flatnonzero(blocks == mixed[0])
    divergent, other = members[diverges[members]][0], members[~diverges[members]][0]
    return f"state {int(divergent)} diverges, state {int(other)} of the same block does not"


def _unstable_weakly(columns: Transitions, certificate: PartitionCertificate) -> str:
    weak = weak_steps(columns, certificate.blocks)
    problem = _unanswered(columns, certificate.blocks, weak)
    if not problem and certificate.relation.endswith("divergence"):
        problem = _weak_divergence_differs(certificate.blocks, weak)
    return problem


def _unanswered(columns: Transitions, partition: Integers, weak: WeakSteps) -> str:
    """The problem if a state of a block cannot answer a transition of another. States of one component have the same answers."""
    blocks, asked, internal = partition.tolist(), asked_by_block(columns, partition), columns.internal
    checked: set[tuple[int, int]] = set()
    for state, block in enumerate(blocks):
        if (pair := (block, weak.component[state])) in checked:
            continue
        checked.add(pair)
        for action, ends in asked.get(block, {}).items():
            missing = ends & ~weak.answers_of(weak.component[state], action, internal)
            if missing:
                name = action_text(columns.action_names[action])
                return f"state {state} of block {block} gets by no weak step {name} into block {missing.bit_length() - 1}"
    return ""


def _weak_divergence_differs(blocks: Integers, weak: WeakSteps) -> str:
    first: dict[int, int] = {}
    for state, block in enumerate(blocks.tolist()):
        other = first.setdefault(block, state)
        if weak.divergent[weak.component[state]] != weak.divergent[weak.component[other]]:
            return f"states {other} and {state} of block {block} diverge in different ways"
    return ""


def _inert(columns: Transitions, blocks: Integers) -> NDArray[np.bool_]:
    inert: NDArray[np.bool_] = columns.actions == columns.internal
    portion = _portion()
    for start in range(0, len(inert) if inert.any() else 0, portion):
        part = slice(start, start + portion)
        inert[part] &= blocks[columns.sources[part]] == blocks[columns.targets[part]]
    return inert


def _sees_too_much(certificate: PartitionCertificate) -> str:
    """The problem if a formula may also distinguish related states, so that it shows nothing."""
    for number, formula in enumerate(certificate.formulas):
        problem = sees_too_much(certificate.relation, formula)
        if problem:
            return f"formula {number} sees more than {certificate.relation} does: {problem}"
    return ""


def _not_minimal(columns: Transitions, certificate: PartitionCertificate) -> str:
    """Each formula is true in all states of a block or in none; no two blocks satisfy the same formulas."""
    blocks = certificate.blocks
    parts = [(FormulaChecker(graph), graph.states) for graph in columns.graphs]
    size = np.bincount(blocks)
    truths = np.zeros((len(size), len(certificate.formulas)), dtype=np.bool_)
    for number, formula in enumerate(certificate.formulas):
        true_in, start = np.zeros(len(size), dtype=np.int64), 0
        for checker, states in parts:
            satisfying = np.array(sorted(checker.satisfying(formula, range(states))), dtype=np.int64) + start
            true_in += np.bincount(blocks[satisfying], minlength=len(size))
            start += states
        torn = np.flatnonzero((true_in > 0) & (true_in < size))
        if len(torn):
            return f"formula {number} is true in some states of block {int(torn[0])} only"
        truths[:, number] = true_in > 0
    _, first, which = np.unique(truths, axis=0, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[which.reshape(-1)] != np.arange(len(size)))
    if not len(again):
        return ""
    return f"no formula tells blocks {int(first[which.reshape(-1)[again[0]]])} and {int(again[0])} apart"
