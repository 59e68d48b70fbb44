"""What an invariant checker that minimises on the fly finds out."""

from __future__ import annotations

from typing import Generic

from msgspec import Struct

from coarsest.space.space import S, StateSpace


class OnTheFly(Struct, Generic[S], frozen=True):
    """The verdict, and how it came about.

    `rings` are disjoint sets: the bad states, then those found one after another to have a path to a bad state, each of which has
    a step into an earlier ring. If the invariant fails, the last ring holds an initial state.
    """

    holds: bool
    rings: tuple[S, ...]
    unmarked: S
    """The good states that were not found to have a path to a bad one; an inductive invariant, if the property holds."""
    iterations: int
    outside: int = 0
    """How many images were taken outside of splitting, which is all that the bounds of section 6 of the paper speak of."""

    def path(self, space: StateSpace[S]) -> list[S]:
        """Single states from an initial one down the rings to a bad one, always by the largest step."""
        left = len(self.rings) - 1
        start = self.rings[left] & space.initial
        if left:
            start = next(found for found in (start & space.pre(ring) for ring in self.rings[:left]) if found)
        path = [space.pick(start)]
        while left:
            after = space.post(path[-1])
            left = next(i for i, ring in enumerate(self.rings[:left]) if after & ring)
            path.append(space.pick(after & self.rings[left]))
        return path
