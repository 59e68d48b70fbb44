"""Reachable nodes, nodes from which a path can stay in a set for ever, and shortest paths, in time linear in the edges.

Reference: Clarke, Emerson, Sistla 1986 (E[p U q] backwards from q; EG p by counting successors, as Arnold, Crubillé 1988 do).
Symbols:   –
Invariant: every node enters the queue of a search once, and every edge is looked at once for each of its ends.
Deviates:  –
Cost:      linear in nodes and edges, however long the paths are.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.lts.attended import attended
from coarsest.lts.csr import Csr, Mask
from coarsest.lts.labelled import Graph
from coarsest.run import Run


class SearchTree(Struct, frozen=True, eq=False):
    """The nodes that a search has reached, by their distance, and the predecessor of each node (-1 if it was not reached)."""

    reached: NDArray[np.signedinteger[Any]]
    before: NDArray[np.signedinteger[Any]]
    rings: int
    hit: int
    """The node of the goal at which the search ended, or -1."""


def path_back(before: NDArray[np.signedinteger[Any]], node: int) -> list[int]:
    """The path from a start of the search to a node."""
    path = [node]
    while (earlier := int(before[path[-1]])) != path[-1]:
        path.append(earlier)
    path.reverse()
    return path


def search(graph: Csr, run: Run, start: Mask, *, enterable: Mask | None = None, goal: Mask | None = None) -> SearchTree:
    """Search breadth first from the start, which is no goal by itself, through enterable nodes, until the goal is reached."""
    nodes = graph.nodes
    first = np.flatnonzero(start).astype(graph.targets.dtype)
    queue, before = np.empty(nodes, dtype=graph.targets.dtype), np.full(nodes, -1, dtype=graph.targets.dtype)
    queue[: len(first)], before[first] = first, first
    allowed = np.ones(nodes, dtype=np.bool_) if enterable is None else enterable
    goals = np.zeros(nodes, dtype=np.bool_) if goal is None else goal
    kernel = kernels("paths.closures", graph.edges)
    work = partial(kernel.breadth_first, graph.offsets, graph.targets, allowed, goals, queue, len(first), before)
    ((filled, rings, hit),) = attended(run, "search", work)
    return SearchTree(queue[:filled], before, int(rings), int(hit))


def reachable(graph: Graph, run: Run) -> SearchTree:
    """The states that can be reached from the initial ones."""
    start = np.zeros(graph.states, dtype=np.bool_)
    start[graph.initial] = True
    return search(Csr(graph.offsets.astype(np.int64, copy=False), graph.targets), run, start)


def reachable_part(graph: Graph, run: Run, *, keep: bool = False) -> tuple[Graph, NDArray[np.int64]]:
    """The graph of the reachable states, in the order in which a search meets them, and the new number of each state, or -1. With
    `keep`, the other states come after these."""
    order = reachable(graph, run).reached.astype(np.int64)
    if keep:
        order = np.concatenate([order, np.setdiff1d(np.arange(graph.states), order)])
    numbers = np.full(graph.states, -1, dtype=np.int64)
    numbers[order] = np.arange(len(order))
    inside = numbers[graph.sources] >= 0
    part = Graph.from_edges(
        len(order), numbers[graph.sources][inside], graph.actions[inside], numbers[graph.targets][inside],
        initial=numbers[graph.initial], labels=graph.labels[order], action_names=graph.action_names,
        label_names=graph.label_names,
    )  # fmt: skip
    return part, numbers


def without_successor(stuck: NDArray[np.signedinteger[Any]]) -> str:
    """A warning about reachable states without successor: their number, and one of them; empty if there are none.

    >>> without_successor(np.array([7, 3]))
    '2 reachable states have no successor, for example 3'
    """
    if not len(stuck):
        return ""
    return f"{len(stuck)} reachable state{'s have' if len(stuck) > 1 else ' has'} no successor, for example {stuck.min()}"


def shortest_path(graph: Csr, run: Run, start: Mask, through: Mask, goal: Mask) -> list[int]:
    """A shortest path from a node of `start` to one of `goal`, with all nodes but the last in `through`; empty if there is
    none."""
    if (start & goal).any():
        return [int(np.argmax(start & goal))]
    searched = search(graph, run, start & through, enterable=through | goal, goal=goal)
    return [] if searched.hit < 0 else path_back(searched.before, searched.hit)


def reaching(graph: Csr, run: Run, through: Mask, goal: Mask) -> Mask:
    """The nodes from which the goal can be reached through nodes of a set: E[through U goal]."""
    return search(graph.transposed, run, goal, enterable=through).before >= 0


def staying(graph: Csr, run: Run, members: Mask) -> Mask:
    """The nodes from which a path can stay in a set for ever: EG members."""
    region, back = members.copy(), graph.transposed
    queue = np.empty(graph.nodes, dtype=graph.targets.dtype)
    kernel = kernels("paths.closures", graph.edges)
    rows = graph.offsets, graph.targets, back.offsets, back.targets
    attended(run, "stay", partial(kernel.keep_with_successor, *rows, region, queue))
    return region


def leading_into(graph: Csr, members: Mask) -> Mask:
    """The nodes with a successor in a set: EX members."""
    sources = np.zeros(graph.nodes, dtype=np.bool_)
    sources[graph.sources[members[graph.targets]]] = True
    return sources


def components(graph: Csr, run: Run, edges: Mask) -> NDArray[np.int64]:
    """The number of the strongly connected component of each node; only chosen edges count."""
    component = np.empty(graph.nodes, dtype=np.int64)
    kernel = kernels("partition.silent_components", graph.edges)
    attended(run, "components", partial(kernel.components, graph.offsets, graph.targets, edges, component))
    return component


def on_cycles(graph: Csr, run: Run, edges: Mask) -> tuple[Mask, NDArray[np.int64]]:
    """The nodes on cycles of chosen edges, and the components of all nodes."""
    component, sources = components(graph, run, edges), graph.sources
    inner = edges & (component[sources] == component[graph.targets])
    cyclic = np.zeros(graph.nodes, dtype=np.bool_)
    cyclic[sources[inner]] = True
    return cyclic, component


def closed(graph: Csr, run: Run, path: list[int], members: Mask) -> tuple[list[int], int]:
    """A path, continued along members by a shortest path back to its last node: a lasso, and the index where its loop begins."""
    node = path[-1]
    closing, start = np.zeros((2, graph.nodes), dtype=np.bool_)
    closing[graph.transposed.successors(node)] = True
    start[node] = True
    cycle = shortest_path(graph, run, start, members, closing & members)
    return [*path[:-1], *cycle], len(path) - 1
