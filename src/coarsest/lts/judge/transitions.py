"""The transitions of a graph, or of two side by side, as plain columns, which are the only input of judges of certificates.

Actions and labels are identified by their names. NumPy alone makes the columns: no code is shared with the building, merging or
refining of graphs, and transitions may be repeated and in any order.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest.logic.modal.hennessy_milner import action_text
from coarsest.lts.fair import FairGraph
from coarsest.lts.labelled import INTERNAL

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

STAYS: Final = -1
"""The action of the step to itself that a state without transitions takes."""
Integers = NDArray[np.int64]
Column = NDArray[np.signedinteger[Any]]
"""Numbers have 32 bits where that is enough: there may be many transitions."""


class Transitions(Struct, frozen=True, eq=False, dict=True):
    """One entry of `sources`, `actions` and `targets` for each transition; the states of a second graph follow those of the
    first. `initial` has the initial states of each graph."""

    states: int
    sources: Column
    actions: Column
    targets: Column
    labels: Column
    initial: tuple[Integers, ...]
    action_names: tuple[str, ...]
    graphs: tuple[Graph, ...]
    fairness: tuple[tuple[NDArray[np.bool_], ...], ...] = ()
    """The fairness sets of each graph, as masks of its own states."""

    @property
    def internal(self) -> int:
        """The number of the internal action, or -1."""
        return next((number for number, name in enumerate(self.action_names) if name in INTERNAL), -1)

    def steps(self) -> dict[int, list[tuple[int, int]]]:
        """The actions and targets of each state. A state without transitions stays where it is."""
        after: dict[int, list[tuple[int, int]]] = {state: [] for state in range(self.states)}
        for source, action, target in zip(self.sources.tolist(), self.actions.tolist(), self.targets.tolist()):
            after[source].append((action, target))
        return {state: steps or [(STAYS, state)] for state, steps in after.items()}

    def number_of(self, name: str) -> int:
        """The number of an action; unknown names are that of staying."""
        return self._numbers.get(INTERNAL[0] if name in INTERNAL else name, STAYS)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {INTERNAL[0] if name in INTERNAL else name: number for number, name in enumerate(self.action_names)}

    def shown(self, action: int) -> str:
        """An action in a message."""
        return "stays" if action == STAYS else action_text(self.action_names[action])

    @classmethod
    def of(cls, *systems: Graph | FairGraph) -> Transitions:
        """The transitions of some graphs, one after the other.

        >>> from coarsest.lts.labelled import Graph
        >>> one = Graph.from_edges(2, [0], [0], [1], action_names=("tau",))
        >>> two = Graph.from_edges(2, [0, 1], [0, 1], [1, 0], action_names=("a", "i"))
        >>> both = Transitions.of(one, two)
        >>> both.sources.tolist(), both.actions.tolist(), both.targets.tolist(), both.action_names
        ([0, 2, 3], [0, 1, 0], [1, 3, 2], ('tau', 'a'))
        """
        graphs = tuple(system.graph if isinstance(system, FairGraph) else system for system in systems)
        starts = np.cumsum([0, *(graph.states for graph in graphs)])[:-1].tolist()
        actions: dict[str, int] = {}
        labels: dict[str, int] = {}
        shown: dict[str, str] = {}
        action_numbers, moved_labels = [], []
        for graph in graphs:
            keys = [INTERNAL[0] if name in INTERNAL else name for name in graph.action_names]
            for key, name in zip(keys, graph.action_names):
                shown.setdefault(key, name)
            action_numbers.append(_numbers(actions, keys).astype(np.int32))
            moved_labels.append(_numbers(labels, graph.label_names).astype(np.int32)[graph.labels])
        states = sum(graph.states for graph in graphs)
        transitions = sum(graph.transitions for graph in graphs)
        kind = np.int32 if states < 2**31 else np.int64
        return cls(
            states,
            _joined((graph.sources for graph in graphs), transitions, kind, starts),
            _joined((numbers[graph.actions] for numbers, graph in zip(action_numbers, graphs)), transitions, np.int32),
            _joined((graph.targets for graph in graphs), transitions, kind, starts),
            _joined(moved_labels, states, np.int32),
            tuple(graph.initial.astype(np.int64) + start for graph, start in zip(graphs, starts)),
            tuple(shown.values()),
            graphs,
            tuple(system.fairness if isinstance(system, FairGraph) else () for system in systems),
        )


def _numbers(numbers: dict[str, int], names: Iterable[str]) -> Integers:
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def _joined(columns: Iterable[Column], length: int, kind: type[np.signedinteger[Any]], starts: Iterable[int] = repeat(0)) -> Any:
    """Columns one after the other, each raised by its `start`. Only one of them is in memory at a time, beside the result."""
    whole, filled = np.empty(length, dtype=kind), 0
    for column, start in zip(columns, starts):
        part = whole[filled : filled + len(column)]
        part[:] = column
        part += kind(start)
        filled += len(column)
    return whole
