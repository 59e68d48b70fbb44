"""FORCE: items are pulled to the centres of gravity of the edges they belong to, until the total span stops improving.

Reference: Aloul, Markov, Sakallah 2003, "FORCE: a fast and easy-to-implement variable-ordering heuristic".
Symbols:   an edge's centre is the mean place of its members; the place an item wants is the mean of its edges' centres.
Invariant: `best` has the least total span of all orders seen.
Deviates:  edges have weights; an iteration without improvement is allowed; places count bits: a wide item is far to cross.
Cost:      one pass over the incidences and a sort per iteration, at most `most_iterations` of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.bdd.order.hypergraph import Hypergraph


def force(graph: Hypergraph, start: Sequence[int], *, most_iterations: int) -> list[int]:
    """The best order met on the way from `start`; never worse than `start`."""
    edges_of: list[list[int]] = [[] for _ in graph.widths]
    edges = list(graph.edges)
    weights = list(graph.edges.values())
    for number, edge in enumerate(edges):
        for item in edge:
            edges_of[item].append(number)
    pull = [sum(weights[number] for number in numbers) for numbers in edges_of]
    order = list(start)
    best, least = order, graph.total_span(order)
    waited = False
    for _ in range(most_iterations):
        place = _middles(graph, order)
        centres = [weight * sum(place[item] for item in edge) / len(edge) for edge, weight in zip(edges, weights)]
        wishes = [
            sum(centres[number] for number in numbers) / pull[item] if numbers else place[item]
            for item, numbers in enumerate(edges_of)
        ]
        moved = sorted(order, key=wishes.__getitem__)  # stable: equal wishes keep their order
        if moved == order:
            break
        order = moved
        span = graph.total_span(order)
        if span < least:
            best, least, waited = order, span, False
        elif waited:
            break
        else:
            waited = True
    return list(best)


def _middles(graph: Hypergraph, order: Sequence[int]) -> list[float]:
    """Where the middle of each item lies, in bits from the top."""
    place = [0.0] * len(order)
    room = 0
    for item in order:
        place[item] = room + graph.widths[item] / 2
        room += graph.widths[item]
    return place
