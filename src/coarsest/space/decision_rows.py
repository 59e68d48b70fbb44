"""Decision diagrams of sets that are given by rows of bits.

Reference: –
Symbols:   –
Invariant: when the bits from `place` on are done, there is one row for each way to begin that the set has, and `at` is the number
           of what comes after it; numbers are shared by rows after which the same comes.
Deviates:  –
Cost:      one sort of the rows for each bit; Python makes each test once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

BITS_OF_A_NUMBER: Final = 64
"""Rows of more bits are not compared as numbers."""


def distinct(rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The rows that differ, in increasing order."""
    width = rows.shape[1]
    if width > BITS_OF_A_NUMBER:
        return np.unique(rows, axis=0)
    numbers = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:
        numbers = (numbers << np.uint64(1)) | column
    numbers.sort()
    numbers = numbers[np.concatenate(([True], numbers[1:] != numbers[:-1]))[: len(numbers)]]
    result = np.empty((len(numbers), width), dtype=np.bool_)
    for place in range(width):
        result[:, place] = (numbers >> np.uint64(width - 1 - place)) & np.uint64(1)
    return result


def decided(bits: NDArray[np.bool_], ends: tuple[T, T], test: Callable[[int, T, T], T]) -> T:
    """What tells the rows, which all differ and are in increasing order, from all others.

    `ends` are false and true; `test(place, low, high)` looks at one bit, and goes on at `low` or at `high`.
    """
    nothing, everything = ends
    if not bits.size:
        return everything if len(bits) else nothing  # without bits, there is one row at most
    differs = np.argmax(bits[1:] != bits[:-1], axis=1)  # where each row leaves the one before it
    diagrams, at = [everything], np.zeros(len(bits), dtype=np.int64)
    for place in reversed(range(bits.shape[1])):
        second = np.concatenate(([False], differs == place))
        first = np.concatenate((second[1:], [False]))
        pairs = np.zeros((len(at), 2), dtype=np.int64)  # what comes after 0 and after 1; number 0 is nothing
        ones = bits[:, place]
        pairs[~ones, 0], pairs[ones, 1] = at[~ones] + 1, at[ones] + 1
        pairs[first, 1] = at[second] + 1
        below = [nothing, *diagrams]
        codes, at = np.unique(pairs[~second, 0] * len(below) + pairs[~second, 1], return_inverse=True)
        diagrams = [test(place, below[low], below[high]) for low, high in (divmod(code, len(below)) for code in codes.tolist())]
        bits, differs = bits[~second], differs[~second[1:]]
    return diagrams[0]
