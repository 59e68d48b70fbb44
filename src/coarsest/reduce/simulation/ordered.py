"""Classes of states with an order between them, and the smallest structure that they make.

Invariant: every state of a class has a successor in each class that is maximal among those that some state of it enters: it
           simulates that state, and nothing that it enters itself is larger. So any state tells the steps of its class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Generic

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from coarsest.reduce.partition.observed import Observed, split
from coarsest.reduce.partition.partition import Lazy, Partition, breadth_first, renumbered
from coarsest.run import Run
from coarsest.space.space import S

Matrix = NDArray[np.bool_]
Edge = tuple[int, int, int]


class Ordered(Struct, Generic[S], frozen=True, eq=False, dict=True):
    """Σ with H: class `i` is simulated by class `j` where `above[i, j]`."""

    classes: Sequence[S]
    above: Matrix

    def __len__(self) -> int:
        return len(self.classes)

    @cached_property
    def _strictly(self) -> Matrix:
        return self.above & ~self.above.T

    def maximal(self, numbers: Sequence[int]) -> list[int]:
        """Of some classes, those that no other of them simulates: the little brothers are left out."""
        return [one for one in numbers if not self._strictly[one, numbers].any()]


class Smallest(Struct, Generic[S], frozen=True, eq=False):
    """The smallest structure, as a partition without what is in none of its classes; `numbers` are those of its classes in Σ."""

    ordered: Ordered[S]
    partition: Partition[S]
    numbers: tuple[int, ...]


def dead_ends_apart(observed: Observed[S]) -> Observed[S]:
    """A state that no step leaves looks different: else any state that looks like it would be above it, and on paths it stays."""
    space = observed.space
    alive = space.pre(space.states)
    blocks = tuple(part for block in observed.blocks for part in split(block, [alive]))
    return replace(observed, blocks=blocks, labels=(*observed.labels, alive) if observed.labels else ())


def meets(rows: Matrix, others: Matrix) -> Matrix:
    """Which rows have a column in common with which of the others."""
    common: Matrix = rows.astype(np.float32) @ others.T.astype(np.float32) > 0  # of booleans, the product would take its time
    return common


def smallest(
    observed: Observed[S], ordered: Ordered[S], run: Run, *, after: Callable[[S, int], S] | None = None
) -> Smallest[S]:
    """The quotient without little brothers and what cannot be reached, explored from the initial classes; `after` gives the
    successors of a state by an action, perhaps without little brothers."""
    space, classes = observed.space, ordered.classes
    after = after or (lambda state, action: observed.actions[action].post(state))
    initial = ordered.maximal([number for number, states in enumerate(classes) if states & space.initial])
    waiting, edges = list(initial), list[Edge]()
    examples: dict[int, S] = dict.fromkeys(initial, space.empty)
    for source in waiting:
        run.step("smallest structure", classes=len(waiting))
        examples[source] = one = space.pick(classes[source])
        for action in range(len(observed.actions)):
            for target in ordered.maximal(entered_by(after(one, action), classes)):
                edges.append((source, action, target))
                if target not in examples:
                    examples[target] = space.empty
                    waiting.append(target)
    def looks(number: int) -> int:
        return next(i for i, block in enumerate(observed.blocks) if examples[number] <= block)

    return numbered(ordered, initial, edges, looks, examples.__getitem__)


def entered_by(states: S, classes: Sequence[S]) -> list[int]:
    """The classes that contain some of the states, of which each is in one."""
    numbers = []
    for number, other in enumerate(classes):
        if not states:
            break
        if states & other:
            numbers.append(number)
            states = states - other
    return numbers


def numbered(
    ordered: Ordered[S], initial: Sequence[int], edges: Sequence[Edge], looks: Callable[[int], int], examples: Callable[[int], S]
) -> Smallest[S]:
    """The classes of Σ that these steps lead to, in the order in which they are reached; of each, the block that it is in, and
    one state."""
    order = breadth_first(initial, edges)
    reached = set(order)
    inside = [edge for edge in edges if edge[0] in reached]
    classes = Lazy(len(order), lambda place: ordered.classes[order[place]])
    picked = Lazy(len(order), lambda place: examples(order[place]))
    partition = Partition(classes, *renumbered(order, initial, inside), tuple(map(looks, order)), (), picked)
    return Smallest(ordered, partition, tuple(order))
