"""One visit to each node of a decision diagram above some variables: P(x, b) as the functions of b that it has for some x."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from coarsest.bdd.protocol import Manager

Node: TypeAlias = Any
"""A function, represented by its top node."""


class DiagramWalk:
    """A function as a diagram whose leaves are the nodes at and below some variables, in the order in which they are met."""

    def __init__(self, manager: Manager[Any], root: Node, below: set[int]) -> None:
        self.manager, self.root = manager, root
        self.leaves: list[Node] = []
        self.inner: list[tuple[Node, int, Node, Node]] = []
        """Node, variable and children of each node, parents before children."""
        self._parent: dict[Node, tuple[Node, int, bool]] = {}
        """For each node, the parent from which it was first met, with the variable and the value that lead to it."""
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
        depth = {variable: level for level, variable in enumerate(self.manager.order)}
        inner.sort(key=lambda entry: depth[entry[1]])

    def rebuilt(self, functions: Mapping[Node, Node]) -> Node:
        """The root with each leaf replaced by a function."""
        manager = self.manager
        literals = {variable: manager.var(variable) for variable in {entry[1] for entry in self.inner}}
        new = {**functions, manager.false: manager.false}
        for node, variable, then, otherwise in reversed(self.inner):
            new[node] = manager.ite(literals[variable], new[then], new[otherwise])
        return new[self.root]

    def path(self, leaf: Node) -> dict[int, bool]:
        """The values of variables on the path by which a leaf was first met."""
        literals: dict[int, bool] = {}
        while leaf in self._parent:
            leaf, variable, value = self._parent[leaf]
            literals[variable] = value
        return literals

    def least_numbers(self, weights: Mapping[int, int]) -> dict[Node, int]:
        """For each leaf, the least sum of the weights of the variables that are true on a path to it."""
        least = {self.root: 0}
        for node, variable, then, otherwise in self.inner:
            here = least[node]
            for child, number in ((otherwise, here), (then, here + weights[variable])):
                if child not in least or number < least[child]:
                    least[child] = number
        return {leaf: least[leaf] for leaf in self.leaves}
