"""Classes of the states from which no infinite path starts: successors first, each class is known at once.

Reference: Dovier, Piazza and Policriti, An efficient algorithm for computing bisimulation equivalence, 2004, section 4.
Symbols:   –
Invariant: the keys of all successors of a state are known when it is looked at. A key is a hash of all that can be seen from it.
Deviates:  states are found by counting the successors that are not yet known, not by ranks. Classes are numbered by their keys at
           the end: to look one up for every state before the next one would wait for memory.
Cost:      O(m + n) expected; no predecessors are needed if all transitions lead to states with greater numbers.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from coarsest._kernels.compile import inlined
from coarsest._kernels.key_table import EMPTY, Hashes, Numbers, numbered
from coarsest._kernels.memory import ROWS_AHEAD, prefetch, prefetch_row, room, scattered
from coarsest._kernels.partition.signature_hash import (
    STATES_BETWEEN_LOOKS,
    Progress,
    TwoWayRows,
    keyed,
    room_for_pairs,
    signature,
)
from coarsest._kernels.progress import STOP, WORK

AT_ONCE: Final = 1 << 13
"""The number of states that are looked at before their predecessors are."""


@inlined
def all_lead_upwards(rows: TwoWayRows) -> bool:
    """Do all transitions lead to states with greater numbers?"""
    for state in range(len(rows.offsets) - 1):
        for index in range(rows.offsets[state], rows.offsets[state + 1]):
            if rows.targets[index] <= state:
                return False
    return True


@inlined
def some_end(rows: TwoWayRows) -> bool:
    """Are there states without transitions?"""
    ends = 0
    for state in range(len(rows.offsets) - 1):
        ends += rows.offsets[state] == rows.offsets[state + 1]
    return ends > 0


@inlined
def classify_upwards(rows: TwoWayRows, labels: Numbers, blocks: Numbers, salt: np.uint64, progress: Progress) -> int:
    """Number the classes of all states if all transitions lead upwards. Returns the number of classes."""
    offsets, actions, targets = rows.offsets, rows.actions, rows.targets
    pairs, seen = room_for_pairs(offsets)
    keys = room(len(blocks), np.uint64)
    for state in range(len(blocks) - 1, -1, -1):
        keys[state] = keyed(signature(state, offsets, actions, targets, keys, salt, pairs, seen), labels[state])
        if state % STATES_BETWEEN_LOOKS == 0:
            progress[WORK] += min(STATES_BETWEEN_LOOKS, len(blocks) - state)
            if progress[STOP]:
                return 0
    return numbered(keys, blocks)


@inlined
def classify_where_paths_end(rows: TwoWayRows, labels: Numbers, blocks: Numbers, salt: np.uint64, progress: Progress) -> int:
    """Number the classes of the states without infinite paths. Returns the number of classes."""
    states = len(blocks)
    keys, order, missing = room(states, np.uint64), room(states + 1, blocks.dtype), room(states, blocks.dtype)
    keys[:] = EMPTY
    found = 0
    for state in range(states):
        missing[state] = rows.offsets[state + 1] - rows.offsets[state]
        order[found] = state
        found += missing[state] == 0
    pairs, seen = room_for_pairs(rows.offsets)
    far = scattered(rows.offsets, rows.targets, keys)
    first = 0
    while first < found and not progress[STOP]:
        last = min(found, first + AT_ONCE)
        known = found if far else 0
        _sign(order, first, last, known, rows.offsets, rows.actions, rows.targets, labels, salt, pairs, seen, keys)
        found = _release(order, first, last, found, known, rows.in_offsets, rows.sources, missing)
        progress[WORK] += last - first
        first = last
    return _number_known(keys, order, missing, blocks)


@inlined
def _sign(
    order: Numbers, first: int, last: int, known: int, offsets: Numbers, actions: Numbers, targets: Numbers, labels: Numbers,
    salt: np.uint64, pairs: Hashes, seen: Hashes, keys: Hashes,
) -> None:  # fmt: skip
    """Compute the keys of `order[first:last]`, and fetch in time what the states before `known` need."""
    for at in range(first, last):
        prefetch_row(order, at, known, offsets, targets, keys)
        if at + 2 * ROWS_AHEAD < known:
            prefetch(actions, offsets[order[at + 2 * ROWS_AHEAD]])
            prefetch(labels, order[at + 2 * ROWS_AHEAD])
            prefetch(keys, order[at + 2 * ROWS_AHEAD])
        state = order[at]
        keys[state] = keyed(signature(state, offsets, actions, targets, keys, salt, pairs, seen), labels[state])


@inlined
def _release(
    order: Numbers, first: int, last: int, found: int, known: int, in_offsets: Numbers, sources: Numbers, missing: Numbers
) -> int:
    """Append the states that lack no successor any more after `order[first:last]`. Returns where `order` ends then."""
    for at in range(first, last):
        prefetch_row(order, at, known, in_offsets, sources, missing)
        for index in range(in_offsets[order[at]], in_offsets[order[at] + 1]):
            source = sources[index]
            missing[source] -= 1
            order[found] = source
            found += missing[source] == 0
    return found


@inlined
def _number_known(keys: Hashes, known: Numbers, class_of: Numbers, blocks: Numbers) -> int:
    """Number the classes of the states with a key. Returns how many there are; `known` and `class_of` are room for the work."""
    number = 0
    for state in range(len(blocks)):
        keys[number] = keys[state]
        known[number] = state
        number += keys[state] != EMPTY
    classes = numbered(keys[:number], class_of)
    for at in range(number):
        blocks[known[at]] = class_of[at]
    return classes
