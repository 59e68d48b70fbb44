"""Formulas about weak steps, which are computed for single states: no graph of weak transitions is made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from coarsest.logic.modal.hennessy_milner import Builder
from coarsest.lts.rounds.distinguish_cleaveland import Distinguisher
from coarsest.lts.rounds.history import PartitionHistory
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


class WeakDistinguisher(Distinguisher):
    """Finds formulas from a history about the weak steps of a graph, or, without `after`, about delayed ones. `silent` is the
    internal action; `make` makes the diamonds."""

    def __init__(
        self, graph: Graph, history: PartitionHistory, run: Run, *,
        silent: int, make: Builder, after: bool = True, divergence: int = -1,
    ) -> None:  # fmt: skip
        super().__init__(graph, history, run, divergence=divergence, make=make)
        self._quiet, self._after_action = silent, after
        self._weak_steps: dict[int, dict[int, list[int]]] = {}

    def _by_action(self, states: Iterable[int]) -> dict[int, list[int]]:
        (state,) = states
        steps = self._weak_steps.get(state)
        if steps is None:
            reached = self._silently([state])
            steps = super()._by_action(reached)
            steps[self._quiet] = reached
            for action, targets in steps.items():
                steps[action] = self._silently(targets) if self._after_action else sorted(set(targets))
            self._weak_steps[state] = steps
        return steps

    def _silently(self, states: Iterable[int]) -> list[int]:
        """The states that internal steps, perhaps none, lead to."""
        reached = set(states)
        waiting = list(reached)
        while waiting:
            fresh = set(super()._by_action([waiting.pop()]).get(self._quiet, ())) - reached
            reached |= fresh
            waiting += fresh
        return sorted(reached)
