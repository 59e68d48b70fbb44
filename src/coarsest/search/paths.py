"""A shortest path through the rings of a breadth-first search."""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.space.space import S, StateSpace


def path_to(space: StateSpace[S], rings: Sequence[S], goal: S) -> list[S]:
    """Single states from the first ring to a state of `goal` in the last ring, one step each, after a forward search."""
    path = [space.pick(rings[-1] & goal)]
    for ring in reversed(rings[:-1]):
        path.append(space.pick(ring & space.pre(path[-1])))
    path.reverse()
    return path


def path_from(space: StateSpace[S], rings: Sequence[S], start: S) -> list[S]:
    """Single states from `start` in the last ring down to the first ring, after a backward search."""
    path = [space.pick(rings[-1] & start)]
    for ring in reversed(rings[:-1]):
        path.append(space.pick(ring & space.post(path[-1])))
    return path
