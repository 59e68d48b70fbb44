"""Steps between states where internal ones do not count: before an action, after it, or both.

Reference: van Glabbeek, Weijland 1996, Branching time and abstraction in bisimulation semantics, for delay and η; Milner 1989,
           Communication and concurrency, for weak steps.
Symbols:   s ⇒ t if internal steps, perhaps none, lead from s to t.
Invariant: states that are branching bisimilar have been merged, so that no internal cycle is left.
Deviates:  labels of states on the way are not seen.
Cost:      joins of sorted columns; given up if more than MOST_STEPS steps are to be written down.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from coarsest.errors import LimitExceeded
from coarsest.lts.labelled import Graph
from coarsest.lts.union import internal_action
from coarsest.run import Run

MOST_STEPS = 30_000_000

Integers = NDArray[np.int64]


class WeakSteps:
    """Graphs with the states of a given one, and steps that stand for several."""

    def __init__(self, graph: Graph, run: Run) -> None:
        self._graph, self._run = graph, run
        self.internal = internal_action(graph)
        silent = graph.actions == self.internal
        sources, targets = graph.sources.astype(np.int64), graph.targets.astype(np.int64)
        self._silent = sources[silent], targets[silent]
        self._visible = sources[~silent], graph.actions[~silent].astype(np.int64), targets[~silent]

    @cached_property
    def silently(self) -> tuple[Integers, Integers]:
        """The pairs of ⇒, in order: paths of one internal step, of two, of four, until none is new."""
        every = np.arange(self._graph.states)
        tails, heads = self._unique(np.append(self._silent[0], every), np.append(self._silent[1], every))
        while True:
            self._run.step("silent steps", pairs=len(tails))
            longer = self._unique(*self._joined((tails,), heads, (tails, heads)))
            if len(longer[0]) == len(tails):
                return longer
            tails, heads = longer

    @cached_property
    def delayed(self) -> Graph:
        """Internal steps, then an action; and ⇒ for the internal action."""
        tails, middles = self.silently
        sources, actions, targets = self._joined((tails,), middles, self._visible)
        return self._with_silent(sources, actions, targets)

    @cached_property
    def weak_or_less(self) -> Graph:
        """Steps that do for simulations and traces: without labels, a state can do all that its internal steps lead to, so that
        none need be followed after an action, or answered."""
        if len(np.unique(self._graph.labels)) > 1:
            return self.weak
        visible = self.delayed.actions != self.internal
        return self._graph_of(self.delayed.sources[visible], self.delayed.actions[visible], self.delayed.targets[visible])

    @cached_property
    def weak(self) -> Graph:
        """The same, and internal steps after it."""
        delayed = self.delayed
        visible = delayed.actions != self.internal
        columns = delayed.sources[visible].astype(np.int64), delayed.actions[visible].astype(np.int64)
        return self._with_silent(*self._joined(columns, delayed.targets[visible].astype(np.int64), self.silently))

    @cached_property
    def extended(self) -> Graph:
        """An action, then internal steps; and ⇒ for the internal action, without standing still."""
        graph = self._with_silent(*self._joined(self._visible[:2], self._visible[2], self.silently))
        proper = (graph.actions != self.internal) | (graph.sources != graph.targets)
        return self._graph_of(graph.sources[proper], graph.actions[proper], graph.targets[proper])

    def _with_silent(self, sources: Integers, actions: Integers, targets: Integers) -> Graph:
        tails, heads = self.silently
        silent = np.full(len(tails), self.internal)
        return self._graph_of(*map(np.append, (sources, actions, targets), (tails, silent, heads)))

    def _graph_of(self, *columns: NDArray[np.signedinteger]) -> Graph:
        graph = self._graph
        return Graph.from_edges(
            graph.states, *columns, initial=graph.initial, labels=graph.labels, action_names=graph.action_names,
            label_names=graph.label_names,
        )  # fmt: skip

    def _unique(self, tails: Integers, heads: Integers) -> tuple[Integers, Integers]:
        pairs = np.unique(tails * self._graph.states + heads)
        return pairs // max(1, self._graph.states), pairs % max(1, self._graph.states)

    def _joined(self, columns: tuple[Integers, ...], ends: Integers, rows: tuple[Integers, ...]) -> tuple[Integers, ...]:
        """Each of some steps, given by `columns` and where they end, with each of the rows, in order, that begin there."""
        starts, stops = (np.searchsorted(rows[0], ends, side=side) for side in ("left", "right"))
        lengths = stops - starts
        total = int(lengths.sum())
        if total > MOST_STEPS:
            raise LimitExceeded("work", f"internal steps give more than {MOST_STEPS:,} weak steps")
        places = np.arange(total) + np.repeat(starts - np.cumsum(lengths) + lengths, lengths)
        return *(np.repeat(column, lengths) for column in columns), *(row[places] for row in rows[1:])
