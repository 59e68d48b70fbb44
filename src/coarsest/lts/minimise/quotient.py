"""The quotient of a graph by its classes, with numbers that do not depend on how the states were numbered before.

States are numbered breadth-first from the initial ones, successors in the order of the names of their actions. Several
successors by one action are ordered by a hash of the actions that are possible from them, up to a growing depth. Greater depths
are hashed only for states that still look alike; if that does not distinguish them, also for their successors, and so on. In a
quotient no two states behave alike, so this distinguishes all states. If it takes much more work than the rest, as it may in
graphs that are deep, cyclic and nondeterministic, the order in the input decides.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest import tuning
from coarsest._kernels.choose import kernels
from coarsest.lts.attended import attended
from coarsest.lts.labelled import Graph, Numbers
from coarsest.lts.minimise.classes import BisimulationClasses
from coarsest.run import Run


def quotient(
    graph: Graph, classes: BisimulationClasses, *, keep_unreachable: bool = False, run: Run | None = None, choice: str = "auto"
) -> tuple[Graph, Numbers]:
    """The smallest graph with the same behaviour, and its state for each state of the input, or -1 if that was unreachable.
    Unreachable states are left out or, with `keep_unreachable`, come last."""
    label_names = tuple(sorted(set(graph.label_names)))
    rank_of = {name: rank for rank, name in enumerate(label_names)}
    label_ranks = np.array([rank_of[name] for name in graph.label_names], dtype=graph.labels.dtype)
    labels = np.zeros(classes.number, dtype=graph.labels.dtype)
    if len(label_names) > 1:
        labels = label_ranks[graph.labels[classes.representatives]]
    initial = np.unique(classes.class_of[graph.initial])
    rows = _Rows(classes.offsets, classes.actions, classes.targets, initial, labels, run or Run(), choice)
    first_numbers = None
    if not keep_unreachable:
        rows, first_numbers = rows.breadth_first(final=False)
    rows.tell_apart()
    rows, numbers = rows.breadth_first(keep=keep_unreachable)
    if first_numbers is not None:
        numbers = np.append(numbers, numbers.dtype.type(-1))[first_numbers]  # unreachable states have the number -1
    small = Graph(rows.offsets, rows.actions, rows.targets, rows.initial, rows.labels, classes.action_names, label_names)
    return small, numbers[classes.class_of]


class _Rows(Struct, eq=False, dict=True):
    """A graph whose states behave differently from one another."""

    offsets: Numbers
    actions: Numbers
    targets: Numbers
    initial: Numbers
    labels: Numbers
    run: Run
    choice: str

    @property
    def number(self) -> int:
        return len(self.labels)

    def breadth_first(self, *, keep: bool = False, final: bool = True) -> tuple[_Rows, Numbers]:
        """The reachable states in the order in which a search meets them, and the number of each state, or -1.

        With `keep`, the other states come last. If the order is not final, and all states are reachable, nothing is moved.
        """
        numbers, order = np.empty(self.number, dtype=self.targets.dtype), np.empty(self.number, dtype=self.targets.dtype)
        numbering = kernels("partition.numbering", len(self.targets), self.choice)
        (reached,) = attended(
            self.run, "number", partial(numbering.breadth_first, self.offsets, self.targets, self.initial, numbers, order, keep)
        )
        if reached == self.number and not final:
            return self, np.arange(self.number, dtype=numbers.dtype)
        order = order[:reached]
        room = len(self.targets) if reached == self.number else int((self.offsets[order + 1] - self.offsets[order]).sum())
        actions, targets = np.empty(room, dtype=self.actions.dtype), np.empty(room, dtype=self.targets.dtype)
        offsets = np.empty(reached + 1, dtype=self.offsets.dtype)
        same = np.arange(int(self.actions.max(initial=-1)) + 1, dtype=np.int32)
        kernel = kernels("partition.quotient", len(self.targets), self.choice).block_rows
        arrays = self.offsets, self.actions, self.targets, same, numbers, order, offsets, actions, targets
        attended(self.run, "number", partial(kernel, *arrays))
        labels = self.labels[order] if self.labels.any() else self.labels[:reached]
        return _Rows(offsets, actions, targets, numbers[self.initial], labels, self.run, self.choice), numbers

    def tell_apart(self) -> None:
        """Order the initial states, and the successors of each state by one action, by the hashes of their behaviour."""
        kernel = kernels("partition.numbering", len(self.targets), self.choice).tell_apart
        hashes = np.zeros(self.number, dtype=np.uint64)  # takes no memory before it is written to
        if self.labels.any():
            hashes[:] = np.unique(self.labels, return_inverse=True)[1]  # unused names must not change the order
        arrays = self.offsets, self.actions, self.targets, self.initial, hashes
        attended(self.run, "number", partial(kernel, *arrays, tuning.NUMBERING_LOOKS * self.number))


def merged(graph: Graph, block: NDArray[np.signedinteger[Any]]) -> Graph:
    """The graph with one state for each block, which has the transitions of all its states and the label of the last of them.

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
