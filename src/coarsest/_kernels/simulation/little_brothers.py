"""Transitions to little brothers, compiled.

The targets of one group, the transitions of a state with one action, lie at `offsets[g]` to `offsets[g + 1]` of `targets`.
Bit C of row B of `rows` says that B is below C; no two different states are below each other. If there are no rows, the states
above B lie at `begin[B]` to `begin[B] + size[B]` of `pool`, in order. `kept` becomes false where another target of the group is
above.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest._kernels.compile import compiled
from coarsest._kernels.simulation.listed_rows import lists

Array = Any


@compiled
def mark_kept(offsets: Array, targets: Array, rows: Array, begin: Array, size: Array, pool: Array, kept: Array) -> None:
    """Mark the transitions whose targets are not below another target of their group."""
    for group in range(len(offsets) - 1):
        for place in range(offsets[group], offsets[group + 1]):
            row = targets[place]
            kept[place] = True
            for other in range(offsets[group], offsets[group + 1]):
                column = targets[other]
                if column == row:
                    continue
                if len(rows) == 0:
                    is_above = lists(column, begin[row], begin[row] + size[row], pool)
                else:
                    is_above = bool((rows[row, column >> 6] >> np.uint64(column & 63)) & np.uint64(1))
                if is_above:
                    kept[place] = False
                    break
