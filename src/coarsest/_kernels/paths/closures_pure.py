"""Searches in a graph in compressed sparse rows, in plain Python: the twin of `closures`, which says what the arguments are."""

from __future__ import annotations

from typing import Any

Array = Any


def breadth_first(
    offsets: Array, targets: Array, enterable: Array, goal: Array, queue: Array, filled: int, before: Array
) -> tuple[int, int, int]:
    """Search from the first `filled` nodes of the queue through enterable nodes, until a node of the goal is entered.

    `queue` and `before` become the nodes that were reached, in their order, and from where. Returns how many nodes were reached,
    how many rings they form, and the node of the goal, or -1.
    """
    ends, heads, allowed, wanted, parent = (column.tolist() for column in (offsets, targets, enterable, goal, before))
    order = queue[:filled].tolist()
    rings, at, hit = 0, 0, -1
    while at < len(order) and hit < 0:
        rings += 1
        ring, at = order[at:], len(order)
        for node in ring:
            for target in heads[ends[node] : ends[node + 1]]:
                if parent[target] < 0 and allowed[target] and hit < 0:
                    parent[target] = node
                    order.append(target)
                    hit = target if wanted[target] else -1
    queue[: len(order)], before[:] = order, parent
    return len(order), rings + (hit >= 0), hit


def keep_with_successor(offsets: Array, targets: Array, back_offsets: Array, sources: Array, kept: Array, queue: Array) -> int:
    """Remove nodes without a successor in `kept` from it, again and again; `queue` lists them. Returns their number."""
    ends, heads, starts, tails, members = (x.tolist() for x in (offsets, targets, back_offsets, sources, kept))
    left = [sum(members[t] for t in heads[ends[n] : ends[n + 1]]) if members[n] else 0 for n in range(len(members))]
    order = [node for node, count in enumerate(left) if members[node] and not count]
    for node in order:  # grows
        members[node] = False
        for source in tails[starts[node] : starts[node + 1]]:
            if members[source]:
                left[source] -= 1
                if left[source] == 0:
                    order.append(source)
    queue[: len(order)], kept[:] = order, members
    return len(order)
