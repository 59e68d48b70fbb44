"""Representatives by the order of states: the states that no generator makes smaller.

States are compared bit by bit, in the order of the BDD. No generator makes the smallest state of an orbit smaller, so every orbit
has a representative; it may have several, unless the generators exchange neighbours in that order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from coarsest.bdd.protocol import F, Manager
from coarsest.reduce.symmetry.group.movers import BitMover
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace


def made_smaller(space: SymbolicSpace[Any], sigma: Permutation, order: Sequence[int] | None = None) -> SymbolicSet[Any]:
    """The states s with σ(s) < s, by their bits in some order, or in that of the BDD."""
    moved = dict(BitMover(space, sigma.inverse).replaced())  # the bits of σ(s), by those of s
    own = frozenset(space.bits)
    return space.set(bits_less(space.manager, {bit: function for bit, function in moved.items() if bit in own}, order))


def bits_less(manager: Manager[F], functions: Mapping[int, F], order: Sequence[int] | None = None) -> F:
    """True where functions, each in the place of a bit, make a smaller number than the bits, in some order or the manager's."""
    depth = {bit: level for level, bit in enumerate(manager.order if order is None else order)}
    smaller = manager.false
    for bit in sorted(functions, key=lambda bit: -depth[bit]):  # the highest bit comes last, and decides
        here, there = manager.var(bit), functions[bit]
        smaller = (here & ~there) | (manager.iff(here, there) & smaller)
    return smaller


def smallest_states(space: SymbolicSpace[Any], generators: Sequence[Permutation]) -> SymbolicSet[Any]:
    """All states that no generator makes smaller."""
    return reduce(lambda states, sigma: states - made_smaller(space, sigma), generators, space.states)


class Thinning:
    """Removes states that a generator takes to a smaller one of the same set, so that one or more of each orbit are left."""

    def __init__(self, space: SymbolicSpace[Any], generators: Sequence[Permutation]) -> None:
        self._space = space
        self._ways = [(BitMover(space, sigma.inverse), made_smaller(space, sigma)) for sigma in generators]

    def __call__(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        left = states
        for back, smaller in self._ways:
            left = left - (back(states) & smaller)
        return left
