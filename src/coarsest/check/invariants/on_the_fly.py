"""What an invariant checker that minimises on the fly finds out."""

from __future__ import annotations

from typing import Generic

from msgspec import Struct

from coarsest.space.space import S, StateSpace


class OnTheFly(Struct, Generic[S], frozen=True):
    """The verdict, and how it came about.

    `rings` are disjoint sets: the bad states, then states with a path to a bad state, each of which has a step into an earlier
    ring. If the invariant fails, the last ring holds an initial state.
    """

    holds: bool
    rings: tuple[S, ...]
    unmarked: S
    """The good states that were not found to have a path to a bad one; an inductive invariant, if the property holds."""
    iterations: int
    outside: int = 0
    """How many images were not taken to split a block. The bounds in section 6 of the paper are about the others."""

    def path(self, space: StateSpace[S]) -> list[S]:
        """Single states from an initial one down the rings to a bad one, always by the largest step."""
        left = len(self.rings) - 1
        start = self.rings[left] & space.initial
        if left:
            start = next(states for states in (start & space.pre(ring) for ring in self.rings[:left]) if states)
        path = [space.pick(start)]
        while left:
            after = space.post(path[-1])
            left = next(i for i, ring in enumerate(self.rings[:left]) if after & ring)
            path.append(space.pick(after & self.rings[left]))
        return path
