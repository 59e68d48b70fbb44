"""Fair paths in an explicit graph: components, one after another.

Reference: Tarjan, Depth-first search and linear graph algorithms, 1972; Lichtenstein, Pnueli, Checking that finite state
           concurrent programs satisfy their linear specification, 1985 (compassion).
Symbols:   `low` is the lowlink.
Invariant: a path that stays in a fair component can visit all its nodes, and take all its edges, infinitely often.
Deviates:  no recursion; edges may carry marks, each of which must be met infinitely often.
Cost:      linear without compassion; with it, linear for each time that a component falls apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from functools import cached_property


class FairPaths:
    """Nodes 0, 1, …, each with its successors.

    A fair path visits each set of `justice` infinitely often and, for each pair (p, q) of `compassion`, q infinitely often if it
    visits p infinitely often; and it takes edges with each bit of `all_marks` infinitely often, where each edge has `marks`.
    """

    def __init__(
        self,
        after: Sequence[Sequence[int]],
        justice: Sequence[Set[int]] = (),
        compassion: Sequence[tuple[Set[int], Set[int]]] = (),
        marks: Sequence[Sequence[int]] | None = None,
        all_marks: int = 0,
    ) -> None:
        self.after = after
        self.justice = justice
        self.compassion = compassion
        self.marks = marks
        self.all_marks = all_marks

    @cached_property
    def everything(self) -> frozenset[int]:
        return frozenset(range(len(self.after)))

    @cached_property
    def before(self) -> list[list[int]]:
        before: list[list[int]] = [[] for _ in self.after]
        for node, successors in enumerate(self.after):
            for successor in successors:
                before[successor].append(node)
        return before

    def predecessors(self, nodes: Iterable[int]) -> set[int]:
        before = self.before
        return {node for successor in nodes for node in before[successor]}

    def reaching(self, through: Set[int], goal: Collection[int]) -> set[int]:
        """The nodes from which a path leads to the goal through nodes of `through`."""
        reaching, waiting = set(goal), list(goal)
        before = self.before
        while waiting:
            for node in before[waiting.pop()]:
                if node not in reaching and node in through:
                    reaching.add(node)
                    waiting.append(node)
        return reaching

    def with_fair_path(self, region: Set[int]) -> set[int]:
        """The nodes from which a fair path starts that never leaves the region."""
        return self.reaching(region, [node for component in self.fair_components(region) for node in component])

    def fair_components(self, region: Set[int]) -> Iterator[Collection[int]]:
        """Sets of nodes of the region in each of which a fair path can stay."""
        waiting: list[Set[int]] = [region]
        while waiting:
            for component in self.components(waiting.pop()):
                if not self._may_be_fair(component):
                    continue
                spoilt = [p for p, q in self.compassion if not component.isdisjoint(p) and component.isdisjoint(q)]
                if spoilt:
                    waiting.append(component.difference(*spoilt))
                else:
                    yield component

    def _may_be_fair(self, component: set[int]) -> bool:
        """Is there a cycle that meets all of justice and has all the marks?"""
        if len(component) == 1:
            (node,) = component
            if node not in self.after[node]:
                return False
        if any(component.isdisjoint(fair) for fair in self.justice):
            return False
        if not self.all_marks or self.marks is None:
            return True
        met = 0
        for node in component:
            for successor, marks in zip(self.after[node], self.marks[node]):
                if successor in component:
                    met |= marks
        return met == self.all_marks

    def components(self, region: Set[int]) -> Iterator[set[int]]:
        """The strongly connected components of a region."""
        order: dict[int, int] = {}
        """The order in which nodes are discovered."""
        low: dict[int, int] = {}
        """The lowlinks of nodes whose component is not finished."""
        unfinished: list[int] = []
        for root in region:
            if root in order:
                continue
            order[root] = low[root] = len(order)
            unfinished.append(root)
            path = [(root, iter(self.after[root]))]
            while path:
                node, successors = path[-1]
                for successor in successors:
                    if successor not in region:
                        continue
                    if successor not in order:
                        order[successor] = low[successor] = len(order)
                        unfinished.append(successor)
                        path.append((successor, iter(self.after[successor])))
                        break
                    if successor in low and order[successor] < low[node]:
                        low[node] = order[successor]
                else:
                    path.pop()
                    if path and low[node] < low[path[-1][0]]:
                        low[path[-1][0]] = low[node]
                    if low[node] == order[node]:
                        yield _finished(node, unfinished, low)


def _finished(root: int, unfinished: list[int], low: dict[int, int]) -> set[int]:
    """The component of a node from which no earlier node can be reached."""
    component: set[int] = set()
    while True:
        node = unfinished.pop()
        del low[node]
        component.add(node)
        if node == root:
            return component
