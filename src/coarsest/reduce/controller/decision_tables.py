"""Functions of inputs as tables of decisions, and the walk over a diagram that finds them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from coarsest.bdd.protocol import Manager
from coarsest.logic.expr import Value

Node = Any
"""A function, seen as the node that it begins with."""

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
        known = self._places.get(node)
        if known is None:
            children = self._manager.children(node)
            if children is not None and children[0] in self._owner:
                bit, high, low = children
                known = self._decision(bit, self.place(low), self.place(high))
            else:
                known = self._reaction(node)
            self._places[node] = known
        return known

    def _decision(self, bit: int, low: int, high: int) -> int:
        if low == high:
            return low
        if bit not in self._bit:
            self._bit[bit] = len(self.bits)
            self.bits.append(self._owner[bit])
        entry = self._bit[bit], low, high
        known = self._decided.get(entry)
        if known is None:
            known = self._decided[entry] = len(self.decisions)
            self.decisions.append(entry)
        return known

    def _reaction(self, node: Node) -> int:
        reaction = None if node == self._manager.false else self._reaction_of(node)
        key = None if reaction is None else (reaction[0], tuple((type(value), value) for value in reaction[1]))
        known = self._reacted.get(key)
        if known is None:
            known = self._reacted[key] = -1 - len(self.reactions)
            self.reactions.append(reaction)
        return known


def breadth_first(initial: int, roots: Sequence[int], table: Tables) -> tuple[list[int], dict[int, int]]:
    """The states in the order in which they are met, and their numbers in it."""
    order, renamed = [initial], {initial: 0}
    for state in order:
        waiting, seen = [roots[state]], set[int]()
        while waiting:
            place = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            if place >= 0:
                waiting += [table.decisions[place][2], table.decisions[place][1]]
            elif (reaction := table.reactions[-1 - place]) is not None and reaction[0] not in renamed:
                renamed[reaction[0]] = len(order)
                order.append(reaction[0])
    return order, renamed


class Walk:
    """One visit to each node above some variables; what is below are the leaves, in the order in which they are met."""

    def __init__(self, manager: Manager[Any], root: Node, below: set[int]) -> None:
        self.manager, self.root = manager, root
        self.leaves: list[Node] = []
        self._inner: list[tuple[Node, int, Node, Node]] = []
        self._parent: dict[Node, tuple[Node, int, bool]] = {}
        waiting, met = [root], {root, manager.false}
        while waiting:
            node = waiting.pop()
            children = manager.children(node)
            if children is None or children[0] in below:
                self.leaves.append(node)
                continue
            variable, then, otherwise = children
            self._inner.append((node, variable, then, otherwise))
            for child, value in ((then, True), (otherwise, False)):
                if child not in met:
                    met.add(child)
                    self._parent[child] = node, variable, value
                    waiting.append(child)

    def rebuilt(self, functions: Sequence[Any]) -> Any:
        """The root with other functions in the place of its leaves."""
        manager = self.manager
        depth = {place: level for level, place in enumerate(manager.order)}
        new = dict(zip(self.leaves, functions)) | {manager.false: manager.false}
        for node, variable, then, otherwise in sorted(self._inner, key=lambda entry: -depth[entry[1]]):
            new[node] = manager.ite(manager.var(variable), new[then], new[otherwise])
        return new[self.root]

    def path(self, leaf: Node) -> dict[int, bool]:
        """Values of variables that lead to a leaf."""
        literals: dict[int, bool] = {}
        while leaf in self._parent:
            leaf, variable, value = self._parent[leaf]
            literals[variable] = value
        return literals
