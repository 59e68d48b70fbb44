"""The coarsest stable partition by signatures, looking again only at states with a changed successor.

Reference: Dovier, Piazza and Policriti 2004 (states without infinite paths); Blom and Orzan 2005 (rounds); Jacobs and Wißmann,
           Fast coalgebraic bisimilarity minimization, 2023 (dirty states, the largest part keeps its number).
Symbols:   the signature of a state is the set of pairs (action, block of the target) of its transitions.
Invariant: two states in different blocks are not bisimilar.
Deviates:  the three are used one after the other, each where it is fastest. Signatures are compared by hashes of 64 bits: equal
           hashes of different ones leave a partition that is too coarse, which the caller finds when it builds the quotient.
Cost:      O(m) for the first part and for each round, O(m d log n) for the rest if d is the largest number of transitions of a
           state. Past a limit of work the kernel gives up.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.key_table import Numbers
from coarsest._kernels.memory import AHEAD, prefetch, room
from coarsest._kernels.partition.dirty_jacobs_wissmann import refine_dirty
from coarsest._kernels.partition.rounds_blom_orzan import refine_in_rounds
from coarsest._kernels.partition.signature_hash import Progress, TwoWayRows, mix
from coarsest._kernels.partition.without_cycles import all_lead_upwards, classify_upwards, classify_where_paths_end, some_end
from coarsest._kernels.progress import GAVE_UP, STOP
from coarsest._kernels.sorting import copy_into, number_in_order

UNKNOWN: Final = -1
"""The block of a state before it is computed."""


@inlined
def _turned_round(offsets: Numbers, actions: Numbers, targets: Numbers) -> TwoWayRows:
    """The graph with the sources of the transitions into each state."""
    states = len(offsets) - 1
    in_offsets = room(states + 1, offsets.dtype)
    in_offsets[:] = 0
    sources = room(len(targets), targets.dtype)
    for index in range(len(targets)):
        if index + AHEAD < len(targets):
            prefetch(in_offsets, targets[index + AHEAD])
        in_offsets[targets[index]] += 1
    for state in range(1, states + 1):
        in_offsets[state] += in_offsets[state - 1]
    for state in range(states):
        for index in range(offsets[state], offsets[state + 1]):
            if index + 2 * AHEAD < len(targets):
                prefetch(in_offsets, targets[index + 2 * AHEAD])
                prefetch(sources, in_offsets[targets[index + AHEAD]] - 1)
            target = targets[index]
            in_offsets[target] -= 1
            sources[in_offsets[target]] = state
    return TwoWayRows(offsets, actions, targets, in_offsets, sources)


@inlined
def _active(blocks: Numbers, labels: Numbers, classes: int) -> tuple[Numbers, int]:
    """Put the states without a block into blocks by their labels. Returns these states, and the number of blocks."""
    number = 0
    largest = 0
    for state in range(len(blocks)):
        largest = max(largest, labels[state])
        number += blocks[state] == UNKNOWN
    active = np.empty(number, dtype=blocks.dtype)
    names = np.full(largest + 1, -1, dtype=blocks.dtype)
    count = classes
    at = 0
    for state in range(len(blocks)):
        if blocks[state] == UNKNOWN:
            if names[labels[state]] < 0:
                names[labels[state]] = count
                count += 1
            blocks[state] = names[labels[state]]
            active[at] = state
            at += 1
    return active, count


@compiled
def coarsest_partition(
    offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers, progress: Progress, seed: int
) -> int:
    """Refine `blocks`, numbered from 0, to the coarsest stable partition; the number of blocks, or GAVE_UP.

    Blocks are numbered in the order of their first states. After giving up, by a limit or on request, `blocks` is a partition
    between the first and the stable one.
    """
    states = len(blocks)
    labels = blocks.copy()
    blocks[:] = UNKNOWN
    salt = mix(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15))
    rows = TwoWayRows(offsets, actions, targets, offsets[:0], targets[:0])
    upwards = all_lead_upwards(rows)
    classes = 0
    if upwards:
        classes = classify_upwards(rows, labels, blocks, salt, progress)
    elif some_end(rows):
        rows = _turned_round(offsets, actions, targets)
        classes = classify_where_paths_end(rows, labels, blocks, salt, progress)
    if progress[STOP]:
        copy_into(blocks, 0, labels, 0, states)
        return GAVE_UP
    if upwards:
        return number_in_order(blocks)
    active, count = _active(blocks, labels, classes)
    moved = np.zeros(states, dtype=np.bool_)
    number, frozen, count, stable = refine_in_rounds(rows, blocks, active, classes, count, salt, moved, progress)
    if not stable and not progress[STOP]:
        if len(rows.in_offsets) == 0:
            rows = _turned_round(offsets, actions, targets)
        stable, count = refine_dirty(rows, blocks, active[:number], frozen, count, moved, salt, progress)
    count = number_in_order(blocks)
    return count if stable else GAVE_UP
