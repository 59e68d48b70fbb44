"""Sets along paths of a graph in plain Python: the twin of `unions`, which says what the arguments are."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

Array = Any


def unite_along(offsets: Array, targets: Array, rows: Array) -> None:
    """Add to the row of each node those of its successors, which have smaller numbers, and so of all that it leads to."""
    heads = targets.tolist()
    successors = [heads[begin:end] for begin, end in pairwise(offsets.tolist())]
    for word in range(rows.shape[1]):
        column = rows[:, word].tolist()
        for node, nodes_after in enumerate(successors):
            for target in nodes_after:
                column[node] |= column[target]
        rows[:, word] = column
