"""Impossible futures: the sets of traces that may have become impossible after each trace.

Reference: Voorhoeve, Mauw 2001, Impossible futures and determinism; van Glabbeek, Voorhoeve 2006, Liveness, fairness and
           impossible futures. The search is that of trace inclusion, as in mCRL2.
Symbols:   a pair (p, S) asks whether the impossible futures of p are impossible futures of S: in addition to its steps, for each
           p' with p ⇒ p' there must be a q with S ⇒ q that has no other traces than p'.
Invariant: a pair that was left out has no shorter counterexample than one that was not: `above` is a coupled simulation, so
           silent steps lead from any state above p to a state that has no other traces than p'.
Deviates:  labels are part of traces. The same search answers, once for each pair, whether q has no other traces than p.
Cost:      exponential in the worst case, in the search and in each question within it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coarsest.lts.certificates import Pairs
from coarsest.lts.language.inclusion_antichains import Inclusion, TraceInclusion
from coarsest.run import Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from coarsest.lts.labelled import Graph


class FutureInclusion(TraceInclusion):
    """Questions about a graph of weak transitions, where no two states are in one class of coupled simulation."""

    def __init__(self, graph: Graph, above: NDArray[np.bool_], run: Run, *, internal: int) -> None:
        super().__init__(graph, above, run)
        self._internal = internal
        self._traces = TraceInclusion(graph, above, run)
        self._answered: dict[tuple[int, int], Inclusion] = {}

    def refuted(self, state: int, others: tuple[int, ...]) -> bool:
        """Does `lost` find a state?"""
        return self.lost(state, others) is not None

    def lost(self, state: int, others: tuple[int, ...]) -> int | None:
        """A state that silent steps reach from `state`, such that every state that they reach from `others` has other traces."""
        fallen = self.fallen(state, others)
        for own in self._after[state].get(self._internal, (state,)):
            if all(self.traces(other, own).actions is not None for other in fallen):
                return own
        return None

    def fallen(self, state: int, others: tuple[int, ...]) -> list[int]:
        """The states that silent steps reach from those of the others with the label of `state`; the deepest come first."""
        able = [other for other in others if self._labels[other] == self._labels[state]]
        ends = {end for other in able for end in self._after[other].get(self._internal, (other,))}
        return sorted(ends, key=lambda end: (len(self._after[end].get(self._internal, ())), end))

    def traces(self, state: int, other: int) -> Inclusion:
        """Are the traces of a state traces of another?"""
        if (state, other) not in self._answered:
            self._answered[state, other] = self._traces.decide([state], [other])
        return self._answered[state, other]

    @property
    def futures(self) -> Pairs:
        """All pairs that show inclusions of traces."""
        pairs = (pair for answer in self._answered.values() if answer.actions is None for pair in answer.pairs)
        return tuple(dict.fromkeys(pairs))
