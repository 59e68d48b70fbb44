"""Sorting and copying, as parts of kernels: the compiler's own need more of its runtime than object code has, to complain of
arrays that do not fit, and seconds to compile."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined


@inlined
def copy_into(target: NDArray[Any], place: int, source: NDArray[Any], begin: int, end: int) -> None:
    """Copy `source[begin:end]` to where `place` is."""
    for at in range(end - begin):
        target[place + at] = source[begin + at]


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
