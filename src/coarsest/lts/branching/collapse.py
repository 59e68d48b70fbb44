"""Cycles of internal transitions as single states.

States on such a cycle, with one label, are branching bisimilar. What is left has no such cycles, so that signatures can be
computed from the ends of internal paths towards their beginnings. Where divergence matters, a state that stands for a
cycle gets a mark: a transition to itself with an action of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.lts.labelled import Graph
from coarsest.lts.union import internal_action

MARK = "divergence"


class Collapsed(Struct, frozen=True, eq=False, dict=True):
    """`graph` has one state for each component; components are numbered so that internal transitions lead to smaller numbers."""

    graph: Graph
    component: NDArray[np.int64]
    internal: int
    divergence: int
    """The number of the action that marks divergence, or -1."""


def collapse(graph: Graph, *, divergence: bool, choice: str = "auto") -> Collapsed:
    """Collapse the cycles of internal transitions between states with one label."""
    internal = internal_action(graph)
    sources = graph.sources
    silent = (graph.actions == internal) & (graph.labels[sources] == graph.labels[graph.targets])
    component = np.empty(graph.states, dtype=np.int64)
    kernel = kernels("partition.silent_components", graph.transitions, choice)
    count = int(kernel.components(graph.offsets.astype(np.int64, copy=False), graph.targets, silent, component))
    tails, heads = component[sources], component[graph.targets]
    inner = silent & (tails == heads)
    parts: list[NDArray[Any]] = [tails[~inner], graph.actions[~inner], heads[~inner]]
    names = graph.action_names
    if divergence:
        marked = np.unique(tails[inner])
        extra = (marked, np.full(len(marked), len(names)), marked)
        parts = [np.concatenate(pair) for pair in zip(parts, extra)]
        names = (*names, MARK)
    labels = np.zeros(count, dtype=np.int64)
    labels[component] = graph.labels
    whole = Graph.from_edges(
        count, *parts, initial=np.unique(component[graph.initial]), labels=labels, action_names=names,
        label_names=graph.label_names
    )
    return Collapsed(whole, component, internal, len(names) - 1 if divergence else -1)
