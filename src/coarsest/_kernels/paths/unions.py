"""Sets along paths of a graph without cycles, compiled: sets are rows of bits, in words of 64."""

from __future__ import annotations

from typing import Any

from coarsest._kernels.compile import compiled

Array = Any


@compiled
def unite_along(offsets: Array, targets: Array, rows: Array) -> None:
    """Add the rows of all nodes that a node leads to to its own row. Successors have smaller numbers."""
    words = rows.shape[1]
    for node in range(len(offsets) - 1):
        for edge in range(offsets[node], offsets[node + 1]):
            target = targets[edge]
            for word in range(words):
                rows[node, word] |= rows[target, word]
