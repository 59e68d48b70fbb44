"""The quotient M_m, where an orbit may have several representatives, as a state space; and the way back from its paths.

Reference: Barner, Grumberg 2003, definition 2.16 and lemma 7.1.
Symbols:   Rep is `representatives`; ξ and its inverse are an `Orbits`.
Invariant: if the generators are symmetries, M_m and the base are bisimilar, fair paths included, for formulas that they keep.
Deviates:  R_m = ξ⁻¹Rξ is not built: an image goes through R and ξ⁻¹, one after the other. Since R is symmetric, ξ need not be
           applied first. Orbits are closures by σ_Step, or images by ξ.
Cost:      an image of the base and one of ξ for each image.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Generic, Protocol

from coarsest.reduce.symmetry.closing import sigma_step
from coarsest.reduce.symmetry.group.movers import Mover
from coarsest.run import Run
from coarsest.space.space import S, StateSpace, StepPart
from coarsest.space.views import RestrictedSpace


class Orbits(Protocol[S]):
    """The two ways through ξ: from representatives to the states of their orbits, and back."""

    def states(self, representatives: S, /) -> S: ...
    def representatives(self, states: S, /) -> S: ...


class OrbitsByClosing(Generic[S]):
    """Orbits by σ_Step, without a relation."""

    def __init__(self, space: StateSpace[S], rep: S, movers: Sequence[Mover[S]], run: Run) -> None:
        self._space, self._rep, self._movers, self._run = space, rep, movers, run

    def states(self, representatives: S, /) -> S:
        return sigma_step(self._space, representatives, self._movers, self._run).states

    def representatives(self, states: S, /) -> S:
        return self.states(states) & self._rep


class Quotient(RestrictedSpace[S]):
    """M_m: representatives, and steps between their orbits."""

    def __init__(self, base: StateSpace[S], rep: S, orbits: Orbits[S]) -> None:
        super().__init__(base, rep)
        self.orbits = orbits

    @cached_property
    def initial(self) -> S:
        return self.orbits.representatives(self.base.initial) & self.inside

    @cached_property
    def parts(self) -> Sequence[StepPart[S]]:
        return [self]

    def post(self, states: S) -> S:
        return self.orbits.representatives(self.base.post(states)) & self.inside

    def pre(self, states: S) -> S:
        return self.base.pre(self.orbits.states(states)) & self.inside


def lifted(
    space: StateSpace[S], orbits: Orbits[S], path: Sequence[S], loop: int | None, run: Run
) -> tuple[tuple[S, ...], int | None]:
    """A path of the space through the orbits of a path of its quotient: single states, and the index that the last leads back to.

    A loop of orbits is followed until a state recurs.
    """
    states = [space.pick(path[0])]
    begins: list[int] = []  # the positions in `states` where rounds of the loop began
    current = 0
    while current < len(path) - 1 or loop is not None:
        run.step("lift", states=len(states))
        if current == loop:
            begins.append(len(states) - 1)
        current = current + 1 if current < len(path) - 1 else loop or 0
        after = space.post(states[-1]) & orbits.states(path[current])
        recurring = next((begin for begin in begins if current == loop and after & states[begin]), None)
        if recurring is not None:
            return tuple(states), recurring
        states.append(space.pick(after))
    return tuple(states), None


def path_among_orbits(space: StateSpace[S], orbits: Sequence[S], goal: S) -> tuple[S, ...] | None:
    """Single states from an initial one to the goal, each in an orbit that was reached before the orbit of the next.

    `orbits` are closed sets in the order in which they were reached. There is no such path if the generators are no symmetries.
    """
    path, bound = [space.pick(goal)], len(orbits)
    while not path[-1] & space.initial:
        before = space.pre(path[-1])
        bound = next((index for index, states in enumerate(orbits[:bound]) if before & states), -1)
        if bound < 0:
            return None
        path.append(space.pick(before & orbits[bound]))
    path.reverse()
    return tuple(path)
