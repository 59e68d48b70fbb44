"""Does a condition hold in every reachable state?

Reference: Fisler, Vardi 1999, figure 2 (backward reachability); forwards it is the same with images.
Symbols:   S_i is the union of `rings` up to i, F_i the i-th ring.
Invariant: forwards, no ring before the last meets `bad`; backwards, none before the last meets the initial states.
Deviates:  by chaining, a violation is found first and a shortest path to it afterwards, by a breadth-first search that stops there.
Cost:      one image or preimage per ring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from coarsest.check.paths import path_from, path_to
from coarsest.check.reachability import breadth_first, chaining
from coarsest.run import Run
from coarsest.system.space import S, StateSpace


@dataclass(frozen=True, slots=True)
class InvariantResult(Generic[S]):
    """Either a shortest path to a violation, or a set that contains the initial states, is closed under steps, and is good."""

    path: Sequence[S] | None
    inductive: S | None
    rings: int


def check_forwards(space: StateSpace[S], run: Run, bad: S, *, by_chaining: bool = False) -> InvariantResult[S]:
    """Search from the initial states for a bad one."""
    if by_chaining:
        reached = chaining(space, run, space.initial, until=bad)
        if not reached.met:
            return InvariantResult(None, reached.states, 0)
    found = breadth_first(space, run, space.initial, until=bad)
    if found.met:
        return InvariantResult(path_to(space, found.rings, bad), None, len(found.rings))
    return InvariantResult(None, found.states, len(found.rings))


def check_backwards(space: StateSpace[S], run: Run, bad: S, *, by_chaining: bool = False) -> InvariantResult[S]:
    """Search from the bad states for an initial one."""
    if by_chaining:
        reached = chaining(space, run, bad, until=space.initial, backwards=True)
        if not reached.met:
            return InvariantResult(None, space.states - reached.states, 0)
    found = breadth_first(space, run, bad, until=space.initial, backwards=True)
    if found.met:
        return InvariantResult(path_from(space, found.rings, space.initial), None, len(found.rings))
    return InvariantResult(None, space.states - found.states, len(found.rings))
