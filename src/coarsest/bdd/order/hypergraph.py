"""A hypergraph on numbered items: which variables of a model occur together, and how well an order keeps them together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Hypergraph(Struct, frozen=True):
    """Items 0, 1, …; each edge is a tuple of at least two items in ascending order, with a weight."""

    widths: Sequence[int]
    """How much room an item takes in the order: its number of bits."""
    edges: Mapping[tuple[int, ...], float]

    @classmethod
    def of(cls, items: Sequence[T], edges: Iterable[Iterable[T]], widths: Mapping[T, int] | None = None) -> Self:
        """Number the items as they come. An edge that occurs several times weighs as much; items not listed are left out."""
        number = {item: i for i, item in enumerate(items)}
        weights: dict[tuple[int, ...], float] = {}
        for edge in edges:
            members = tuple(sorted({number[item] for item in edge if item in number}))
            if len(members) > 1:
                weights[members] = weights.get(members, 0.0) + 1.0
        return cls([1 if widths is None else max(1, widths.get(item, 1)) for item in items], weights)

    @property
    def incidences(self) -> int:
        """The size of the hypergraph: members over all edges."""
        return sum(map(len, self.edges))

    @property
    def parts(self) -> list[int]:
        """For each item, the first of all those that edges join it with.

        >>> Hypergraph.of("abcde", ["ad", "ce"]).parts
        [0, 1, 2, 0, 2]
        """
        first = list(range(len(self.widths)))

        def find(item: int) -> int:
            while first[item] != item:
                first[item] = item = first[first[item]]
            return item

        for edge in self.edges:
            for item in edge:
                one, other = sorted((find(edge[0]), find(item)))
                first[other] = one
        return [find(item) for item in range(len(first))]

    def total_span(self, order: Sequence[int]) -> float:
        """The sum over all edges of the distance in bits between their first and their last member, by weight.

        >>> square = Hypergraph.of("abcd", ["ab", "bc", "cd", "da"])
        >>> square.total_span([0, 1, 2, 3]), square.total_span([0, 2, 1, 3])
        (6.0, 8.0)
        """
        place = [0] * len(order)
        room = 0
        for item in order:
            place[item] = room
            room += self.widths[item]
        total = 0.0
        for edge, weight in self.edges.items():
            places = [place[item] for item in edge]
            total += weight * (max(places) - min(places))
        return total
