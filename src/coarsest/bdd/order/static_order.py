"""Orders for the variables of a model, found from its structure before any function is built.

Communicating variables should be close. Every order here is a list of all items; equal input gives equal output.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from coarsest import tuning
from coarsest.bdd.order.cuthill_mckee import cuthill_mckee
from coarsest.bdd.order.force import force as force_from
from coarsest.bdd.order.hypergraph import Hypergraph

T = TypeVar("T")

RANDOM_STARTS: Final = 4
"""Random orders that are tried where a hundred iterations from each cost next to nothing."""


def declaration(items: Iterable[T]) -> list[T]:
    """As declared."""
    return list(items)


def dependency(items: Sequence[T], depends_on: Mapping[T, Iterable[T]]) -> list[T]:
    """Depth-first from what nothing else depends on; an item comes after what it depends on.

    Reference: Malik, Wang, Brayton, Sangiovanni-Vincentelli 1988, for circuits.
    Deviates:  cycles are cut where the search meets them; what is left is searched in order of declaration.

    >>> dependency("abcd", {"d": "ac", "c": "b"})
    ['a', 'b', 'c', 'd']
    """
    members = set(items)
    used = {other for item in items for other in depends_on.get(item, ()) if other != item}
    outputs = [item for item in items if item not in used]
    placed: list[T] = []
    visited: set[T] = set()
    for root in [*outputs, *items]:
        if root in visited:
            continue
        visited.add(root)
        path = [(root, iter(list(depends_on.get(root, ()))))]
        while path:
            item, rest = path[-1]
            for other in rest:
                if other in members and other not in visited:
                    visited.add(other)
                    path.append((other, iter(list(depends_on.get(other, ())))))
                    break
            else:
                placed.append(item)
                path.pop()
    return placed


def force(items: Sequence[T], hyperedges: Iterable[Iterable[T]], *, widths: Mapping[T, int] | None = None) -> list[T]:
    """The best order FORCE finds from the declaration, from the rim of the hypergraph, and from a few random starts."""
    graph = Hypergraph.of(items, hyperedges, widths)
    return [items[number] for number in _force(graph)]


def best_order(
    items: Sequence[T],
    hyperedges: Iterable[Iterable[T]],
    depends_on: Mapping[T, Iterable[T]] | None = None,
    *,
    widths: Mapping[T, int] | None = None,
) -> list[T]:
    """The order of least total span among the declaration, the dependency order and those of FORCE; ties go to the declaration.

    >>> best_order("abcdef", ["ad", "be", "cf", "ab", "bc"])
    ['d', 'a', 'b', 'e', 'c', 'f']
    """
    graph = Hypergraph.of(items, hyperedges, widths)
    declared = list(range(len(items)))
    starts = []
    if depends_on is not None:
        number = {item: i for i, item in enumerate(items)}
        starts.append([number[item] for item in dependency(items, depends_on)])
    best = min([declared, _force(graph, starts)], key=graph.total_span)  # min takes the first of equals
    return [items[number] for number in best]


def _force(graph: Hypergraph, more_starts: Iterable[list[int]] = ()) -> list[int]:
    """Go on from the two most promising starts; where it is cheap, from random ones as well."""
    declared = list(range(len(graph.widths)))
    starts = sorted([declared, cuthill_mckee(graph), *more_starts], key=graph.total_span)
    iterations = tuning.STATIC_ORDER_VISITS // (graph.incidences + len(declared) + 1)
    if iterations > 100 * RANDOM_STARTS:
        rng = random.Random(0)
        starts += [rng.sample(declared, len(declared)) for _ in range(RANDOM_STARTS)]
    else:
        starts = starts[:2]
    each = max(3, iterations // len(starts))
    best = min((force_from(graph, start, most_iterations=each) for start in starts), key=graph.total_span)
    return sorted(best, key=graph.parts.__getitem__)  # the span says nothing about where parts stand that no edge joins
