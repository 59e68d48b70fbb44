"""One visit to each node of a decision diagram above some variables: P(x, b) as the functions of b that it has for some x."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from coarsest.bdd.protocol import Manager

Node: TypeAlias = Any
"""A function, seen as the node that it begins with."""


class DiagramWalk:
    """A function as a diagram whose leaves are the nodes at and below some variables, in the order in which they are met."""

    def __init__(self, manager: Manager[Any], root: Node, below: set[int]) -> None:
        self.manager, self.root = manager, root
        self.leaves: list[Node] = []
        self.inner: list[tuple[Node, int, Node, Node]] = []
        """Variable and children of each node, which comes before these."""
        self._parent: dict[Node, tuple[Node, int, bool]] = {}
        """How each node was first met: from which one, and by which variable and value."""
        if root != manager.false:
            self._visit(below)

    def _visit(self, below: set[int]) -> None:
        children_of, parent, inner, waiting = self.manager.children, self._parent, self.inner, [self.root]
        met = {self.root, self.manager.false}
        while waiting:
            node = waiting.pop()
            children = children_of(node)
            if children is None or children[0] in below:
                self.leaves.append(node)
                continue
            variable, then, otherwise = children
            inner.append((node, variable, then, otherwise))
            if then not in met:
                met.add(then)
                parent[then] = node, variable, True
                waiting.append(then)
            if otherwise not in met:
                met.add(otherwise)
                parent[otherwise] = node, variable, False
                waiting.append(otherwise)
        depth = {place: level for level, place in enumerate(self.manager.order)}
        inner.sort(key=lambda entry: depth[entry[1]])

    def rebuilt(self, functions: Mapping[Node, Node]) -> Node:
        """The root with other functions in the place of its leaves."""
        manager, ite = self.manager, self.manager.ite
        variables = {place: manager.var(place) for place in {entry[1] for entry in self.inner}}
        new = {**functions, manager.false: manager.false}
        for node, variable, then, otherwise in reversed(self.inner):
            new[node] = ite(variables[variable], new[then], new[otherwise])
        return new[self.root]

    def path(self, leaf: Node) -> dict[int, bool]:
        """Values of variables that lead to a leaf."""
        literals: dict[int, bool] = {}
        while leaf in self._parent:
            leaf, variable, value = self._parent[leaf]
            literals[variable] = value
        return literals

    def least_numbers(self, weights: Mapping[int, int]) -> dict[Node, int]:
        """For each leaf, the least sum of the weights of variables that are true on a way to it; upper variables weigh more."""
        least = {self.root: 0}
        for node, variable, then, otherwise in self.inner:
            here = least[node]
            for child, number in ((otherwise, here), (then, here + weights[variable])):
                if child not in least or number < least[child]:
                    least[child] = number
        return {leaf: least[leaf] for leaf in self.leaves}
