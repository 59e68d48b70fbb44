"""Is every trace of some states a trace of some others? A search through sets of states that no other set makes superfluous.

Reference: De Wulf, Doyen, Henzinger, Raskin 2006, Antichains: a new algorithm for checking universality of finite automata; with
           simulation as in Abdulla, Chen, Holík, Mayr, Vojnar 2010, When simulation meets antichains, section 4.
Symbols:   a pair (p, S) asks whether the traces of p are traces of S; S↓ is the set of states below one of S.
Invariant: a pair that was left out has no shorter counterexample than one that was kept, so that the trace found first is
           a shortest one.
Deviates:  all states accept: traces are finite and closed under prefixes; the graph is the quotient by simulation
           equivalence; labels of states are part of what is seen.
Cost:      exponential in the worst case; each pair costs its transitions and a comparison with the pairs kept for states above p.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from coarsest.run import Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from coarsest.lts.labelled import Graph


class Inclusion(Struct, frozen=True):
    """Pairs that follow from one another, if all traces are included; otherwise a shortest path whose trace is not: its
    actions, and the labels of the states, one more; or the pair that is refuted at its end."""

    pairs: tuple[tuple[int, tuple[int, ...]], ...]
    actions: tuple[int, ...] | None = None
    labels: tuple[int, ...] = ()


class TraceInclusion:
    """Questions about one graph, where no two states simulate each other; `above[p, q]` says that q simulates p."""

    def __init__(self, graph: Graph, above: NDArray[np.bool_], run: Run) -> None:
        self._graph, self._run = graph, run
        self._labels: list[int] = graph.labels.tolist()
        self._below = [mask_of(column.nonzero()[0].tolist()) for column in above.T]
        self._above: list[list[int]] = [row.nonzero()[0].tolist() for row in above]
        self._after: list[dict[int, list[int]]] = [defaultdict(list) for _ in range(graph.states)]
        for source, action, target in zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()):
            self._after[source][action].append(target)

    def decide(self, firsts: Iterable[int], seconds: Iterable[int]) -> Inclusion:
        """Breadth-first through the pairs."""
        start = list(seconds)
        layer: list[tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = []
        layer += [(first, self._strongest(start), (), ()) for first in sorted(set(firsts))]
        antichains: dict[int, list[int]] = defaultdict(list)  # by state: the sets that it was kept with, each as its states' mask
        pairs: list[tuple[int, tuple[int, ...]]] = []
        while layer:
            following = []
            for state, others, word, labels in layer:
                path = (*labels, self._labels[state])
                if not any(self._labels[other] == self._labels[state] for other in others):
                    return Inclusion((), word, path)
                if self._superfluous(state, others, antichains):
                    continue
                if self.refuted(state, others):
                    return Inclusion(((state, others),), word, path)
                self._run.step("antichains", pairs=len(pairs), length=len(word))
                antichains[state].append(mask_of(others))
                pairs.append((state, others))
                for action, targets in sorted(self._after[state].items()):
                    answers = self._answers(others, self._labels[state], action)
                    following += [(target, answers, (*word, action), path) for target in targets]
            layer = following
        return Inclusion(tuple(pairs))

    def refuted(self, state: int, others: tuple[int, ...]) -> bool:
        """Does the pair fail a question that is asked besides traces? (Subclasses ask some.)"""
        return False

    def _answers(self, states: Iterable[int], label: int, action: int) -> tuple[int, ...]:
        able = [state for state in states if self._labels[state] == label]
        return self._strongest({target for state in able for target in self._after[state].get(action, ())})

    def _strongest(self, states: Iterable[int]) -> tuple[int, ...]:
        """The states that none of the others simulates."""
        unique = sorted(set(states))
        return tuple(state for state in unique if not any(other != state and self._below[other] >> state & 1 for other in unique))

    def _superfluous(self, state: int, others: tuple[int, ...], antichains: dict[int, list[int]]) -> bool:
        """Is the state simulated by one of the others, or was a stronger question kept?"""
        closed = 0
        for other in others:
            closed |= self._below[other]
        if closed >> state & 1:
            return True
        return any(earlier & ~closed == 0 for higher in self._above[state] for earlier in antichains.get(higher, ()))


def mask_of(states: Iterable[int]) -> int:
    """A set of states as a number with a bit for each."""
    mask = 0
    for state in states:
        mask |= 1 << state
    return mask
