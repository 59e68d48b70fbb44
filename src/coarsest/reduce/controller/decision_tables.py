"""Functions of inputs as tables of decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from coarsest.bdd.protocol import Manager
from coarsest.logic.expr import Value
from coarsest.reduce.partition.diagram_walk import Node

Reaction: TypeAlias = tuple[int, tuple[Value, ...]]
"""The next state, and the outputs."""


class Tables:
    """Decision diagrams as tables; equal parts are written once."""

    def __init__(
        self, manager: Manager[Any], inputs: Sequence[Sequence[int]], reaction: Callable[[Node], Reaction | None]
    ) -> None:
        """The bits of each input, and what a function below them says."""
        self._manager = manager
        self._reaction_of = reaction
        self._owner = {bit: (i, place) for i, places in enumerate(inputs) for place, bit in enumerate(places)}
        self.bits: list[tuple[int, int]] = []
        self._bit: dict[int, int] = {}
        self.decisions: list[tuple[int, int, int]] = []
        self.reactions: list[Reaction | None] = []
        self._places: dict[Node, int] = {}
        self._decided: dict[tuple[int, int, int], int] = {}
        self._reacted: dict[object, int] = {}

    def place(self, node: Node) -> int:
        """The place of a diagram; its parts come before it."""
        place = self._places.get(node)
        if place is None:
            children = self._manager.children(node)
            if children is not None and children[0] in self._owner:
                bit, high, low = children
                place = self._decision(bit, self.place(low), self.place(high))
            else:
                place = self._reaction(node)
            self._places[node] = place
        return place

    def _decision(self, bit: int, low: int, high: int) -> int:
        if low == high:
            return low
        if bit not in self._bit:
            self._bit[bit] = len(self.bits)
            self.bits.append(self._owner[bit])
        entry = self._bit[bit], low, high
        place = self._decided.get(entry)
        if place is None:
            place = self._decided[entry] = len(self.decisions)
            self.decisions.append(entry)
        return place

    def _reaction(self, node: Node) -> int:
        reaction = None if node == self._manager.false else self._reaction_of(node)
        key = None if reaction is None else (reaction[0], tuple((type(value), value) for value in reaction[1]))
        place = self._reacted.get(key)
        if place is None:
            place = self._reacted[key] = -1 - len(self.reactions)
            self.reactions.append(reaction)
        return place


def reactions_from(
    root: int, decisions: Sequence[tuple[int, int, int]], reactions: Sequence[Reaction | None]
) -> Iterator[Reaction]:
    """What the decisions of a state lead to, each once; forbidden inputs lead to nothing."""
    waiting, visited = [root], set[int]()
    while waiting:
        place = waiting.pop()
        if place in visited:
            continue
        visited.add(place)
        if place >= 0:
            waiting += [decisions[place][2], decisions[place][1]]
        elif (reaction := reactions[-1 - place]) is not None:
            yield reaction


def breadth_first(initial: int, roots: Sequence[int], table: Tables) -> tuple[list[int], dict[int, int]]:
    """The states in the order in which they are met, and their numbers in it."""
    order, renamed = [initial], {initial: 0}
    for state in order:
        for target, _ in reactions_from(roots[state], table.decisions, table.reactions):
            if target not in renamed:
                renamed[target] = len(order)
                order.append(target)
    return order, renamed
