"""Sorting, copying and numbering, as parts of kernels.

The compiler's own functions for this take seconds to compile. They also need its runtime for messages about arrays that do not
fit, which object code does not have.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined
from coarsest._kernels.memory import AHEAD, prefetch, room

RUN: Final = 24
"""Runs of this many neighbours are sorted by insertion, before they are merged."""
SORTED_BY_DIGITS: Final = 1 << 12
"""At least this many hashes are sorted by their digits."""
DIGIT_BITS: Final = 11

Numbers = NDArray[np.signedinteger[Any]]


@inlined
def copy_into(target: NDArray[Any], place: int, source: NDArray[Any], begin: int, end: int) -> None:
    """Copy `source[begin:end]` to `target`, from the position `place` on."""
    for at in range(end - begin):
        target[place + at] = source[begin + at]


@inlined
def put_in_order(values: NDArray[Any], begin: int, end: int) -> None:
    """Sort `values[begin:end]`: insertion sorts short runs, which are merged into longer and longer ones."""
    for first in range(begin, end, RUN):
        for right in range(first + 1, min(first + RUN, end)):
            value, left = values[right], right - 1
            while left >= first and values[left] > value:
                values[left + 1] = values[left]
                left -= 1
            values[left + 1] = value
    if end - begin > RUN:
        _merge_runs(values, begin, end, np.empty(end - begin, dtype=values.dtype))


@inlined
def _merge_runs(values: NDArray[Any], begin: int, end: int, aside: NDArray[Any]) -> None:
    """Merge neighbouring runs; `aside` has room for the first of two."""
    length = RUN
    while length < end - begin:
        for first in range(begin, end - length, 2 * length):
            copy_into(aside, 0, values, first, first + length)
            low, high, last = 0, first + length, min(first + 2 * length, end)
            at = first
            while low < length:
                if high < last and values[high] < aside[low]:
                    values[at] = values[high]
                    high += 1
                else:
                    values[at] = aside[low]
                    low += 1
                at += 1
        length *= 2


@inlined
def put_digits_in_order(values: NDArray[np.int64], length: int, aside: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
    """Sort the first values, which are not negative, digit by digit from the last one on. Digits that are all alike are left out.

    `aside` has room for as many values, and `ends` for each digit. The upper half of the bits begins with a new digit.
    """
    different = np.int64(0)
    for at in range(1, length):
        different |= values[at] ^ values[0]
    mask = len(ends) - 1
    for half in (0, 32):
        for shift in range(half, half + 32, DIGIT_BITS):
            if (different >> shift) & mask == 0:
                continue
            ends[:] = 0
            for at in range(length):
                ends[(values[at] >> shift) & mask] += 1
            total = 0
            for digit in range(len(ends)):
                ends[digit], total = total, total + ends[digit]
            for at in range(length):
                own = (values[at] >> shift) & mask
                aside[ends[own]] = values[at]
                ends[own] += 1
            copy_into(values, 0, aside, 0, length)


@inlined
def stable_order(keys: NDArray[Any]) -> NDArray[np.int64]:
    """The positions of the keys in increasing order, by merging longer and longer runs. Equal keys keep their order."""
    number = len(keys)
    order, merged = np.empty(number, dtype=np.int64), np.empty(number, dtype=np.int64)
    for at in range(number):
        order[at] = at
    length = 1
    while length < number:
        for begin in range(0, number, 2 * length):
            middle, end = min(begin + length, number), min(begin + 2 * length, number)
            low, high = begin, middle
            for at in range(begin, end):
                if low < middle and (high == end or keys[order[low]] <= keys[order[high]]):
                    merged[at] = order[low]
                    low += 1
                else:
                    merged[at] = order[high]
                    high += 1
        order, merged = merged, order
        length *= 2
    return order


@inlined
def order_of_hashes(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The positions of the keys in increasing order. Equal keys keep their order. Many keys are sorted digit by digit."""
    number = len(keys)
    if number < SORTED_BY_DIGITS:
        return stable_order(keys)
    order: NDArray[np.int64] = room(number, np.int64)
    moved_order: NDArray[np.int64] = room(number, np.int64)
    values, moved_values = room(number, np.uint64), room(number, np.uint64)
    for at in range(number):
        order[at], values[at] = at, keys[at]
    ends, mask = np.empty(1 << DIGIT_BITS, dtype=np.int64), np.uint64((1 << DIGIT_BITS) - 1)
    for shift in range(0, 64, DIGIT_BITS):
        ends[:] = 0
        for at in range(number):
            ends[(values[at] >> np.uint64(shift)) & mask] += 1
        total = 0
        for digit in range(1 << DIGIT_BITS):
            ends[digit], total = total, total + ends[digit]
        for at in range(number):
            own = np.int64((values[at] >> np.uint64(shift)) & mask)
            moved_values[ends[own]], moved_order[ends[own]] = values[at], order[at]
            ends[own] += 1
        order, moved_order = moved_order, order
        values, moved_values = moved_values, values
    return order


@inlined
def number_in_order(part_of: Numbers) -> int:
    """Number parts in the order of their first elements. Returns the number of parts."""
    largest = -1
    for element in range(len(part_of)):
        largest = max(largest, part_of[element])
    names = np.full(largest + 1, -1, dtype=part_of.dtype)
    used = 0
    for element in range(len(part_of)):
        if element + AHEAD < len(part_of):
            prefetch(names, part_of[element + AHEAD])
        if names[part_of[element]] < 0:
            names[part_of[element]] = used
            used += 1
        part_of[element] = names[part_of[element]]
    return used
