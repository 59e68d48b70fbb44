"""The traces of all states, compared: inclusions between them, and a shortest trace that a state lacks.

Reference: Rabin, Scott 1959 (sets of states); van Glabbeek 1990, section 6: possible futures need the traces of each state.
Symbols:   a set of states is what one trace may reach; sets with the same traces are one class.
Invariant: all states of a set have one label, and no set has two successors with one action and one label. So simulation
           between sets is inclusion of traces, and bisimulation is equality of traces.
Deviates:  states that others in a set simulate are left out of it.
Cost:      exponential in the worst case; the number of sets is limited, and beyond the limit there is no answer.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from coarsest import tuning
from coarsest.errors import LimitExceeded
from coarsest.logic.modal.hennessy_milner import Builder
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.simulation.preorder_ranzato_tapparo import Preorder, simulation_preorder

if TYPE_CHECKING:
    from coarsest.run import Run


class Letter(NamedTuple):
    """A step of a trace: the action, and the label after it."""

    action: int
    label: int


class Futures:
    """The traces of the states of a graph with its simulation preorder."""

    def __init__(self, graph: Graph, order: Preorder, run: Run) -> None:
        self._graph = graph
        sets = _determinised(graph, order, run)
        classes = bisimulation_classes(sets, run=run).class_of
        small = merged(sets, classes)
        self._order = simulation_preorder(small, run)
        self._class: list[int] = classes[: graph.states].tolist()
        self._after: list[dict[Letter, int]] = [{} for _ in range(small.states)]
        labels = small.labels.tolist()
        for source, action, target in zip(small.sources.tolist(), small.actions.tolist(), small.targets.tolist()):
            self._after[source][Letter(action, labels[target])] = target
        self._traces: dict[tuple[int, int], tuple[Letter, ...]] = {}

    def missing(self, state: int, other: int) -> tuple[Letter, ...] | None:
        """A shortest trace of a state that another, with the same label, does not have; None if it has all."""
        first, second = self._class[state], self._class[other]
        if self._order.below(first, second):
            return None
        if (first, second) not in self._traces:
            self._traces[first, second] = self._shortest(first, second)
        return self._traces[first, second]

    def length(self, state: int, other: int) -> int | None:
        trace = self.missing(state, other)
        return None if trace is None else len(trace)

    def _shortest(self, first: int, second: int) -> tuple[Letter, ...]:
        queue: deque[tuple[int, int, tuple[Letter, ...]]] = deque([(first, second, ())])
        entered = {(first, second)}
        while queue:
            own, other, trace = queue.popleft()
            for letter, target in sorted(self._after[own].items()):
                answer = self._after[other].get(letter)
                if answer is None:
                    return (*trace, letter)
                if (target, answer) not in entered and not self._order.below(target, answer):
                    entered.add((target, answer))
                    queue.append((target, answer, (*trace, letter)))
        raise AssertionError("if traces are not included, one is missing")

    def formula(self, make: Builder, state: int, trace: Sequence[Letter]) -> int:
        """The formula that a state has a trace. It mentions labels if there are several."""
        node = make.true
        for letter in reversed(trace):
            parts = [node] if len(self._graph.label_names) == 1 else [make.label(self._graph.label_names[letter.label]), node]
            node = make.diamond(self._graph.action_names[letter.action], make.conjunction(parts))
        return node


def _determinised(graph: Graph, order: Preorder, run: Run) -> Graph:
    """The graph of sets of states, where the sets of one state come first."""
    labels: list[int] = graph.labels.tolist()
    after: list[dict[int, list[int]]] = [defaultdict(list) for _ in range(graph.states)]
    for source, action, target in zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()):
        after[source][action].append(target)
    _require_few(graph.states)
    sets: list[tuple[int, ...]] = [(state,) for state in range(graph.states)]
    numbers = {members: number for number, members in enumerate(sets)}
    edges: tuple[list[int], list[int], list[int]] = ([], [], [])
    for number, members in enumerate(sets):  # grows while it is walked
        targets: dict[Letter, set[int]] = defaultdict(set)
        for state in members:
            for action, ends in after[state].items():
                for end in ends:
                    targets[Letter(action, labels[end])].add(end)
        for (action, _), ends_of_all in sorted(targets.items()):
            largest = tuple(
                end for end in sorted(ends_of_all)
                if not any(order.below(end, other) and (other < end or not order.below(other, end))
                           for other in ends_of_all if other != end)
            )  # fmt: skip
            if largest not in numbers:
                run.step("futures", sets=len(sets))
                _require_few(len(sets))
                numbers[largest] = len(sets)
                sets.append(largest)
            for column, entry in zip(edges, (number, action, numbers[largest])):
                column.append(entry)
    return Graph.from_edges(
        len(sets), *edges, labels=[labels[members[0]] for members in sets], action_names=graph.action_names,
        label_names=graph.label_names,
    )  # fmt: skip


def _require_few(sets: int) -> None:
    if sets >= tuning.SPECTRUM_SETS:
        raise LimitExceeded("work", f"the traces of all states need more than {tuning.SPECTRUM_SETS:,} sets of states")
