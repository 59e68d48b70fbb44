"""The number of orbits in a set of states.
Reference: Burnside's lemma (Cauchy, Frobenius): it is the mean number of states that an element of the group keeps.
Symbols:   –
Invariant: –
Deviates:  where the group is large, orbits are removed from the set one by one instead.
Cost:      a BDD for each element of the group, or a closure for each orbit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coarsest import tuning
from coarsest.reduce.symmetry.closing import sigma_step
from coarsest.reduce.symmetry.group.group import Group
from coarsest.reduce.symmetry.group.movers import BitMover
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.run import Run
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace


def count_orbits(space: SymbolicSpace[Any], states: SymbolicSet[Any], generators: Sequence[Permutation], run: Run) -> int:
    """The number of orbits of a set that is closed under the generators."""
    group = Group(generators, run)
    if group.order <= tuning.GROUP_ELEMENTS:
        total = 0
        for sigma in group.elements():
            run.step("orbits", **space.cost(states))
            total += space.count(states & fixed_states(space, sigma))
        return total // group.order
    movers = [BitMover(space, sigma) for sigma in generators]
    left, orbits = states, 0
    while left:
        run.step("orbits", orbits=orbits, **space.cost(left))
        left = left - sigma_step(space, space.pick(left), movers, run).states
        orbits += 1
    return orbits


def fixed_states(space: SymbolicSpace[Any], sigma: Permutation) -> SymbolicSet[Any]:
    """The states that a permutation does not move."""
    fixed, own = space.manager.true, frozenset(space.bits)
    for bit, moved in BitMover(space, sigma).replaced():
        if bit in own:
            fixed = fixed & space.manager.iff(space.manager.var(bit), moved)
    return space.set(fixed)
