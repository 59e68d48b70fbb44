"""Explicit graphs with actions on the transitions, labels on the states, and initial states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from coarsest._kernels.choose import kernels

INTERNAL = ("i", "tau")
"""The internal action, as CADP and as mCRL2 write it: two names of one action."""

Numbers = NDArray[np.signedinteger[Any]]
"""Numbers of states, actions or labels, 32 or 64 bits wide by the size of the graph."""


def width(largest: int) -> type[np.signedinteger[Any]]:
    """The integers that hold numbers up to this one."""
    return np.int32 if largest < 2**31 else np.int64


class Graph(Struct, frozen=True, eq=False, dict=True):
    """The transitions of state i are the entries `offsets[i]` to `offsets[i + 1]` of `actions` and `targets`.

    `action_names` names the actions; a graph without actions has one, the empty text. `labels` has the number of each state's
    label, named by `label_names`; a graph without labels has one, the empty text.

    >>> Graph.from_edges(3, [0, 0, 1], [1, 0, 0], [1, 2, 2], action_names=("a", "b"))
    <Graph: 3 states, 3 transitions, 2 actions>
    """

    offsets: Numbers
    actions: Numbers
    targets: Numbers
    initial: Numbers
    labels: Numbers
    action_names: tuple[str, ...] = ("",)
    label_names: tuple[str, ...] = ("",)
    state_names: Sequence[str] = ()
    """The names of the states in the file, if they have names there."""

    @classmethod
    def from_edges(
        cls,
        states: int,
        sources: ArrayLike,
        actions: ArrayLike,
        targets: ArrayLike,
        *,
        initial: ArrayLike = (0,),
        labels: ArrayLike | None = None,
        action_names: tuple[str, ...] = ("",),
        label_names: tuple[str, ...] = ("",),
    ) -> Self:
        """Build from three lists, one entry per transition, in any order; repeated transitions count once."""
        columns = [_column(part) for part in (sources, actions, targets)]
        tails, numbers, heads = columns
        if not tails.shape == numbers.shape == heads.shape:
            raise ValueError("sources, actions and targets must be lists of one length")
        if len(tails) and (min(tails.min(), heads.min()) < 0 or max(tails.max(), heads.max()) >= states):
            raise ValueError(f"a transition leaves the states 0 to {states - 1}")
        if len(numbers) and (numbers.min() < 0 or numbers.max() >= len(action_names)):
            raise ValueError(f"an action is not one of the {len(action_names)} named ones")
        kind = width(states)
        offsets, numbers, heads = gathered(
            states, tails.astype(kind, copy=False), numbers.astype(np.int32, copy=False), heads.astype(kind, copy=False)
        )
        marks = np.zeros(states, dtype=kind) if labels is None else np.asarray(labels).astype(kind)
        starts = np.asarray(initial).astype(kind)
        if len(marks) != states or (len(marks) and not 0 <= marks.min() <= marks.max() < len(label_names)):
            raise ValueError(f"there must be one label for each state, and it must be one of the {len(label_names)} named ones")
        if len(starts) and not 0 <= starts.min() <= starts.max() < states:
            raise ValueError(f"an initial state is not one of the states 0 to {states - 1}")
        return cls(*without_repetitions(offsets, numbers, heads), starts, marks, action_names, label_names)

    @property
    def states(self) -> int:
        return len(self.offsets) - 1

    def state_name(self, number: int) -> str:
        """The name of a state, or its number if states have no names."""
        return self.state_names[number] if self.state_names else str(number)

    @property
    def transitions(self) -> int:
        return len(self.targets)

    @property
    def sources(self) -> Numbers:
        """The source of each transition, beside `targets`."""
        return np.repeat(np.arange(self.states, dtype=self.targets.dtype), np.diff(self.offsets))

    def only(self, some: NDArray[np.bool_]) -> Self:
        """The same states with some of the transitions."""
        return type(self).from_edges(
            self.states, self.sources[some], self.actions[some], self.targets[some], initial=self.initial, labels=self.labels,
            action_names=self.action_names, label_names=self.label_names,
        )  # fmt: skip

    def __repr__(self) -> str:
        counts = {"state": self.states, "transition": self.transitions, "action": len(self.action_names)}
        if len(self.label_names) > 1:
            counts["label"] = len(self.label_names)
        if len(self.initial) != 1:
            counts["initial state"] = len(self.initial)
        return f"<Graph: {', '.join(f'{number:,} {noun}' + 's' * (number != 1) for noun, number in counts.items())}>"


def _column(part: ArrayLike) -> Numbers:
    column = np.asarray(part)
    if column.ndim != 1:
        raise ValueError("sources, actions and targets must be lists of one length")
    if not np.issubdtype(column.dtype, np.integer):
        if len(column):
            raise ValueError(f"states and actions are given by their numbers, not by {column.dtype}")
        column = column.astype(np.int64)
    return column


def gathered(states: int, sources: Numbers, actions: Numbers, targets: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Offsets, actions and targets of transitions in any order. If they are in order, the same arrays are returned."""
    csr = kernels("csr", len(sources))
    offsets: Numbers = np.empty(states + 1, dtype=width(len(sources)))
    if not csr.count_rows(sources, offsets):
        unordered = actions, targets
        actions, targets = np.empty_like(actions), np.empty_like(targets)
        csr.gather_rows(sources, offsets, *unordered, actions, targets)
    return offsets, actions, targets


def without_repetitions(offsets: Numbers, actions: Numbers, targets: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The same transitions without repetitions, those of a state in the order of actions and targets."""
    every_state = np.arange(len(offsets) - 1, dtype=targets.dtype)
    every_action = np.arange(int(actions.max(initial=-1)) + 1, dtype=np.int32)
    rows = np.empty_like(offsets), np.empty_like(actions), np.empty_like(targets)
    quotient = kernels("partition.quotient", len(targets))
    quotient.block_rows(offsets, actions, targets, every_action, every_state, every_state, *rows)
    used = int(rows[0][-1])
    return rows[0], rows[1][:used], rows[2][:used]
