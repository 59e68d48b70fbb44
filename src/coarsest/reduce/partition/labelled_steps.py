"""A graph with labels of states becomes one with actions only, for formats that have no labels."""

from __future__ import annotations

import numpy as np

from coarsest.lts.labelled import Graph
from coarsest.lts.union import visible

START = "start"


def labels_as_actions(graph: Graph) -> Graph:
    """The label of a state becomes part of the actions of the steps that leave it.

    A state without steps gets a step to itself, whose action is `stopped` and its label. If there are several initial states, a
    new first state has a step `start` to each.
    """
    more = 0 if len(graph.initial) == 1 else 1
    sources, targets = graph.sources.astype(np.int64) + more, graph.targets.astype(np.int64) + more
    kinds = len(graph.action_names)
    pairs = graph.labels[graph.sources].astype(np.int64) * kinds + graph.actions
    names = [
        f"{label}; {action}" if label and action else visible(label or action)
        for label in graph.label_names
        for action in graph.action_names
    ]
    stuck = np.flatnonzero(np.diff(graph.offsets) == 0)
    names += [f"stopped, {label}" if label else "stopped" for label in graph.label_names]
    sources, targets = np.append(sources, stuck + more), np.append(targets, stuck + more)
    pairs = np.append(pairs, graph.labels[stuck].astype(np.int64) + len(graph.label_names) * kinds)
    if more:
        initial = graph.initial.astype(np.int64) + more
        sources, targets = np.append(sources, np.zeros(len(initial), np.int64)), np.append(targets, initial)
        pairs = np.append(pairs, np.full(len(initial), len(names)))
        names.append(START)
    used, actions = np.unique(pairs, return_inverse=True)
    first = [0] if more else graph.initial
    return Graph.from_edges(
        graph.states + more, sources, actions, targets, initial=first, action_names=tuple(names[i] for i in used) or ("",)
    )
