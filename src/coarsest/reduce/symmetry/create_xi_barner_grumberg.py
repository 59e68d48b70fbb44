"""The representative relation ξ ⊆ Rep × S: Create_ξ, Create_ξ_limit, and Orbit_To_ξ, which builds the orbit relation first.

Reference: Barner, Grumberg 2003, figures 7 and 8; Orbit_To_ξ is their name, in section 9, for the algorithm of Jha 1996.
Symbols:   ξ(v, v') is `pairs`: v is a representative, held in present bits, and v' a state of its orbit, in future ones.
Invariant: ξ ⊆ {(s, t): s ∈ Rep, [s] = [t]} (lemma 7.2); equal, if it is complete (lemma 7.3).
Deviates:  line 6 is a substitution of future bits, which needs no third set of variables (the paper: compose_odd). A generator is
           applied to what the round before has added alone. What each application began with is kept: going back through them
           gives, for a pair, the permutation from the one state to the other.
Cost:      one substitution for each generator and round; the BDD of a complete ξ may be exponential in the number of bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

from msgspec import Struct

from coarsest.bdd.protocol import F
from coarsest.errors import Unsupported
from coarsest.model.machine import Kind
from coarsest.reduce.symmetry.movers import BitMover
from coarsest.reduce.symmetry.permutation import IDENTITY, Permutation
from coarsest.run import Run
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.space import State


class Applied(Struct, Generic[F], frozen=True):
    """One pass of the loop over generators: what there was before a generator was applied."""

    generator: Permutation
    before: F


class Xi(Struct, Generic[F], frozen=True):
    """Pairs of a representative and a state of its orbit."""

    space: SymbolicSpace[F]
    pairs: F
    complete: bool
    """Are these all pairs?"""
    applied: tuple[Applied[F], ...] = ()

    def orbit_of(self, representatives: SymbolicSet[F]) -> SymbolicSet[F]:
        """ξ: the states that are related to some of the representatives."""
        space, manager = self.space, self.space.manager
        related = manager.and_exists(representatives.function, self.pairs, manager.cube(space.bits))
        return space.set(manager.substitute(related, unprimed(space)))

    def representatives_of(self, states: SymbolicSet[F]) -> SymbolicSet[F]:
        """ξ⁻¹: the representatives that are related to some of the states."""
        space, manager = self.space, self.space.manager
        moved = manager.substitute(states.function, primed(space))
        return space.set(manager.and_exists(moved, self.pairs, manager.cube(_after(space))))

    def between(self, representative: State, state: State) -> Permutation:
        """The permutation that takes the one to the other, which are related."""
        taken, here = IDENTITY, state
        for step in reversed(self.applied):
            if not self._has(step.before, representative, here):
                taken = step.generator.then(taken)
                here = step.generator.inverse(here)
        return taken

    def _has(self, pairs: F, representative: State, state: State) -> bool:
        layout, bits = self.space.layout, dict[int, bool]()
        for variable in self.space.machine.state_variables:
            bits |= layout.literals(variable, representative[variable.name])
            bits |= layout.literals(variable, state[variable.name], after=True)
        return self.space.manager.evaluate(pairs, bits)


def create_xi(
    space: SymbolicSpace[F], generators: Sequence[Permutation], rep: SymbolicSet[F], run: Run, *, limit: int | None = None
) -> Xi[F]:
    """Create_ξ(σ_1, …, σ_k, Rep); with a limit, Create_ξ_limit, which stops when ξ has more nodes."""
    _insist_no_frozen(space)
    manager = space.manager
    movers = [(one, future_mover(space, one)) for one in generators if not one.is_identity]
    pairs = added = rep.function & _same(space)
    applied: list[Applied[F]] = []
    while movers and added != manager.false:
        size = manager.size(pairs)
        if limit is not None and size > limit:
            return Xi(space, pairs, complete=False, applied=tuple(applied))
        begun = pairs
        for generator, move in movers:
            run.step("representative relation", nodes=manager.live_nodes)
            manager.tidy()
            applied.append(Applied(generator, pairs))
            pairs = pairs | move(added | (pairs & ~begun))
        added = pairs & ~begun
    return Xi(space, pairs, complete=True, applied=tuple(applied))


def orbit_to_xi(space: SymbolicSpace[F], generators: Sequence[Permutation], rep: SymbolicSet[F], run: Run) -> Xi[F]:
    """The orbit relation, and of it the pairs that begin with a representative."""
    whole = create_xi(space, generators, space.states, run)
    return Xi(space, whole.pairs & rep.function, complete=True)


def future_mover(space: SymbolicSpace[F], one: Permutation) -> Callable[[F], F]:
    """What a permutation does to the future bits of a relation."""
    manager = space.manager
    moved = manager.substitution(dict(BitMover(space, one).replaced(after=True)))
    return lambda relation: manager.substitute(relation, moved)


def least_of_neighbours(space: SymbolicSpace[F], generators: Sequence[Permutation], names: Sequence[str]) -> SymbolicSet[F]:
    """States that no generator makes less, where variables are compared one after the other, by their codes.

    The least state of every orbit is among them; where the generators exchange neighbours and the variables are those that they
    exchange, there are few others.
    """
    manager, least = space.manager, space.states.function
    for one in generators:
        image = dict(BitMover(space, one.inverse).replaced())
        not_more = manager.true
        for place in reversed([bit for name in names for bit in reversed(space.layout.slots[name].now)]):
            if place in image:  # this bit decides, or those behind it do
                bit, moved = manager.var(place), image[place]
                not_more = (~bit & moved) | (manager.iff(bit, moved) & not_more)
        least = least & not_more
    return space.set(least)


def primed(space: SymbolicSpace[F]) -> Any:
    return space.manager.substitution({now: space.manager.var(after) for after, now in space.layout.now_of_after.items()})


def unprimed(space: SymbolicSpace[F]) -> Any:
    return space.manager.substitution({after: space.manager.var(now) for after, now in space.layout.now_of_after.items()})


def _after(space: SymbolicSpace[F]) -> list[int]:
    return list(space.layout.after(space.machine.of_kind(Kind.STATE)))


def _same(space: SymbolicSpace[F]) -> F:
    manager, same = space.manager, space.manager.true
    for after, now in sorted(space.layout.now_of_after.items(), reverse=True):
        same = same & manager.iff(manager.var(now), manager.var(after))
    return same


def _insist_no_frozen(space: SymbolicSpace[F]) -> None:
    if any(variable.kind is Kind.FROZEN for variable in space.machine.state_variables):
        raise Unsupported("a frozen variable has one value in both states of a pair", hint="declare it in VAR")
