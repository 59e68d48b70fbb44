"""Compressed sparse rows: transitions gathered by source."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled

Numbers = NDArray[np.signedinteger[Any]]


@compiled
def count_rows(sources: Numbers, offsets: Numbers) -> bool:
    """Fill `offsets` (one more than there are rows) from the row of each entry; are the entries in the order of their rows?"""
    offsets[:] = 0
    ordered = True
    last = 0
    for index in range(len(sources)):
        row = sources[index]
        if row < last:
            ordered = False
        last = row
        offsets[row + 1] += 1
    for row in range(1, len(offsets)):
        offsets[row] += offsets[row - 1]
    return ordered


@compiled
def gather_rows(
    sources: Numbers, offsets: Numbers, first: Numbers, second: Numbers, first_out: Numbers, second_out: Numbers
) -> None:
    """Two columns in the order of their rows; the order within a row is kept."""
    free = offsets[:-1].copy()
    for index in range(len(sources)):
        row = sources[index]
        first_out[free[row]] = first[index]
        second_out[free[row]] = second[index]
        free[row] += 1
