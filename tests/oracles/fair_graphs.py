"""Explicit graphs with fairness, by the definitions: components are enumerated, no fixpoint over sets takes part."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct, field

N = TypeVar("N", bound=Hashable)


class FairGraph(Struct, Generic[N], frozen=True, dict=True):
    """Nodes with their successors. A fair path visits every set of `justice` infinitely often and, for every pair (p, q) of
    `compassion`, q infinitely often if p."""

    after: Mapping[N, Sequence[N]]
    justice: Sequence[set[N]] = ()
    compassion: Sequence[tuple[set[N], set[N]]] = ()
    _before: dict[N, list[N]] = field(default_factory=dict)

    @property
    def before(self) -> Mapping[N, Sequence[N]]:
        if not self._before and self.after:
            self._before.update({node: [] for node in self.after})
            for node, successors in self.after.items():
                for successor in successors:
                    self._before[successor].append(node)
        return self._before

    def predecessors(self, nodes: set[N]) -> set[N]:
        return {node for node, successors in self.after.items() if any(successor in nodes for successor in successors)}

    def reaching(self, through: set[N], goal: set[N]) -> set[N]:
        """The nodes from which a path leads to the goal, all its nodes before that in `through`."""
        found, waiting = set(goal), list(goal)
        while waiting:
            for node in self.before[waiting.pop()]:
                if node in through and node not in found:
                    found.add(node)
                    waiting.append(node)
        return found

    def with_fair_path(self, region: set[N]) -> set[N]:
        """The nodes from which a fair path starts that never leaves the region."""
        return self.reaching(region, {node for cycle in self.fair_components(region) for node in cycle})

    def fair_components(self, region: set[N]) -> list[set[N]]:
        """Sets of nodes of the region, in each of which a fair path can visit all nodes infinitely often."""
        fair: list[set[N]] = []
        for component in self.components(region):
            one = next(iter(component))
            if len(component) == 1 and one not in self.after[one]:
                continue
            if not all(component & justice for justice in self.justice):
                continue
            spoilt = [p for p, q in self.compassion if component & p and not component & q]
            if spoilt:
                fair += self.fair_components(component - set().union(*spoilt))
            else:
                fair.append(component)
        return fair

    def components(self, region: set[N]) -> list[set[N]]:
        """The strongly connected components of the region: what can be reached backwards, last left first (Kosaraju 1978)."""
        found: list[set[N]] = []
        rest = set(region)
        for root in reversed(self._in_order_of_leaving(region)):
            if root in rest:
                found.append(_search(self.before, root, rest))
                rest -= found[-1]
        return found

    def _in_order_of_leaving(self, region: set[N]) -> list[N]:
        """The order in which a depth-first search is done with the nodes."""
        entered: set[N] = set()
        left: list[N] = []
        for root in region:
            walk = [(root, iter(self.after[root]))] if root not in entered else []
            entered.add(root)
            while walk:
                node, successors = walk[-1]
                deeper = next((n for n in successors if n in region and n not in entered), None)
                if deeper is None:
                    left.append(node)
                    walk.pop()
                else:
                    entered.add(deeper)
                    walk.append((deeper, iter(self.after[deeper])))
        return left


def _search(neighbours: Mapping[N, Iterable[N]], start: N, inside: set[N]) -> set[N]:
    found, waiting = {start}, [start]
    while waiting:
        for node in neighbours[waiting.pop()]:
            if node in inside and node not in found:
                found.add(node)
                waiting.append(node)
    return found


def reachable(after: Mapping[N, Iterable[N]], start: Iterable[N]) -> set[N]:
    found = set(start)
    waiting = list(found)
    while waiting:
        for node in after[waiting.pop()]:
            if node not in found:
                found.add(node)
                waiting.append(node)
    return found
