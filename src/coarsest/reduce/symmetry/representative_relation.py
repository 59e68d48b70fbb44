"""The representative relation ξ: each representative beside all states of its orbit. Create_ξ and Create_ξ_limit.

Reference: Barner, Grumberg 2003, figures 7 and 8.
Symbols:   ξ(v̄, v̄') is `relation`: v̄ are the present bits, v̄' the future ones.
Invariant: (s, t) ∈ ξ implies s ∈ Rep, and t is in the orbit of s.
Deviates:  bits that no generator moves are the same on both sides, and stand there once. Line 6 is a substitution of the future
           bits: there is no third copy, and no image. With a limit, ξ may have a little more than so many nodes at the end.
Cost:      one substitution for each generator and round; the relation may be very large.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coarsest.errors import Unsupported
from coarsest.reduce.symmetry.group.movers import BitMover
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.run import Run
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace


class Xi:
    """ξ, and its images both ways."""

    def __init__(self, space: SymbolicSpace[Any], relation: Any, moving: Sequence[int], *, complete: bool) -> None:
        self.space, self.relation, self.complete = space, relation, complete
        manager, after = space.manager, space.layout.after_of_now
        self._now, self._after = manager.cube(moving), manager.cube([after[place] for place in moving])
        self._to_after = manager.substitution({place: manager.var(after[place]) for place in moving})
        self._to_now = manager.substitution({after[place]: manager.var(place) for place in moving})

    @property
    def nodes(self) -> int:
        return self.space.manager.size(self.relation)

    def states(self, representatives: SymbolicSet[Any]) -> SymbolicSet[Any]:
        """All states of the orbits of some representatives."""
        manager = self.space.manager
        image = manager.and_exists(representatives.function, self.relation, self._now)
        return self.space.set(manager.substitute(image, self._to_now))

    def representatives(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        """The representatives of some states."""
        manager = self.space.manager
        return self.space.set(manager.and_exists(manager.substitute(states.function, self._to_after), self.relation, self._after))


def moving_bits(space: SymbolicSpace[Any], generators: Sequence[Permutation]) -> list[int]:
    """The present bits of states that take part in any of the generators."""
    names = sorted({name for one in generators for name in one.variables})
    own = frozenset(space.bits)
    bits = [place for name in names for place in space.layout.slots[name].now if place in own]
    if any(place not in space.layout.after_of_now for place in bits):
        raise Unsupported("a symmetry moves frozen variables, which have no second copy", hint="use --algorithm sigma-step")
    return bits


def create_xi(
    space: SymbolicSpace[Any], generators: Sequence[Permutation], rep: SymbolicSet[Any], run: Run, *, limit: int | None = None
) -> Xi:
    """Create_ξ(σ_1, …, σ_k, Rep); with a limit on nodes, Create_ξ_limit."""
    manager, moving = space.manager, moving_bits(space, generators)
    if limit is not None and manager.size(rep.function) > limit:  # the identity is larger still, and need not be written down
        return Xi(space, rep.function, (), complete=False)
    depth = {place: level for level, place in enumerate(manager.order)}
    same = manager.true
    for place in sorted(moving, key=lambda place: -depth[place]):  # from below: every step adds three nodes
        same = manager.iff(manager.var(place), manager.var(space.layout.after_of_now[place])) & same
    xi = rep.function & same
    movers = [manager.substitution(dict(BitMover(space, one).replaced(after=True))) for one in generators]
    old = manager.false
    while old != xi:
        old = xi
        for move in movers:
            if limit is not None and manager.size(xi) > limit:
                return Xi(space, xi, moving, complete=False)
            run.step("representative relation", nodes=manager.live_nodes)
            manager.tidy()
            xi = xi | manager.substitute(xi, move)
    return Xi(space, xi, moving, complete=True)
