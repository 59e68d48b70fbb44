"""Symbolic signatures in plain Python: the twin of `signatures`. A dictionary of all nodes does the work of the table, which is
left as it is."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]
Numbers = NDArray[np.int32]
Counts = NDArray[np.int64]

BITS: Final = 26
MASK: Final = (1 << BITS) - 1
LISTS: Final = 4093
NO_ROOM: Final = -1
FIRST_LIST: Final = -3


class _Nodes:
    """Level and children of each node, and which node has them."""

    def __init__(self, nodes: Keys, counts: Counts) -> None:
        self._nodes, self._counts = nodes, counts
        self.parts = [(key >> 2 * BITS, key >> BITS & MASK, key & MASK) for key in nodes[: counts[0]].tolist()]
        self._unions: dict[tuple[int, int], int] = {}
        self._number = {parts: number for number, parts in enumerate(self.parts)}

    def node(self, level: int, left: int, right: int) -> int:
        if left == right and level != LISTS:
            return left
        number = self._number.setdefault((level, left, right), len(self.parts))
        if number == len(self.parts):
            if number == len(self._nodes):
                raise MemoryError("there is no room for another node")
            self.parts.append((level, left, right))
            self._nodes[number] = level << 2 * BITS | left << BITS | right
            self._counts[0] = number + 1
        return number

    def below(self, number: int, top: int, level: int | None = None) -> tuple[int, int]:
        """Both children of a node, seen from a level; the node may count as one of another level."""
        own, left, right = self.parts[number]
        return (left, right) if (own if level is None else level) == top else (number, number)

    def numbers(self, listed: int) -> list[int]:
        """What is in a list, largest first."""
        result = []
        while listed:
            _, listed, number = self.parts[listed]
            result.append(number)
        return result

    def listed(self, numbers: Iterable[int]) -> int:
        """The list of some numbers, given from the smallest on."""
        result = 0
        for number in numbers:
            result = self.node(LISTS, result, number)
        return result

    def union(self, one: int, other: int) -> int:
        if one == other or 0 in (one, other):
            return max(one, other)
        if (one, other) not in self._unions:
            top = min(self.parts[one][0], self.parts[other][0])
            if top == LISTS:
                new = self.listed(sorted({*self.numbers(one), *self.numbers(other)}))
            else:
                new = self.node(top, *map(self.union, self.below(one, top), self.below(other, top)))
            self._unions[one, other] = new
        return self._unions[one, other]


def signatures(
    steps: int, blocks: int, after: Numbers, actions: int, _buffer: Numbers, nodes: Keys, _table: Keys, counts: Counts
) -> int:
    tree, after_of = _Nodes(nodes, counts), after.tolist()

    @cache
    def product(steps: int, blocks: int) -> int:
        if 0 in (steps, blocks):
            return 0
        level = tree.parts[blocks][0]
        level = level if level == LISTS else after_of[level]
        top = min(tree.parts[steps][0], level)
        if top == LISTS:
            first = tree.parts[blocks][2] * actions
            return tree.listed(first + action for action in reversed(tree.numbers(steps)))
        zero, one = map(product, tree.below(steps, top), tree.below(blocks, top, level))
        return tree.union(zero, one) if after_of[top] < 0 else tree.node(top, zero, one)

    try:
        return product(steps, blocks)
    except MemoryError:
        return NO_ROOM


def entered(
    levels: Numbers, children: Numbers, results: Numbers, starts: Counts, numbers: Numbers,
    nodes: Keys, _table: Keys, counts: Counts,
) -> int:  # fmt: skip
    tree = _Nodes(nodes, counts)
    try:
        for i in np.flatnonzero(results <= FIRST_LIST).tolist():
            which = FIRST_LIST - int(results[i])
            results[i] = tree.listed(numbers[starts[which] : starts[which + 1]].tolist())
        for i in np.flatnonzero(results == -1).tolist():
            zero, one = children[i // 2 * 2 : i // 2 * 2 + 2].tolist()
            results[i] = tree.node(int(levels[i // 2]), int(results[zero ^ i & 1]), int(results[one ^ i & 1]))
    except MemoryError:
        return NO_ROOM
    return 0


def pairs(first: int, second: int, nodes: Keys, _table: Keys, members: Numbers, tree: Numbers) -> int:
    parts = _Nodes(nodes, np.array([len(nodes)]))
    number_of, waiting = {(first, second): 0}, [(first, second)]
    tree[0, 3:] = -1, 0
    for at, (one, other) in enumerate(waiting):
        top = min(parts.parts[one][0], parts.parts[other][0])
        members[at], tree[at, :3] = (one, other), (top, -1, -1)
        children = zip(parts.below(one, top), parts.below(other, top)) if top != LISTS else ()
        for value, pair in enumerate(children):
            if pair[1] == 0:
                continue
            if pair not in number_of:
                if len(waiting) == len(members):
                    return NO_ROOM
                number_of[pair] = len(waiting)
                tree[len(waiting), 3:] = at, value
                waiting.append(pair)
            tree[at, 1 + value] = number_of[pair]
    return len(waiting)


def rebuilt(order: Counts, tree: Numbers, numbers: Numbers, results: Numbers, nodes: Keys, _table: Keys, counts: Counts) -> int:
    parts, rows = _Nodes(nodes, counts), tree.tolist()
    try:
        for at in reversed(order.tolist()):
            level, zero, one = rows[at][:3]
            below = (int(results[child]) if child >= 0 else 0 for child in (zero, one))
            results[at] = parts.node(LISTS, 0, int(numbers[at])) if level == LISTS else parts.node(level, *below)
    except MemoryError:
        return NO_ROOM
    return 0


def moved(_old: Keys, _table: Keys) -> int:
    return 0


def collected(marks: NDArray[np.bool_], places: Numbers, old: Keys, nodes: Keys, _table: Keys, counts: Counts) -> int:
    before, after = _Nodes(old, np.array([len(marks)])), _Nodes(nodes, counts)
    for i in range(len(marks) - 1, 0, -1):
        level, left, right = before.parts[i]
        if marks[i]:
            marks[left] = marks[right if level != LISTS else left] = True
    try:
        for i in np.flatnonzero(marks[1:]).tolist():
            level, left, right = before.parts[i + 1]
            places[i + 1] = after.node(level, int(places[left]), right if level == LISTS else int(places[right]))
    except MemoryError:
        return NO_ROOM
    return 0
