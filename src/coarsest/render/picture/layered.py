"""Layered drawing: nodes in rows, arrows pointing downwards where they can, labels in rows of their own.

Reference: Sugiyama, Tagawa, Toda 1981; Barlow, Bartholomew, Bremner, Brunk 1972 (pooling adjacent violators).
Symbols:   –
Invariant: every link joins neighbouring rows: a long arrow is a chain of bends, one for each row that it passes.
Deviates:  rows have room for labels between them, so that no label can lie on a node or on another label.
Cost:      a few sweeps over nodes and bends; an arrow costs a bend for each row that it passes.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from coarsest.render.picture.row_order import ordered_rows

GAP: Final = 22.0
"""The space between neighbours in a row."""
SWEEPS: Final = 30
STRAIGHT: Final = 8.0
"""The weight of a straight chain of bends, relative to an arrow from a node."""


class NodeExtent(Struct, frozen=True):
    """The extent of an item to the left and right of its own line, and its height."""

    left: float
    right: float
    height: float


class Link(Struct, frozen=True):
    """An arrow from one node to another, with the size of its label if it has one."""

    source: int
    target: int
    label: NodeExtent | None = None


class Bend(Struct, frozen=True):
    """A passage of an arrow through a row: on the line x, from the upper edge of the row to the lower one."""

    x: float
    top: float
    bottom: float


class Route(Struct, frozen=True):
    """An arrow, from its source to its target; `upwards` if the source is the lower one. `label` is among the bends."""

    bends: tuple[Bend, ...]
    upwards: bool
    label: Bend | None


class PictureLayout(Struct, frozen=True):
    """The place of each node (its own line and its middle) and the route of each link."""

    nodes: tuple[tuple[float, float], ...]
    routes: tuple[Route, ...]


def layered(nodes: Sequence[NodeExtent], links: Sequence[Link], *, first: Sequence[int] = ()) -> PictureLayout:
    """Places for nodes and links; the nodes `first` should be at the top. No link may be a loop."""
    rows, upwards = _rows(len(nodes), links, first)
    sizes = list(nodes)
    row_of = [2 * row for row in rows]
    chains: list[list[int]] = []
    label_of: list[int | None] = []
    for number, link in enumerate(links):
        upper, lower = (link.target, link.source) if number in upwards else (link.source, link.target)
        passed = range(row_of[upper] + 1, row_of[lower])
        middle = (rows[upper] + rows[lower] - 1) // 2 * 2 + 1
        chain = list(range(len(sizes), len(sizes) + len(passed)))
        chains.append([upper, *chain, lower])
        label_of.append(chain[passed.index(middle)] if link.label else None)
        for row in passed:
            sizes.append(link.label if link.label and row == middle else NodeExtent(5, 5, 0))
            row_of.append(row)
    steps = [step for chain in chains for step in pairwise(chain)]
    ordered = ordered_rows(row_of, steps)
    x = _places(ordered, sizes, chains, len(nodes))
    spans = _heights(ordered, sizes, steps, x, row_of)

    def bend(item: int) -> Bend:
        return Bend(x[item], *spans[row_of[item]])

    routes = []
    for number, chain in enumerate(chains):
        between = chain[-2:0:-1] if number in upwards else chain[1:-1]
        marked = label_of[number]
        routes.append(Route(tuple(map(bend, between)), number in upwards, None if marked is None else bend(marked)))
    middles = [(x[node], sum(spans[row_of[node]]) / 2) for node in range(len(nodes))]
    return PictureLayout(tuple(middles), tuple(routes))


# Rows


def _rows(count: int, links: Sequence[Link], first: Sequence[int]) -> tuple[list[int], set[int]]:
    """A row for each node, and the links that point upwards: by a search in depth or one in breadth, whichever is shorter."""
    out: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for number, link in enumerate(links):
        out[link.source].append((number, link.target))
    attempts: list[tuple[int, int, list[int], set[int]]] = []
    for rank in (_finished_last(out, first), _found_first(out, first)):
        upwards = {number for number, link in enumerate(links) if rank[link.source] > rank[link.target]}
        rows = _longest_paths(rank, links, upwards, first)
        length = sum(abs(rows[link.source] - rows[link.target]) for link in links)
        attempts.append((length + 2 * len(upwards), len(attempts), rows, upwards))
    _, _, rows, upwards = min(attempts)
    return rows, upwards


def _finished_last(out: Sequence[Sequence[tuple[int, int]]], first: Sequence[int]) -> list[int]:
    """Ranks by which only links that close a cycle in a depth-first search point backwards."""
    finished: list[int] = []
    visited = [False] * len(out)
    for root in (*first, *range(len(out))):
        stack = [] if visited[root] else [(root, iter(out[root]))]
        visited[root] = True
        while stack:
            node, ways = stack[-1]
            target = next((target for _, target in ways if not visited[target]), None)
            if target is None:
                finished.append(node)
                stack.pop()
            else:
                visited[target] = True
                stack.append((target, iter(out[target])))
    rank = [0] * len(out)
    for place, node in enumerate(reversed(finished)):
        rank[node] = place
    return rank


def _found_first(out: Sequence[Sequence[tuple[int, int]]], first: Sequence[int]) -> list[int]:
    """Ranks in the order of a breadth-first search."""
    rank: dict[int, int] = {}
    waiting: deque[int] = deque()
    for start in (first, *((node,) for node in range(len(out)))):
        for node in start:
            if node not in rank:
                rank[node] = len(rank)
                waiting.append(node)
        while waiting:
            for _, target in out[waiting.popleft()]:
                if target not in rank:
                    rank[target] = len(rank)
                    waiting.append(target)
    return [rank[node] for node in range(len(out))]


def _longest_paths(rank: Sequence[int], links: Sequence[Link], upwards: set[int], first: Sequence[int]) -> list[int]:
    """Each node one row below its lowest predecessor; a node without predecessors just above its successors."""
    count = len(rank)
    rows = [0] * count
    below: list[list[int]] = [[] for _ in range(count)]
    above = [0] * count
    for number, link in enumerate(links):
        upper, lower = (link.target, link.source) if number in upwards else (link.source, link.target)
        below[upper].append(lower)
        above[lower] += 1
    for node in sorted(range(count), key=rank.__getitem__):
        for lower in below[node]:
            rows[lower] = max(rows[lower], rows[node] + 1)
    for node in range(count):
        if below[node] and not above[node] and node not in first:
            rows[node] = min(rows[lower] for lower in below[node]) - 1
    return rows


# Places within rows


def _places(
    ordered: Sequence[Sequence[int]], sizes: Sequence[NodeExtent], chains: Sequence[Sequence[int]], nodes: int
) -> list[float]:
    """A line for each item: near those of its neighbours, without overlap within a row."""
    x = [0.0] * len(sizes)
    for row in ordered:
        right = 0.0
        for item in row:
            x[item] = right + sizes[item].left
            right = x[item] + sizes[item].right + GAP
    above: list[list[tuple[int, float]]] = [[] for _ in sizes]
    below: list[list[tuple[int, float]]] = [[] for _ in sizes]
    for upper, lower in (step for chain in chains for step in pairwise(chain)):
        weight = STRAIGHT if upper >= nodes and lower >= nodes else 1.0
        below[upper].append((lower, weight))
        above[lower].append((upper, weight))
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        for row in ordered if downwards else reversed(ordered):
            near = [above[item] if downwards else below[item] for item in row]
            if sweep >= SWEEPS - 4:
                near = [above[item] + below[item] for item in row]
            wishes = [(sum(x[n] * w for n, w in neighbours), sum(w for _, w in neighbours)) for neighbours in near]
            middles = [total / weight if weight else x[item] for item, (total, weight) in zip(row, wishes)]
            weights = [weight or 0.01 for _, weight in wishes]
            for item, place in zip(row, _apart(row, sizes, middles, weights)):
                x[item] = place
    _straighten(x, ordered, sizes, chains)
    left = min((x[item] - size.left for item, size in enumerate(sizes)), default=0.0)
    return [place - left for place in x]


def _straighten(
    x: list[float], ordered: Sequence[Sequence[int]], sizes: Sequence[NodeExtent], chains: Sequence[Sequence[int]]
) -> None:
    """Put the bends of an arrow on one line as far as the neighbours allow, if possible on the line of an end."""
    before = {after: item for row in ordered for item, after in pairwise(row)}
    behind = {item: after for row in ordered for item, after in pairwise(row)}

    def room(bend: int) -> tuple[float, float]:
        left, right = before.get(bend), behind.get(bend)
        low = -math.inf if left is None else x[left] + sizes[left].right + GAP + sizes[bend].left
        high = math.inf if right is None else x[right] - sizes[right].left - GAP - sizes[bend].right
        return low, max(low, high)

    def settle(bends: Sequence[int], low: float, high: float, ends: Sequence[int]) -> None:
        mean = sum(x[bend] for bend in bends) / len(bends)
        lines = [x[end] for end in ends if low <= x[end] <= high] or [min(max(mean, low), high)]
        place = min(lines, key=lambda line: abs(line - mean))
        for bend in bends:
            x[bend] = place

    for _ in range(4):
        for upper, *bends, lower in chains:
            start, low, high = 0, -math.inf, math.inf
            for place, bend in enumerate(bends):
                least, most = room(bend)
                if max(low, least) > min(high, most):
                    settle(bends[start:place], low, high, (upper, lower))
                    start, low, high = place, least, most
                low, high = max(low, least), min(high, most)
            settle(bends[start:], low, high, (upper, lower))


def _apart(row: Sequence[int], sizes: Sequence[NodeExtent], middles: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Positions without overlap in a row, nearest to the wanted ones by least squares; overlapping items are pooled."""
    shifts = [0.0]
    for before, after in pairwise(row):
        shifts.append(shifts[-1] + sizes[before].right + GAP + sizes[after].left)
    pools: list[list[float]] = []  # mean, weight, members
    for want, shift, weight in zip(middles, shifts, weights):
        pools.append([want - shift, weight, 1])
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            mean, more, members = pools.pop()
            last = pools[-1]
            last[0] = (last[0] * last[1] + mean * more) / (last[1] + more)
            last[1] += more
            last[2] += members
    means = [mean for mean, _, members in pools for _ in range(int(members))]
    return [mean + shift for mean, shift in zip(means, shifts)]


def _heights(
    ordered: Sequence[Sequence[int]],
    sizes: Sequence[NodeExtent],
    steps: Sequence[tuple[int, int]],
    x: Sequence[float],
    row_of: Sequence[int],
) -> list[tuple[float, float]]:
    """The upper and lower edge of each row; the space below a row grows with the sideways extent of its links."""
    sideways = [0.0] * len(ordered)
    for upper, lower in steps:
        sideways[row_of[upper]] = max(sideways[row_of[upper]], abs(x[upper] - x[lower]))
    spans = []
    top = 0.0
    for row, reach in zip(ordered, sideways):
        bottom = top + max((sizes[item].height for item in row), default=0.0)
        spans.append((top, bottom))
        top = bottom + 14 + min(46.0, 0.11 * reach)
    return spans
