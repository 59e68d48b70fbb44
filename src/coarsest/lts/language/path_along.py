"""A path of a fair graph that looks like a given one, step by step; a lasso is answered by a fair lasso.

Reference: Bustan 2002, lemma 4.3.4: lassos are enough.
Symbols:   nodes are pairs of a place on the given path and a state that looks like it; after the last place comes the loop.
Invariant: a path of nodes is a path of the graph that looks like the given one, and a cycle goes round the loop.
Deviates:  the path may be given by any graph that has the same names for labels and actions.
Cost:      linear in the places times the transitions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from coarsest.lts.closures import components, shortest_path
from coarsest.lts.csr import Csr, Mask
from coarsest.lts.fair import FairGraph
from coarsest.lts.labelled import Graph
from coarsest.run import Run


class Looks(Struct, frozen=True):
    """What is seen along a path: the label at each place, and the action after it, the last of which leads to the loop."""

    labels: Sequence[str]
    actions: Sequence[str]
    loop: int | None = None


class StatesAlong(Struct, frozen=True):
    """States of a path with their places on the given one; with `loop`, the last has a step to `states[loop]`."""

    states: list[int]
    places: list[int]
    loop: int | None = None


def path_along(fair: FairGraph, looks: Looks, run: Run) -> StatesAlong | None:
    """From an initial state, fair if it goes on for ever; None if there is no such path."""
    graph, places = fair.graph, len(looks.labels)
    product = _product(graph, looks)
    start, everywhere = np.zeros(product.nodes, dtype=np.bool_), np.ones(product.nodes, dtype=np.bool_)
    start[graph.initial[graph.labels[graph.initial] == _number(graph.label_names, looks.labels[0])]] = True
    if looks.loop is None:
        goal = np.arange(product.nodes) >= (places - 1) * graph.states
        nodes = shortest_path(product, run, start, everywhere, goal & _alike(graph, looks))
        return _states(graph, nodes, None) if nodes else None
    sets = [np.tile(members, places) for members in fair.fairness]
    component, is_fair = _fair_components(product, sets, run)
    stem = shortest_path(product, run, start, everywhere, is_fair)
    if not stem:
        return None
    nodes, loop = _round(product, stem, component == component[stem[-1]], sets, run)
    return _states(graph, nodes, loop)


def _states(graph: Graph, nodes: list[int], loop: int | None) -> StatesAlong:
    return StatesAlong([node % graph.states for node in nodes], [node // graph.states for node in nodes], loop)


def _number(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else -1


def _alike(graph: Graph, looks: Looks) -> Mask:
    """The nodes whose state looks like its place."""
    labels = np.array([_number(graph.label_names, label) for label in looks.labels])
    return np.asarray((labels[:, None] == graph.labels[None, :]).ravel())


def _product(graph: Graph, looks: Looks) -> Csr:
    alike, sources, targets = _alike(graph, looks), [], []
    for place, action in enumerate(looks.actions):
        after = place + 1 if place + 1 < len(looks.labels) else looks.loop
        assert after is not None
        chosen = graph.actions == _number(graph.action_names, action)
        sources.append(graph.sources[chosen] + place * graph.states)
        targets.append(graph.targets[chosen] + after * graph.states)
    tails, heads = (np.concatenate([np.zeros(0, dtype=np.int64), *ends]) for ends in (sources, targets))
    steps = alike[tails] & alike[heads]
    return Csr.from_edges(len(alike), tails[steps], heads[steps])


def _fair_components(product: Csr, sets: Sequence[Mask], run: Run) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], Mask]:
    """The component of each node, and whether a path can stay there and be fair."""
    component = components(product, run, np.ones(product.edges, dtype=np.bool_))
    inner = component[product.sources] == component[product.targets]
    is_fair = np.isin(component, component[product.sources[inner]])
    for members in sets:
        is_fair &= np.isin(component, component[members])
    return component, is_fair


def _round(product: Csr, stem: list[int], inside: Mask, sets: Sequence[Mask], run: Run) -> tuple[list[int], int]:
    """From the last node of the stem round through all fairness sets inside a component, and back."""
    nodes, first = list(stem), len(stem) - 1
    anchor = np.arange(product.nodes) == stem[-1]
    for members in sets:
        if not members[nodes[first:]].any():
            here = np.arange(product.nodes) == nodes[-1]
            nodes += shortest_path(product, run, here, inside, members & inside)[1:]
    after = np.zeros(product.nodes, dtype=np.bool_)
    after[product.successors(nodes[-1])] = True
    back = shortest_path(product, run, after & inside, inside, anchor)
    return [*nodes, *back[:-1]], first
