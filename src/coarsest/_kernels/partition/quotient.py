"""Quotients of graphs by a partition: one row of transitions for each block, checked against all its states."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.memory import ROWS_AHEAD, prefetch, prefetch_row, room, scattered
from coarsest._kernels.sorting import DIGIT_BITS, put_digits_in_order, put_in_order

Numbers = NDArray[np.signedinteger[Any]]

SORTED_WITHOUT_JUMPS: Final = 8
"""Rows of up to this many transitions are sorted without jumps."""
SORTED_BY_DIGITS: Final = 256
"""Rows of at least this many transitions are sorted by digits."""
COMPARED_AS_A_WHOLE: Final = 32
"""Rows of at least this many transitions are first compared as they are, before each transition is searched for."""


@inlined
def _put_few_in_order(keys: NDArray[np.int64], length: int, aside: NDArray[np.int64]) -> None:
    """Sort the first keys by counting how many are smaller than each, without jumps that the processor could not predict."""
    for at in range(length):
        smaller = 0
        for other in range(length):
            smaller += (keys[other] < keys[at]) | ((keys[other] == keys[at]) & (other < at))
        aside[smaller] = keys[at]
    for at in range(length):
        keys[at] = aside[at]


@inlined
def _sorted_row(keys: NDArray[np.int64], length: int, aside: NDArray[np.int64], ends: NDArray[np.int64]) -> int:
    """Sort the first keys and drop repetitions; `aside` and `ends` are room for it. Returns how many keys are left."""
    in_order = True
    for at in range(1, length):
        in_order &= keys[at - 1] < keys[at]
    if in_order:
        return length
    if length <= SORTED_WITHOUT_JUMPS:
        _put_few_in_order(keys, length, aside)
    elif length < SORTED_BY_DIGITS:
        put_in_order(keys, 0, length)
    else:
        put_digits_in_order(keys, length, aside, ends)
    kept = 0
    for at in range(length):
        if at == 0 or keys[at] != keys[at - 1]:
            keys[kept] = keys[at]
            kept += 1
    return kept


@compiled
def first_members(blocks: Numbers, firsts: Numbers) -> None:
    """The first state of each block."""
    for state in range(len(blocks) - 1, -1, -1):
        firsts[blocks[state]] = state


@compiled
def follow(numbers: Numbers, further: Numbers) -> None:
    """Replace each number n by `further[n]`; -1 stays."""
    for at in range(len(numbers)):
        if numbers[at] >= 0:
            numbers[at] = further[numbers[at]]


@compiled
def block_rows(
    offsets: Numbers, actions: Numbers, targets: Numbers, ranks: Numbers, blocks: Numbers, chosen: Numbers,
    row_offsets: Numbers, row_actions: Numbers, row_targets: Numbers,
) -> None:  # fmt: skip
    """The transitions of the chosen states as pairs (rank of the action, block of the target), in order and without repetitions.

    Row k is that of `chosen[k]`.
    """
    most = 1
    for row in range(len(chosen)):
        most = max(most, offsets[chosen[row] + 1] - offsets[chosen[row]])
    keys = np.empty(most, dtype=np.int64)
    aside = np.empty(most if most >= SORTED_BY_DIGITS else SORTED_WITHOUT_JUMPS, dtype=np.int64)
    ends = np.empty(1 << DIGIT_BITS, dtype=np.int64)
    used = 0
    row_offsets[0] = 0
    known = len(chosen) if scattered(offsets, targets, blocks) else 0
    for row in range(len(chosen)):
        prefetch_row(chosen, row, known, offsets, targets, blocks)
        if row + 2 * ROWS_AHEAD < known:
            prefetch(actions, offsets[chosen[row + 2 * ROWS_AHEAD]])
        begin, end = offsets[chosen[row]], offsets[chosen[row] + 1]
        for index in range(begin, end):
            keys[index - begin] = (np.int64(ranks[actions[index]]) << 32) | np.int64(blocks[targets[index]])
        for at in range(_sorted_row(keys, end - begin, aside, ends)):
            row_actions[used] = keys[at] >> 32
            row_targets[used] = keys[at] & 0xFFFFFFFF
            used += 1
        row_offsets[row + 1] = used


@inlined
def _place_in_row(key: np.int64, row_actions: Numbers, row_targets: Numbers, begin: int, end: int) -> int:
    """The position of a pair in a row, or the position where it would be."""
    while begin < end:
        middle = (begin + end) // 2
        if ((np.int64(row_actions[middle]) << 32) | np.int64(row_targets[middle])) < key:
            begin = middle + 1
        else:
            end = middle
    return begin


@inlined
def _alike(offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers, state: int, other: int) -> bool:
    """Do two states have the same actions into the same blocks, one after the other in the same order?"""
    begin, place, length = offsets[state], offsets[other], offsets[state + 1] - offsets[state]
    if offsets[other + 1] - place != length:
        return False
    for at in range(length):
        if actions[begin + at] != actions[place + at] or blocks[targets[begin + at]] != blocks[targets[place + at]]:
            return False
    return True


@compiled
def first_deviation(
    offsets: Numbers, actions: Numbers, targets: Numbers, ranks: Numbers, blocks: Numbers, chosen: Numbers,
    row_offsets: Numbers, row_actions: Numbers, row_targets: Numbers, internal: int,
) -> int:  # fmt: skip
    """A state whose transitions are not those of the row of its block, or -1: then the partition is stable.

    Transitions with the action `internal` inside a block do not count; a state with such transitions need not have all others.
    """
    if len(chosen) == len(blocks):
        return -1
    last_met = room(row_offsets[len(chosen)], blocks.dtype)
    last_met[:] = -1
    for state in range(len(blocks)):
        block = blocks[state]
        if chosen[block] == state:
            continue
        is_long = offsets[state + 1] - offsets[state] >= COMPARED_AS_A_WHOLE
        if is_long and _alike(offsets, actions, targets, blocks, state, chosen[block]):
            continue
        begin, end = row_offsets[block], row_offsets[block + 1]
        met = 0
        inert = False
        for index in range(offsets[state], offsets[state + 1]):
            if actions[index] == internal and blocks[targets[index]] == block:
                inert = True
                continue
            key = (np.int64(ranks[actions[index]]) << 32) | np.int64(blocks[targets[index]])
            low = _place_in_row(key, row_actions, row_targets, begin, end)
            if low == end or row_actions[low] != key >> 32 or row_targets[low] != key & 0xFFFFFFFF:
                return state
            if last_met[low] != state:
                last_met[low] = state
                met += 1
        if met != end - begin and not inert:
            return state
    return -1
