"""Create_ξ and Create_ξ_limit: the representative relation ξ, which pairs each representative with all states of its orbit.

Reference: Barner, Grumberg 2003, figures 7 and 8.
Symbols:   ξ(v̄, v̄') is `relation`: v̄ are the present bits, v̄' the future ones.
Invariant: (s, t) ∈ ξ implies s ∈ Rep, and t is in the orbit of s.
Deviates:  bits that no generator moves are the same on both sides, and have one copy. Line 6 is a substitution of the future
           bits: there is no third copy, and no image. With a limit, ξ may have a few more nodes at the end.
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
        self._now, self._after = manager.cube(moving), manager.cube([after[bit] for bit in moving])
        self._to_after = manager.substitution({bit: manager.var(after[bit]) for bit in moving})
        self._to_now = manager.substitution({after[bit]: manager.var(bit) for bit in moving})

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
    names = sorted({name for sigma in generators for name in sigma.variables})
    own = frozenset(space.bits)
    bits = [bit for name in names for bit in space.layout.slots[name].now if bit in own]
    if any(bit not in space.layout.after_of_now for bit in bits):
        raise Unsupported("a symmetry moves frozen variables, which have no second copy", hint="use --algorithm sigma-step")
    return bits


def create_xi(
    space: SymbolicSpace[Any], generators: Sequence[Permutation], rep: SymbolicSet[Any], run: Run, *, limit: int | None = None
) -> Xi:
    """Create_ξ(σ_1, …, σ_k, Rep); with a limit on nodes, Create_ξ_limit."""
    manager, moving = space.manager, moving_bits(space, generators)
    if limit is not None and manager.size(rep.function) > limit:  # the identity is even larger, and need not be built
        return Xi(space, rep.function, (), complete=False)
    depth = {bit: level for level, bit in enumerate(manager.order)}
    same = manager.true
    for bit in sorted(moving, key=lambda bit: -depth[bit]):  # from below: every step adds three nodes
        same = manager.iff(manager.var(bit), manager.var(space.layout.after_of_now[bit])) & same
    xi = rep.function & same
    movers = [manager.substitution(dict(BitMover(space, sigma).replaced(after=True))) for sigma in generators]
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
