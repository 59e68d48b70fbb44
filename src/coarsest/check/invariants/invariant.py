"""Does a condition hold in every reachable state?

Reference: Fisler, Vardi 1999, figure 2 (backward reachability); forwards it is the same with images.
Symbols:   S_i is the union of the rings up to i, F_i the i-th ring.
Invariant: forwards, no ring before the last meets `bad`; backwards, none before the last meets the initial states.
Deviates:  one forward search serves all properties. By chaining, or with hints, it is first decided whether there is a violation;
           only then is a shortest path looked for, breadth-first.
Cost:      one image or preimage per ring.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Generic

from msgspec import Struct

from coarsest.run import Run
from coarsest.search.paths import path_from, path_to
from coarsest.search.reachability import BreadthFirst, Chaining, Search
from coarsest.space.space import S, StateSpace, StepPart

if TYPE_CHECKING:
    from coarsest.search.guided_ravi_somenzi import Guided


class InvariantResult(Struct, Generic[S], frozen=True):
    """Either a shortest path to a violation, or a set that contains the initial states, is closed under steps, and is good."""

    path: Sequence[S] | None
    inductive: S | None
    exact: bool = False
    """Is `inductive` exactly the set of reachable states?"""


class InvariantChecker(Generic[S]):
    """Checks one condition after another on one space."""

    def __init__(self, space: StateSpace[S], *, by_chaining: bool = False, hints: Sequence[StepPart[S]] = ()) -> None:
        self.space = space
        self.by_chaining = by_chaining or bool(hints)
        self.hints = hints
        self.rings = BreadthFirst(space, space.initial)

    @cached_property
    def chain(self) -> Chaining[S] | Guided[S]:
        if not self.hints:
            return Chaining(self.space, self.space.initial)
        from coarsest.search.guided_ravi_somenzi import Guided

        return Guided(self.space, self.space.initial, self.hints)

    @property
    def searching(self) -> Search[S]:
        """The search for all reachable states, as far as it has come."""
        return self.chain if self.by_chaining and not self.rings.complete else self.rings

    def forwards(self, bad: S, run: Run) -> InvariantResult[S]:
        """Search from the initial states for a bad one."""
        if self.by_chaining and not self.rings.complete and not self.chain.meet(bad, run):
            return InvariantResult(None, self.chain.reached, exact=True)
        rings = self.rings.meet(bad, run)
        if rings is None:
            return InvariantResult(None, self.rings.reached, exact=True)
        return InvariantResult(path_to(self.space, rings, bad), None)

    def backwards(self, bad: S, run: Run) -> InvariantResult[S]:
        """Search from the bad states for an initial one, by chaining."""
        space = self.space
        chain = Chaining(space, bad, backwards=True)
        if not chain.meet(space.initial, run):
            return InvariantResult(None, space.states - chain.reached)
        rings = BreadthFirst(space, bad, backwards=True).meet(space.initial, run)
        assert rings is not None
        return InvariantResult(path_from(space, rings, space.initial), None)
