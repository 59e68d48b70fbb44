"""Which states can be reached, forwards or backwards.

Reference: Burch, Clarke, McMillan, Dill, Hwang 1992 (breadth-first); Roig, Cortadella, Pastor 1995 (chaining).
Symbols:   –
Invariant: breadth-first: rings[i] are the states at distance i exactly, and `reached` is their union.
           chaining: `reached` lies between the start and the reachable states, and grows.
Deviates:  stops as soon as `until` is met.
Cost:      breadth-first: one image per ring. Chaining: one image of each part of the relation per sweep, on all of `reached`;
           usually far fewer sweeps than rings, and smaller sets, but no distances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from coarsest.run import Run
from coarsest.system.space import S, StateSpace, StepPart


@dataclass(frozen=True, slots=True)
class Reached(Generic[S]):
    """What a search found. Without `rings` the distances are not known."""

    states: S
    rings: tuple[S, ...]
    met: bool
    """Did the search stop because it met what it was looking for?"""


def breadth_first(space: StateSpace[S], run: Run, start: S, *, until: S | None = None, backwards: bool = False) -> Reached[S]:
    """All states reachable from `start` (or from which it can be reached), ring by ring."""
    step: Callable[[S], S] = space.pre if backwards else space.post
    task = "backward reachability" if backwards else "forward reachability"
    reached = frontier = start
    rings: list[S] = []
    while frontier:
        rings.append(frontier)
        if until is not None and frontier & until:
            return Reached(reached, tuple(rings), met=True)
        run.step(task, ring=len(rings), **space.cost(reached))
        frontier = step(frontier) - reached
        reached = reached | frontier
    return Reached(reached, tuple(rings), met=False)


def chaining(space: StateSpace[S], run: Run, start: S, *, until: S | None = None, backwards: bool = False) -> Reached[S]:
    """The same set without the rings: each part of the relation sees what the parts before it have found."""
    reached = start
    parts = list(space.parts)
    settled = 0  # how many parts in a row have found nothing new
    turn = 0
    while settled < len(parts):
        part: StepPart[S] = parts[turn % len(parts)]
        turn += 1
        grown = reached | (part.pre(reached) if backwards else part.post(reached))
        settled = settled + 1 if grown == reached else 0
        reached = grown
        run.step("chaining", **space.cost(reached))
        if until is not None and settled == 0 and reached & until:
            return Reached(reached, (), met=True)
    return Reached(reached, (), met=False)
