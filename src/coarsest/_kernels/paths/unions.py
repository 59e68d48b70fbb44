"""Sets along paths of a graph without cycles, compiled: sets are rows of bits, in words of 64."""

from __future__ import annotations

from typing import Any

from coarsest._kernels.compile import compiled

Array = Any


@compiled
def unite_along(offsets: Array, targets: Array, rows: Array) -> None:
    """Add to the row of each node those of its successors, which have smaller numbers, and so of all that it leads to."""
    words = rows.shape[1]
    for node in range(len(offsets) - 1):
        for edge in range(offsets[node], offsets[node + 1]):
            target = targets[edge]
            for word in range(words):
                rows[node, word] |= rows[target, word]
