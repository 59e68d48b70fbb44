"""The reachable states of an explicit space as a graph that is refined state by state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest.lts.labelled import Graph
from coarsest.reduce.partition.observed import Observed
from coarsest.space.explicit.explicit import ExplicitSet, ExplicitSpace
from coarsest.space.explicit.listed import Edges

Numbers = NDArray[np.int64]


def graph_of(labels: Numbers, steps: Sequence[tuple[Numbers, Numbers]], initial: Numbers, *, blocks: int) -> Graph:
    """The graph of states labelled by the numbers of their observed blocks; `steps` has sources and targets for each action."""
    names = tuple(f"{number:06d}" for number in range(max(len(steps), blocks)))  # sorted
    sources, targets = (np.concatenate(column) for column in zip(*steps))
    actions = np.repeat(np.arange(len(steps), dtype=np.int32), [len(ends) for ends, _ in steps])
    return Graph.from_edges(
        len(labels), sources, actions, targets, initial=initial, labels=labels,
        action_names=names[: len(steps)], label_names=names[: max(1, blocks)],
    )  # fmt: skip


class ListedStates:
    """The reached states of an explicit space, numbered without gaps."""

    def __init__(self, space: ExplicitSpace, reached: ExplicitSet) -> None:
        self._members = np.flatnonzero(reached.mask)
        self._number = np.full(space.graph.nodes, -1, dtype=np.int64)
        self._number[self._members] = np.arange(len(self._members))
        self.number = len(self._members)

    def numbers(self, states: ExplicitSet) -> Numbers:
        """The numbers of those of the states that were reached, in increasing order."""
        numbers = self._number[states.mask]
        return numbers[numbers >= 0]

    def steps(self, edges: Any) -> tuple[Numbers, Numbers]:
        """The numbers of source and target of each step of a graph between the states."""
        sources, targets = self._number[edges.sources], self._number[edges.targets]
        inside = (sources >= 0) & (targets >= 0)
        return sources[inside], targets[inside]

    def set(self, numbers: Numbers) -> ExplicitSet:
        mask = np.zeros(len(self._number), dtype=np.bool_)
        mask[self._members[numbers]] = True
        return ExplicitSet(mask)


def listed_states(observed: Observed[ExplicitSet], reached: ExplicitSet) -> tuple[Graph, ListedStates]:
    """The graph of the reached states, each labelled by the observed block that it is in."""
    space = observed.space
    assert isinstance(space, ExplicitSpace), "states have numbers"
    listing = ListedStates(space, reached)
    labels = np.zeros(listing.number, dtype=np.int64)
    for number, block in enumerate(observed.blocks):
        labels[listing.numbers(block)] = number
    taken = [getattr(action, "steps", action) for action in observed.actions]
    steps = [listing.steps(part.graph) for part in taken if isinstance(part, Edges | ExplicitSpace)]
    return graph_of(labels, steps, listing.numbers(space.initial), blocks=len(observed.blocks)), listing
