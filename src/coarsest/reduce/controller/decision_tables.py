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
        """`inputs` are the bits of each input; `reaction` reads a function below them."""
        self._manager = manager
        self._reaction_of = reaction
        self._owner = {bit: (number, shift) for number, bits in enumerate(inputs) for shift, bit in enumerate(bits)}
        self.bits: list[tuple[int, int]] = []
        self._bit: dict[int, int] = {}
        self.decisions: list[tuple[int, int, int]] = []
        self.reactions: list[Reaction | None] = []
        self._entries: dict[Node, int] = {}
        self._decided: dict[tuple[int, int, int], int] = {}
        self._reacted: dict[object, int] = {}

    def entry(self, node: Node) -> int:
        """The number of a decision, or -1 - k for the reaction k; decisions below come first."""
        entry = self._entries.get(node)
        if entry is None:
            children = self._manager.children(node)
            if children is not None and children[0] in self._owner:
                bit, high, low = children
                entry = self._decision(bit, self.entry(low), self.entry(high))
            else:
                entry = self._reaction(node)
            self._entries[node] = entry
        return entry

    def _decision(self, bit: int, low: int, high: int) -> int:
        if low == high:
            return low
        if bit not in self._bit:
            self._bit[bit] = len(self.bits)
            self.bits.append(self._owner[bit])
        decision = self._bit[bit], low, high
        number = self._decided.setdefault(decision, len(self.decisions))
        if number == len(self.decisions):
            self.decisions.append(decision)
        return number

    def _reaction(self, node: Node) -> int:
        reaction = None if node == self._manager.false else self._reaction_of(node)
        key = None if reaction is None else (reaction[0], tuple((type(value), value) for value in reaction[1]))
        number = self._reacted.setdefault(key, len(self.reactions))
        if number == len(self.reactions):
            self.reactions.append(reaction)
        return -1 - number


def reactions_from(
    root: int, decisions: Sequence[tuple[int, int, int]], reactions: Sequence[Reaction | None]
) -> Iterator[Reaction]:
    """The reactions that the decisions of a state lead to, each once. Forbidden inputs have none."""
    waiting, visited = [root], set[int]()
    while waiting:
        node = waiting.pop()
        if node in visited:
            continue
        visited.add(node)
        if node >= 0:
            waiting += [decisions[node][2], decisions[node][1]]
        elif (reaction := reactions[-1 - node]) is not None:
            yield reaction


def breadth_first(initial: int, roots: Sequence[int], table: Tables) -> tuple[list[int], dict[int, int]]:
    """The states in the order in which a search meets them, and their positions in it."""
    order, renamed = [initial], {initial: 0}
    for state in order:
        for target, _ in reactions_from(roots[state], table.decisions, table.reactions):
            if target not in renamed:
                renamed[target] = len(order)
                order.append(target)
    return order, renamed
