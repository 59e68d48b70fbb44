"""Items level by level from the rim of the hypergraph: optimal on chains, near it on rings and trees.

Reference: Cuthill, McKee 1969, "Reducing the bandwidth of sparse symmetric matrices"; the rim: George, Liu 1979.
Symbols:   a neighbour of an item is a member of one of its edges.
Invariant: the items already walked have all their neighbours in `order`.
Deviates:  on a hypergraph: neighbours are visited edge by edge, small edges first, since those ask for nearness most.
Cost:      a few passes over the incidences.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from coarsest.bdd.order.hypergraph import Hypergraph

MOST_TRIES_FOR_THE_RIM: Final = 4


def cuthill_mckee(graph: Hypergraph) -> list[int]:
    """All items; the components one after the other, by their first item."""
    edges_of: list[list[tuple[int, ...]]] = [[] for _ in graph.widths]
    for edge in sorted(graph.edges, key=lambda edge: (len(edge), edge)):
        for item in edge:
            edges_of[item].append(edge)
    order: list[int] = []
    placed = [False] * len(graph.widths)
    for first in range(len(graph.widths)):
        if not placed[first]:
            component = list(_breadth_first(_rim(first, edges_of), edges_of))
            for item in component:
                placed[item] = True
            # From the end that was declared first, so that an order that was good already stays as it is.
            order += component if component[0] <= component[-1] else reversed(component)
    return order


def _rim(item: int, edges_of: list[list[tuple[int, ...]]]) -> int:
    """An item far from others: the last one reached, and again from there."""
    for _ in range(MOST_TRIES_FOR_THE_RIM):
        *_, last = _breadth_first(item, edges_of)
        if last == item:
            break
        item = last
    return item


def _breadth_first(start: int, edges_of: list[list[tuple[int, ...]]]) -> Iterator[int]:
    order = [start]
    visited = {start}
    seen_edges: set[tuple[int, ...]] = set()
    for item in order:  # grows while it is walked
        yield item
        for edge in edges_of[item]:
            if edge in seen_edges:
                continue
            seen_edges.add(edge)
            new = sorted((member for member in edge if member not in visited), key=lambda member: (len(edges_of[member]), member))
            visited.update(new)
            order += new
