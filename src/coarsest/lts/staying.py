"""States without successors get a step to themselves by a new action, as formulas assume.

Relations that consider infinite paths compare such graphs, so that only a state that stays answers a state that stays.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from coarsest.logic.modal.hennessy_milner import Builder
from coarsest.lts.fair import FairGraph

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

STAYS = "stays"
"""The name of the action, unless a graph has an action of that name."""


def name_of_staying(*graphs: Graph) -> str:
    """A name that no action of some graphs has."""
    names: Collection[str] = {name for graph in graphs for name in graph.action_names}
    word = STAYS
    while word in names:
        word += "'"
    return word


def staying(graph: Graph, action: str) -> Graph:
    """The graph, where states without successors have a step to themselves. The graph may have an action of that name already.

    >>> from coarsest.lts.labelled import Graph
    >>> total = staying(Graph.from_edges(2, [0], [0], [1], action_names=("a",)), STAYS)
    >>> total.actions.tolist(), total.targets.tolist(), total.action_names
    ([0, 1], [1, 1], ('a', 'stays'))
    """
    stuck = np.flatnonzero(np.diff(graph.offsets) == 0)
    if not len(stuck):
        return graph
    names = graph.action_names if action in graph.action_names else (*graph.action_names, action)
    return type(graph).from_edges(
        graph.states, np.append(graph.sources, stuck), np.append(graph.actions, np.full(len(stuck), names.index(action))),
        np.append(graph.targets, stuck), initial=graph.initial, labels=graph.labels, label_names=graph.label_names,
        action_names=names,
    )  # fmt: skip


def without_staying(graph: Graph, action: str) -> Graph:
    """The graph without the steps by the new action."""
    if action not in graph.action_names:
        return graph
    number = graph.action_names.index(action)
    left = graph.only(graph.actions != number)
    others = tuple(name for name in graph.action_names if name != action)
    actions = left.actions - (left.actions > number)
    return type(graph).from_edges(
        left.states, left.sources, actions, left.targets, initial=left.initial, labels=left.labels, label_names=left.label_names,
        action_names=others,
    )  # fmt: skip


def fair_staying(fair: FairGraph, action: str) -> FairGraph:
    """The fair graph where states without successors stay, with the same fairness sets."""
    return FairGraph(staying(fair.graph, action), fair.fairness)


def both_staying(first: FairGraph, second: FairGraph) -> tuple[FairGraph, FairGraph]:
    """Two graphs where states without successors stay where they are, by the same action."""
    action = name_of_staying(first.graph, second.graph)
    return fair_staying(first, action), fair_staying(second, action)


class StayingFormulas(Builder):
    """Makes formulas about a graph where states without successors stay: a step by the new action becomes `deadlock`."""

    action: str = STAYS

    def diamond(self, action: str, part: int) -> int:
        return self.deadlock(action) if action == self.action else super().diamond(action, part)
