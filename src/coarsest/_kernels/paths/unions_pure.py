"""Sets along paths of a graph in plain Python: the twin of `unions`, which says what the arguments are."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

Array = Any


def unite_along(offsets: Array, targets: Array, rows: Array) -> None:
    """Add the rows of all nodes that a node leads to to its own row. Successors have smaller numbers."""
    heads = targets.tolist()
    successors = [heads[begin:end] for begin, end in pairwise(offsets.tolist())]
    for word in range(rows.shape[1]):
        column = rows[:, word].tolist()
        for node, nodes_after in enumerate(successors):
            for target in nodes_after:
                column[node] |= column[target]
        rows[:, word] = column
