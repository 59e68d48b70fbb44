"""Explicit graphs with actions on the transitions, labels on the states, and initial states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.signedinteger[Any]]
"""State numbers, 32 or 64 bits wide by the size of the graph."""


@dataclass(frozen=True, eq=False)
class Graph:
    """The transitions of state i lie at the places `offsets[i]` to `offsets[i + 1]` of `actions` and `targets`.

    `action_names` names the actions; a graph without actions has one, the empty word. `labels` numbers the observation of
    each state, named by `label_names`; a graph without labels has one, the empty word.

    >>> graph = Graph.from_edges(3, [0, 0, 1], [1, 0, 0], [1, 2, 2], action_names=("a", "b"))
    >>> graph.states, graph.transitions, graph.targets.tolist()
    (3, 3, [2, 1, 2])
    """

    offsets: NDArray[np.int64]
    actions: Numbers
    targets: Numbers
    initial: Numbers
    labels: Numbers
    action_names: tuple[str, ...] = ("",)
    label_names: tuple[str, ...] = ("",)

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
    ) -> Graph:
        """Build from three lists, one entry per transition, in any order; repeated transitions count once."""
        kind = np.int32 if states < 2**31 else np.int64
        tails, words, heads = (np.asarray(part, dtype=np.int64) for part in (sources, actions, targets))
        if not tails.shape == words.shape == heads.shape or tails.ndim != 1:
            raise ValueError("sources, actions and targets must be lists of one length")
        if len(tails) and (min(tails.min(), heads.min()) < 0 or max(tails.max(), heads.max()) >= states):
            raise ValueError(f"a transition leaves the states 0 to {states - 1}")
        if len(words) and (words.min() < 0 or words.max() >= len(action_names)):
            raise ValueError(f"an action is not one of the {len(action_names)} named ones")
        order = np.lexsort((heads, words, tails))
        tails, words, heads = tails[order], words[order], heads[order]
        fresh = np.ones(len(tails), dtype=np.bool_)
        fresh[1:] = (tails[1:] != tails[:-1]) | (words[1:] != words[:-1]) | (heads[1:] != heads[:-1])
        offsets = np.zeros(states + 1, dtype=np.int64)
        np.cumsum(np.bincount(tails[fresh], minlength=states), out=offsets[1:])
        seen = np.zeros(states, dtype=kind) if labels is None else np.asarray(labels, dtype=kind)
        return cls(
            offsets, words[fresh].astype(np.int32), heads[fresh].astype(kind), np.asarray(initial, dtype=kind), seen,
            action_names, label_names,
        )

    @property
    def states(self) -> int:
        return len(self.offsets) - 1

    @property
    def transitions(self) -> int:
        return len(self.targets)

    @property
    def sources(self) -> Numbers:
        """The source of each transition, beside `targets`."""
        return np.repeat(np.arange(self.states, dtype=self.targets.dtype), np.diff(self.offsets))
