"""Classes of the states from which no infinite path starts: successors first, each class is known at once.

Reference: Dovier, Piazza and Policriti, An efficient algorithm for computing bisimulation equivalence, 2004, section 4.
Symbols:   –
Invariant: all successors of a state in `order` stand before it, so their classes are known when it is looked at.
Deviates:  states are found by counting the successors that are not yet known, not by ranks.
Cost:      O(m + n) expected; nothing but one look at the rows if all transitions lead to states with greater numbers.
"""

from __future__ import annotations

import numpy as np

from coarsest._kernels.compile import inlined
from coarsest._kernels.signature_hash import (
    BLOCKS,
    EMPTY,
    OFTEN,
    STOP,
    WORK,
    Numbers,
    Progress,
    Rows,
    grown,
    keyed,
    place_of,
    room_for_pairs,
    signature,
)


@inlined
def all_lead_upwards(rows: Rows) -> bool:
    """Do all transitions lead to states with greater numbers?"""
    for state in range(len(rows.offsets) - 1):
        for index in range(rows.offsets[state], rows.offsets[state + 1]):
            if rows.targets[index] <= state:
                return False
    return True


@inlined
def some_end(rows: Rows) -> bool:
    """Are there states without transitions?"""
    ends = 0
    for state in range(len(rows.offsets) - 1):
        ends += rows.offsets[state] == rows.offsets[state + 1]
    return ends > 0


@inlined
def successors_first(rows: Rows, order: Numbers) -> int:
    """Put the states without infinite paths into `order`, each after all its successors; how many are there?"""
    states = len(rows.offsets) - 1
    missing = np.empty(states, dtype=order.dtype)
    found = 0
    for state in range(states):
        missing[state] = rows.offsets[state + 1] - rows.offsets[state]
        if missing[state] == 0:
            order[found] = state
            found += 1
    at = 0
    while at < found:
        state = order[at]
        at += 1
        for index in range(rows.in_offsets[state], rows.in_offsets[state + 1]):
            source = rows.sources[index]
            missing[source] -= 1
            if missing[source] == 0:
                order[found] = source
                found += 1
    return found


@inlined
def classify(
    rows: Rows, order: Numbers, found: int, labels: Numbers, blocks: Numbers, salt: np.uint64, progress: Progress
) -> int:
    """Number the classes of the first states in `order`, or of all states from the last to the first if it is empty; how many
    classes are there?"""
    offsets, actions, targets = rows.offsets, rows.actions, rows.targets
    seen = room_for_pairs(offsets)
    size = 1 << 10
    table = np.zeros(2 * size, dtype=np.uint64)
    classes = 0
    for at in range(found):
        state = order[at] if len(order) else found - 1 - at
        key = keyed(signature(state, offsets, actions, targets, blocks, salt, seen), labels[state])
        place = place_of(key, table, size)
        if table[place] == EMPTY:
            table[place] = key
            table[place + 1] = classes
            blocks[state] = classes
            classes += 1
            if 5 * classes > 3 * size:
                table, size = grown(table, size)
        else:
            blocks[state] = table[place + 1]
        if at % OFTEN == 0:
            progress[BLOCKS] = classes
            progress[WORK] += min(OFTEN, found - at)
            if progress[STOP]:
                break
    return classes
