"""Searches in a graph in compressed sparse rows, compiled: each node and each edge is looked at once.

A node that was not reached has -1 in `before`, and one where a search starts has itself. `queue` is as long as there are nodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest._kernels.compile import compiled

Array = Any


@compiled
def breadth_first(
    offsets: Array, targets: Array, enterable: Array, goal: Array, queue: Array, filled: int, before: Array
) -> tuple[int, int, int]:
    """Search from the first `filled` nodes of the queue through enterable nodes, until a node of the goal is entered.

    `queue` and `before` become the nodes that were reached, in their order, and from where. Returns how many nodes were reached,
    how many rings they form, and the node of the goal, or -1.
    """
    rings, at = 0, 0
    while at < filled:
        rings += 1
        for place in range(at, filled):
            node = queue[place]
            at += 1
            for edge in range(offsets[node], offsets[node + 1]):
                target = targets[edge]
                if before[target] < 0 and enterable[target]:
                    before[target] = node
                    queue[filled] = target
                    filled += 1
                    if goal[target]:
                        return filled, rings + 1, target
    return filled, rings, -1


@compiled
def keep_with_successor(offsets: Array, targets: Array, back_offsets: Array, sources: Array, kept: Array, queue: Array) -> int:
    """Remove nodes without a successor in `kept` from it, again and again; `queue` lists them. Returns their number."""
    left = np.zeros(len(kept), dtype=np.int64)
    removed = 0
    for node in range(len(kept)):
        if not kept[node]:
            continue
        for edge in range(offsets[node], offsets[node + 1]):
            if kept[targets[edge]]:
                left[node] += 1
    for node in range(len(kept)):
        if kept[node] and left[node] == 0:
            queue[removed] = node
            removed += 1
    at = 0
    while at < removed:
        node = queue[at]
        at += 1
        kept[node] = False
        for edge in range(back_offsets[node], back_offsets[node + 1]):
            source = sources[edge]
            if kept[source]:
                left[source] -= 1
                if left[source] == 0:
                    queue[removed] = source
                    removed += 1
    return removed
