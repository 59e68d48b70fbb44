"""Symmetry_MC: invariants on representatives that are chosen on the fly.

Reference: Barner, Grumberg 2003, figure 2.
Symbols:   S_i is `waiting`, reach_rep `representatives`, full_reach `symmetric`; the generators are given as movers.
Invariant: every representative is reachable in the model, whatever the generators are (lemma 4.1): each is an initial state or
           has a predecessor in the `under` of a layer. If all generators are symmetries, every successor of an expanded state
           is in the orbit of a representative.
Deviates:  `thin` may reduce the new states of a layer to some of each orbit. States that `under` leaves out wait for their turn
           instead of being dropped, so that the search can end complete. full_reach is kept, and only new states are closed.
Cost:      one image for each layer, and the closure of what it has brought.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeAlias

from msgspec import Struct

from coarsest.reduce.symmetry.closing import sigma_step
from coarsest.reduce.symmetry.group.movers import Mover
from coarsest.run import Run
from coarsest.space.space import S, StateSpace

Subset: TypeAlias = Callable[[S], S]
"""A function that chooses some of the states of a set that is not empty."""


class Layer(Struct, Generic[S], frozen=True):
    """States that were expanded at once, and the representatives that they led to."""

    under: S
    reached: S


class Explored(Struct, Generic[S], frozen=True):
    """The result of a search over representatives."""

    representatives: S
    layers: tuple[Layer[S], ...]
    path: tuple[S, ...] | None
    """Single states of the model from an initial one to a bad one, if a bad one was met."""
    closed: bool
    """Was every closure complete? If not, an orbit may have more representatives than it needs."""


def symmetry_mc(
    space: StateSpace[S], bad: S, movers: Sequence[Mover[S]], run: Run, *, start: S | None = None,
    under: Subset[S] = lambda waiting: waiting, thin: Subset[S] = lambda states: states, rounds: int | None = None,
) -> Explored[S]:  # fmt: skip
    """Search for a bad state from the initial states, or from `start`, with few representatives of each orbit."""
    start = space.initial if start is None else start
    representatives = waiting = start & bad or thin(start)
    layers: list[Layer[S]] = []
    symmetric, closed = space.empty, True
    fresh = representatives
    while waiting and not representatives & bad:
        run.step("representatives", layers=len(layers), **space.cost(representatives))
        expanded = under(waiting)
        closure = sigma_step(space, fresh, movers, run, rounds=rounds)
        symmetric, closed = symmetric | closure.states, closed and closure.complete
        image = space.post(expanded) - symmetric
        fresh = image & bad or thin(image)
        layers.append(Layer(expanded, fresh))
        representatives = representatives | fresh
        waiting = (waiting - expanded) | fresh
    path = path_through(space, layers, representatives & bad, start) if representatives & bad else None
    return Explored(representatives, tuple(layers), path, closed)


def path_through(space: StateSpace[S], layers: Sequence[Layer[S]], goal: S, start: S) -> tuple[S, ...]:
    """Single states, each a successor of the one before, from a state of the start to a reached state of the goal."""
    path = [space.pick(goal & start or goal)]
    while not path[-1] & start:
        layer = next(layer for layer in layers if path[-1] & layer.reached)
        path.append(space.pick(layer.under & space.pre(path[-1])))
    path.reverse()
    return tuple(path)
