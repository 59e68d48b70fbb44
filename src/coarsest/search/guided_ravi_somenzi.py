"""Which states can be reached, where hints say which steps to take first.

Reference: Ravi, Somenzi 1999, "Hints to accelerate symbolic traversal" (CHARME).
Symbols:   a hint is a part of the step relation: the steps in which a condition holds, on states and inputs.
Invariant: `reached` lies between the start and the reachable states, and grows. Once a hint is followed, no step in which it
           holds leaves the states that were reached by then.
Deviates:  the last steps to be followed are all of them, so that nothing is left out, whatever the hints are.
Cost:      one image per ring of each hint. Good hints keep the sets on the way small; there are no distances.
"""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.run import Run
from coarsest.search.reachability import WithoutDistances
from coarsest.space.space import S, StateSpace, StepPart


class Guided(WithoutDistances[S]):
    """A search that follows one hint after the other, each as far as it leads, and then all steps."""

    def __init__(self, space: StateSpace[S], start: S, hints: Sequence[StepPart[S]]) -> None:
        self.space = space
        self.reached = start
        self._frontier = start
        self._steps = [*(hint.post for hint in hints), space.post]
        self._followed = 0

    @property
    def complete(self) -> bool:
        return self._followed == len(self._steps)

    def advance(self, run: Run) -> None:
        """Take one more step as the hint says, or go on to the next hint, from all states that were reached."""
        run.step("guided search", hint=self._followed + 1, **self.space.cost(self.reached))
        self.images += 1
        successors = self._steps[self._followed](self._frontier) - self.reached
        if successors:
            self.reached = self.reached | successors
            self._frontier = successors
        else:
            self._followed += 1
            self._frontier = self.reached
