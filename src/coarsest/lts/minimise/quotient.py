"""The quotient of a graph by its classes, with numbers that do not depend on how the states were numbered before.

States are numbered breadth-first from the initial ones, successors in the order of the names of their actions. Where a state
has several successors by one action, they are ordered by what can be seen from them: a hash of the actions up to a growing
depth. Deeper looks concern only the states that cannot be told apart yet; where that leads nowhere, their successors, too, and
then those of them, until all that matters is looked at. In a quotient no two states behave alike, so that tells all apart. If
it takes much more work than the rest, the order in the input decides (a graph has to be deep, cyclic and nondeterministic
for that).
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
    """The smallest graph with the same behaviour, and the state of it that stands for each state of the input, or -1 where
    that cannot be reached. What cannot be reached is left out, or comes last."""
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
        numbers = np.append(numbers, numbers.dtype.type(-1))[first_numbers]  # what has not been reached has the number -1
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
        """The states that the initial ones lead to, in the order in which they are met, and the number of each, or -1.

        If others are kept, they come after these. If the order is not final, and all are there, nothing is moved.
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
        """Put the initial states, and the successors of each state by one action, into an order of what is seen from them."""
        kernel = kernels("partition.numbering", len(self.targets), self.choice).tell_apart
        hashes = np.zeros(self.number, dtype=np.uint64)  # takes no memory before it is written to
        if self.labels.any():
            hashes[:] = np.unique(self.labels, return_inverse=True)[1]  # names that nothing bears must not change the order
        arrays = self.offsets, self.actions, self.targets, self.initial, hashes
        attended(self.run, "number", partial(kernel, *arrays, tuning.NUMBERING_LOOKS * self.number))


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
