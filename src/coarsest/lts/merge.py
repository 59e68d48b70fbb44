"""Graphs whose states are blocks of states of another."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest.lts.labelled import Graph


def merged(graph: Graph, block: NDArray[np.signedinteger[Any]]) -> Graph:
    """One state for each block; a block has the transitions of all its states, and the label of the last of them.

    >>> graph = Graph.from_edges(3, [0, 0, 1], [0, 0, 0], [1, 2, 0])
    >>> small = merged(graph, np.array([0, 1, 1]))
    >>> small.states, small.sources.tolist(), small.targets.tolist()
    (2, [0, 1], [1, 0])
    """
    count = int(block.max(initial=-1)) + 1
    labels = np.zeros(count, dtype=np.int64)
    labels[block] = graph.labels
    return Graph.from_edges(
        count, block[graph.sources], graph.actions, block[graph.targets], initial=np.unique(block[graph.initial]), labels=labels,
        action_names=graph.action_names, label_names=graph.label_names,
    )  # fmt: skip
