"""The quotient of a graph by its classes, with numbers that do not depend on how the states were numbered before.

States are numbered breadth-first from the initial ones, successors in the order of the names of their actions. Where a state
has several successors by one action, they are ordered by what can be seen from them: a hash of the actions up to a growing
depth. In a quotient no two states behave alike, so some depth tells any two apart; deeper looks concern only the states
that still look like another one. If that takes much more work than the rest, the order in the input decides (a graph
has to be deep, cyclic and nondeterministic for that).
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.graph.attended import attended
from coarsest.graph.labelled import Graph, Numbers
from coarsest.reduce.graph.classes import Classes
from coarsest.run import Run

EVERYWHERE = 4
"""So many looks are at all states; most ties are gone then."""

MOST_WORK = 60
"""The most looks, in terms of looks at all states."""


def quotient(
    graph: Graph, classes: Classes, *, keep_unreachable: bool = False, run: Run | None = None, choice: str = "auto"
) -> tuple[Graph, Numbers]:
    """The smallest graph with the same behaviour, and the state of it that stands for each state of the input, or -1 where
    that cannot be reached. What cannot be reached is left out, or comes last."""
    run = run or Run()
    numbering = kernels("numbering", classes.targets.size, choice)
    label_names = tuple(sorted(set(graph.label_names)))
    label_ranks = np.array([label_names.index(name) for name in graph.label_names], dtype=graph.labels.dtype)
    labels = label_ranks[graph.labels[classes.representatives]]
    hashes = _told_apart(classes, labels, run, choice)
    starts = np.unique(classes.class_of[graph.initial])
    starts = starts[np.lexsort((starts, hashes[starts], labels[starts]))]
    roots = np.concatenate([starts, np.arange(classes.number, dtype=starts.dtype)]) if keep_unreachable else starts
    numbers, order = np.empty(classes.number, dtype=starts.dtype), np.empty(classes.number, dtype=starts.dtype)
    (reached,) = attended(
        run, "number", partial(numbering.breadth_first, classes.offsets, classes.targets, roots, numbers, order)
    )
    order = order[:reached]
    rows = _renumbered(classes, order, numbers, run, choice)
    small = Graph(
        *rows, np.arange(len(starts), dtype=starts.dtype), labels[order], classes.action_names or ("",), label_names
    )
    return small, numbers[classes.class_of]


def _renumbered(classes: Classes, order: Numbers, numbers: Numbers, run: Run, choice: str) -> tuple[Numbers, Numbers, Numbers]:
    room = int((classes.offsets[order + 1] - classes.offsets[order]).sum())
    rows = (
        np.empty(len(order) + 1, dtype=classes.offsets.dtype), np.empty(room, dtype=np.int32),
        np.empty(room, dtype=classes.targets.dtype),
    )  # fmt: skip
    same = np.arange(len(classes.action_names), dtype=np.int32)
    kernel = kernels("quotient", classes.targets.size, choice).block_rows
    attended(run, "number", partial(kernel, classes.offsets, classes.actions, classes.targets, same, numbers, order, *rows))
    return rows


def _told_apart(classes: Classes, labels: Numbers, run: Run, choice: str) -> NDArray[np.uint64]:
    """A hash for each class, different within every set of successors by one action; the rows are put in their order."""
    numbering = kernels("numbering", classes.targets.size, choice)
    arrays = classes.offsets, classes.actions, classes.targets
    hashes = labels.astype(np.uint64)
    alike = np.arange(classes.number, dtype=classes.targets.dtype)
    looks, work = 0, 0
    while True:
        (tied,) = attended(run, "number", partial(numbering.ties, *arrays, hashes))
        if not tied or work > MOST_WORK * classes.number:
            return hashes
        deeper = np.empty(len(alike), dtype=np.uint64)
        attended(run, "number", partial(numbering.look_ahead, *arrays, hashes, alike, deeper))
        hashes[alike] = deeper
        looks += 1
        work += len(alike)
        if looks >= EVERYWHERE:
            alike = alike[_repeated(deeper)]


def _repeated(values: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which values occur more than once?"""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    repeated: NDArray[np.bool_] = counts[places] > 1
    return repeated
