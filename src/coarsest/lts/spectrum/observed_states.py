"""Observations of a single state at the end of a path, or on the way: its label, its refusals or offers, and its traces.

The label is always seen. The actions that a state refuses or offers are seen without the labels of their targets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from coarsest.logic.modal.hennessy_milner import Builder
from coarsest.lts.rounds.truths import Conjunctions

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph
    from coarsest.lts.spectrum.futures import Futures


class SeenOfState(Enum):
    """The observations of a state besides its label."""

    LABEL = "nothing"
    REFUSED = "actions that it refuses"
    REVIVED = "actions that it refuses, and one that it offers"
    READY = "the actions that it offers"
    IMPOSSIBLE = "traces that it has not"
    POSSIBLE = "the traces that it has"


class FittingStates(NamedTuple):
    """The states that look like a given one; if there are none, the depth of a formula that is false in all others."""

    states: Sequence[int]
    depth: int | None


class ObservedStates:
    """Observations of the states of a graph; `futures` is needed for those of traces."""

    def __init__(self, graph: Graph, futures: Futures | None = None) -> None:
        self._graph, self._futures = graph, futures
        self._labels: list[int] = graph.labels.tolist()
        self._ready = [0] * graph.states
        for source, action in zip(graph.sources.tolist(), graph.actions.tolist()):
            self._ready[source] |= 1 << action

    def fitting(self, kind: SeenOfState, state: int, others: Iterable[int]) -> FittingStates:
        """The others that allow all observations of the state."""
        alike = [other for other in others if self._labels[other] == self._labels[state]]
        if not alike:
            return FittingStates((), 0)
        if kind in (SeenOfState.IMPOSSIBLE, SeenOfState.POSSIBLE):
            return self._fitting_futures(kind, state, alike)
        ready = self._ready[state]
        if kind is SeenOfState.READY:
            alike = [other for other in alike if self._ready[other] == ready]
        elif kind is not SeenOfState.LABEL:
            alike = [other for other in alike if self._ready[other] & ~ready == 0]
        revived = kind is not SeenOfState.REVIVED or self._offered(alike) == ready
        return FittingStates(alike, None if alike and revived else 1)

    def _fitting_futures(self, kind: SeenOfState, state: int, alike: list[int]) -> FittingStates:
        depths = [self._separation(kind, state, other) for other in alike]
        fitting = [other for other, depth in zip(alike, depths) if depth is None]
        return FittingStates(fitting, None if fitting else max(depth for depth in depths if depth is not None))

    def _separation(self, kind: SeenOfState, state: int, other: int) -> int | None:
        assert self._futures is not None, "traces of states are compared"
        lengths = [self._futures.length(other, state)]
        if kind is SeenOfState.POSSIBLE:
            lengths.append(self._futures.length(state, other))
        return min((length for length in lengths if length is not None), default=None)

    def _offered(self, states: Iterable[int]) -> int:
        offered = 0
        for state in states:
            offered |= self._ready[state]
        return offered

    def observations(self, make: Builder, kind: SeenOfState, state: int, rivals: Sequence[int]) -> list[int]:
        """Formulas about a state. In each of the rivals, at least one of them is false."""
        alike = [rival for rival in rivals if self._labels[rival] == self._labels[state]]
        parts = [make.label(self._graph.label_names[self._labels[state]])] if len(alike) < len(rivals) else []
        if not alike:
            return parts
        if kind in (SeenOfState.IMPOSSIBLE, SeenOfState.POSSIBLE):
            return [*parts, self._observed_futures(make, kind, state, alike)]
        if kind is SeenOfState.REVIVED:
            fitting = self.fitting(SeenOfState.REFUSED, state, alike).states
            if fitting:
                action = next(members_of(self._ready[state] & ~self._offered(fitting)))
                parts.append(self._offer(make, action))
                alike = [rival for rival in alike if self._ready[rival] >> action & 1]
        return [*parts, *self._observed_actions(make, state, alike, offers=kind is SeenOfState.READY)]

    def _observed_actions(self, make: Builder, state: int, rivals: list[int], *, offers: bool) -> Iterator[int]:
        """A few actions that the state refuses and rivals do not, or the other way round. Those that distinguish most rivals come
        first."""
        ready, left = self._ready[state], rivals
        while left:
            counts = Counter(
                action
                for rival in left
                for action in members_of(self._ready[rival] ^ ready if offers else self._ready[rival] & ~ready)
            )
            action = min(counts, key=lambda action: (-counts[action], action))
            offered = ready >> action & 1
            offer = self._offer(make, action)
            yield offer if offered else make.negation(offer)
            left = [rival for rival in left if self._ready[rival] >> action & 1 == offered]

    def _offer(self, make: Builder, action: int) -> int:
        return make.diamond(self._graph.action_names[action], make.true)

    def _observed_futures(self, make: Builder, kind: SeenOfState, state: int, rivals: list[int]) -> int:
        """Traces that a rival has and the state does not have, or conversely. The longest come first, for they may distinguish
        other rivals, too."""
        assert self._futures is not None, "traces of states are compared"
        parts: list[tuple[int, int, int]] = []
        for rival in rivals:
            theirs = self._futures.missing(rival, state)
            ours = self._futures.missing(state, rival) if kind is SeenOfState.POSSIBLE else None
            if ours is not None and (theirs is None or len(ours) <= len(theirs)):
                parts.append((-len(ours), rival, self._futures.formula(make, state, ours)))
            elif theirs is not None:
                parts.append((-len(theirs), rival, make.negation(self._futures.formula(make, rival, theirs))))
        longest_first = [(node, rival) for _, rival, node in sorted(parts)]
        return Conjunctions(self._graph, make).against(longest_first)


def members_of(mask: int) -> Iterator[int]:
    """The numbers in a set, in order.

    >>> list(members_of(0b1010))
    [1, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
