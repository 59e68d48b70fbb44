"""Orbit_To_ξ: the representative relation by way of the orbit relation, a baseline.

Reference: Jha 1996, as section 9 of Barner, Grumberg 2003 has it.
Symbols:   OR(v̄, v̄') relates states of one orbit; Rep are the smallest states of each.
Invariant: –
Deviates:  –
Cost:      OR is exponential in the number of bits for most groups, which the other algorithms avoid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.reduce.symmetry.representative_relation import Xi, create_xi, moving_bits
from coarsest.reduce.symmetry.smallest import bits_less
from coarsest.run import Run
from coarsest.space.bdd.symbolic import SymbolicSpace


def orbit_to_xi(space: SymbolicSpace[Any], generators: Sequence[Permutation], run: Run) -> Xi:
    """ξ for the representatives that are the smallest states of their orbits."""
    orbits = create_xi(space, generators, space.states, run)
    manager, moving = space.manager, moving_bits(space, generators)
    smaller = bits_less(manager, {bit: manager.var(space.layout.after_of_now[bit]) for bit in moving})
    after = manager.cube([space.layout.after_of_now[bit] for bit in moving])
    rep = space.states.function & ~manager.and_exists(orbits.relation, smaller, after)
    return Xi(space, orbits.relation & rep, moving, complete=True)
