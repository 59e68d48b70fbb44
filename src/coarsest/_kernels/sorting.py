"""Sorting and copying, as parts of kernels: the compiler's own need more of its runtime than object code has, to complain of
arrays that do not fit, and seconds to compile."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined
from coarsest._kernels.memory import room

RUN = 24
"""So many neighbours are sorted by insertion, before such runs are merged."""
MANY, DIGIT = 1 << 12, 11
"""So many hashes are sorted by their digits, of so many bits each."""


@inlined
def copy_into(target: NDArray[Any], place: int, source: NDArray[Any], begin: int, end: int) -> None:
    """Copy `source[begin:end]` to where `place` is."""
    for at in range(end - begin):
        target[place + at] = source[begin + at]


@inlined
def put_in_order(values: NDArray[Any], begin: int, end: int) -> None:
    """Sort `values[begin:end]`: short runs by insertion, which are merged into longer and longer ones."""
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
    """Merge runs that lie beside each other; there is room for the first of them in `aside`."""
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
    """Sort the first values, none of which is negative, digit by digit from the last one on, but for those that are all alike.

    There is room for as many `aside`, and for each digit in `ends`. Digits begin anew with the upper half.
    """
    different = np.int64(0)
    for at in range(1, length):
        different |= values[at] ^ values[0]
    mask = len(ends) - 1
    for half in (0, 32):
        for shift in range(half, half + 32, DIGIT):
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
    """Where the keys are in increasing order, equal ones as they were: runs are merged that become longer and longer."""
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
    """Where the keys are in increasing order, equal ones as they were: many are sorted digit by digit, from the last one on."""
    number = len(keys)
    if number < MANY:
        return stable_order(keys)
    order: NDArray[np.int64] = room(number, np.int64)
    moved_order: NDArray[np.int64] = room(number, np.int64)
    values, moved_values = room(number, np.uint64), room(number, np.uint64)
    for at in range(number):
        order[at], values[at] = at, keys[at]
    ends, mask = np.empty(1 << DIGIT, dtype=np.int64), np.uint64((1 << DIGIT) - 1)
    for shift in range(0, 64, DIGIT):
        ends[:] = 0
        for at in range(number):
            ends[(values[at] >> np.uint64(shift)) & mask] += 1
        total = 0
        for digit in range(1 << DIGIT):
            ends[digit], total = total, total + ends[digit]
        for at in range(number):
            own = np.int64((values[at] >> np.uint64(shift)) & mask)
            moved_values[ends[own]], moved_order[ends[own]] = values[at], order[at]
            ends[own] += 1
        order, moved_order = moved_order, order
        values, moved_values = moved_values, values
    return order
