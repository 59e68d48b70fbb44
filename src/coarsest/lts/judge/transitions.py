"""The transitions of a graph, or of two side by side, as plain columns: all that a checker of certificates looks at.

Actions and labels are known by their names. NumPy alone makes the columns: nothing is shared with what builds, merges or
refines graphs, and transitions may be repeated and in any order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest.lts.fair import FairGraph
from coarsest.lts.labelled import INTERNAL

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

Integers = NDArray[np.int64]


class Transitions(Struct, frozen=True, eq=False, dict=True):
    """One entry of `sources`, `actions` and `targets` for each transition; the states of a second graph follow those of the
    first. `initial` has the initial states of each graph."""

    states: int
    sources: Integers
    actions: Integers
    targets: Integers
    labels: Integers
    initial: tuple[Integers, ...]
    action_names: tuple[str, ...]
    graphs: tuple[Graph, ...]
    fairness: tuple[tuple[NDArray[np.bool_], ...], ...] = ()
    """The fairness sets of each graph; each of them tells which of its own states are members."""

    @property
    def internal(self) -> int:
        """The number of the internal action, or -1."""
        return next((number for number, name in enumerate(self.action_names) if name in INTERNAL), -1)

    @classmethod
    def of(cls, *systems: Graph | FairGraph) -> Transitions:
        """Those of some graphs, one after the other.

        >>> from coarsest.lts.labelled import Graph
        >>> one = Graph.from_edges(2, [0], [0], [1], action_names=("tau",))
        >>> two = Graph.from_edges(2, [0, 1], [0, 1], [1, 0], action_names=("a", "i"))
        >>> both = Transitions.of(one, two)
        >>> both.sources.tolist(), both.actions.tolist(), both.targets.tolist(), both.action_names
        ([0, 2, 3], [0, 1, 0], [1, 3, 2], ('tau', 'a'))
        """
        graphs = tuple(one.graph if isinstance(one, FairGraph) else one for one in systems)
        starts = np.cumsum([0, *(graph.states for graph in graphs)])[:-1].tolist()
        actions: dict[str, int] = {}
        labels: dict[str, int] = {}
        shown: dict[str, str] = {}
        moved_actions, moved_labels = [], []
        for graph in graphs:
            keys = [INTERNAL[0] if name in INTERNAL else name for name in graph.action_names]
            for key, name in zip(keys, graph.action_names):
                shown.setdefault(key, name)
            moved_actions.append(_numbers(actions, keys)[graph.actions])
            moved_labels.append(_numbers(labels, graph.label_names)[graph.labels])
        return cls(
            sum(graph.states for graph in graphs),
            _joined(graph.sources.astype(np.int64) + start for graph, start in zip(graphs, starts)),
            _joined(moved_actions),
            _joined(graph.targets.astype(np.int64) + start for graph, start in zip(graphs, starts)),
            _joined(moved_labels),
            tuple(graph.initial.astype(np.int64) + start for graph, start in zip(graphs, starts)),
            tuple(shown.values()),
            graphs,
            tuple(one.fairness if isinstance(one, FairGraph) else () for one in systems),
        )


def _numbers(numbers: dict[str, int], names: Iterable[str]) -> Integers:
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def _joined(columns: Iterable[Integers]) -> Integers:
    parts = list(columns)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
