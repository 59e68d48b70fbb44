"""Representatives by the order of states: those that no generator makes smaller.

States are compared bit by bit, in the order of the BDD. The smallest state of an orbit is made smaller by nothing, so that every
orbit has a representative; it may have others, unless the generators exchange neighbours in that order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from coarsest.reduce.symmetry.group.movers import BitMover
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace


def made_smaller(space: SymbolicSpace[Any], one: Permutation, places: Sequence[int] | None = None) -> SymbolicSet[Any]:
    """The states s with σ(s) < s: the first of some bits decides, or, without a list, the highest in the order of the BDD."""
    manager = space.manager
    depth = {place: level for level, place in enumerate(manager.order if places is None else places)}
    moved = dict(BitMover(space, one.inverse).replaced())  # the bits of σ(s), by those of s
    smaller = manager.false
    own = frozenset(space.bits)
    for place in sorted(own & moved.keys(), key=lambda place: -depth[place]):  # the highest bit comes last, and decides
        here, there = manager.var(place), moved[place]
        smaller = (here & ~there) | (manager.iff(here, there) & smaller)
    return space.set(smaller)


def smallest_states(space: SymbolicSpace[Any], generators: Sequence[Permutation]) -> SymbolicSet[Any]:
    """All states that no generator makes smaller."""
    return reduce(lambda states, one: states - made_smaller(space, one), generators, space.states)


class Thinning:
    """Of states that are met together, those that no generator takes to a smaller one among them: of each orbit, one or more."""

    def __init__(self, space: SymbolicSpace[Any], generators: Sequence[Permutation]) -> None:
        self._space = space
        self._ways = [(BitMover(space, one.inverse), made_smaller(space, one)) for one in generators]

    def __call__(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        left = states
        for back, smaller in self._ways:
            left = left - (back(states) & smaller)
        return left
