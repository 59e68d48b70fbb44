"""Numbers for the parts of a partition."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined
from coarsest._kernels.memory import AHEAD, prefetch

Numbers = NDArray[np.signedinteger[Any]]


@inlined
def number_in_order(part_of: Numbers) -> int:
    """Number parts in the order of their first elements; how many are there?"""
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
