"""How many orbits some states are in.

Reference: Burnside's lemma (Cauchy, Frobenius): the mean number of states that an element of the group leaves where they are.
Symbols:   –
Invariant: –
Deviates:  where the group is large, orbits are taken away one by one instead.
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
    """The orbits of a set that is closed under the generators."""
    group = Group(generators, run)
    if group.order <= tuning.GROUP_ELEMENTS:
        fixed = 0
        for one in group.elements():
            run.step("orbits", **space.cost(states))
            fixed += space.count(states & still_states(space, one))
        return fixed // group.order
    movers = [BitMover(space, one) for one in generators]
    left, orbits = states, 0
    while left:
        run.step("orbits", orbits=orbits, **space.cost(left))
        left = left - sigma_step(space, space.pick(left), movers, run).states
        orbits += 1
    return orbits


def still_states(space: SymbolicSpace[Any], one: Permutation) -> SymbolicSet[Any]:
    """The states that a permutation leaves as they are."""
    same = space.manager.true
    of_states = frozenset(space.bits)
    for place, moved in BitMover(space, one).replaced():
        if place in of_states:
            same = same & space.manager.iff(space.manager.var(place), moved)
    return space.set(same)
