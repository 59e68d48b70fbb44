"""The quotient for several representatives of an orbit, M_m, as a state space; and the way back from its paths.

Reference: Barner, Grumberg 2003, definition 2.16 and lemma 7.1.
Symbols:   Rep is `representatives`; ξ and its inverse are an `Orbits`.
Invariant: if the generators are symmetries, M_m is bisimilar to the base for all that they keep, and so are its fair paths.
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
    """What ξ is for: from representatives to the states of their orbits, and back."""

    def states(self, representatives: S, /) -> S: ...
    def representatives(self, states: S, /) -> S: ...


class OrbitsByClosing(Generic[S]):
    """Orbits by σ_Step: there is no relation."""

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
    """A path of the space through the orbits of a path of its quotient: single states, and where the last leads back to.

    A loop of orbits is gone round until a state comes again.
    """
    states = [space.pick(path[0])]
    entered: list[int] = []
    place = 0
    while place < len(path) - 1 or loop is not None:
        run.step("lift", states=len(states))
        if place == loop:
            entered.append(len(states) - 1)
        place = place + 1 if place < len(path) - 1 else loop or 0
        after = space.post(states[-1]) & orbits.states(path[place])
        again = next((one for one in entered if place == loop and after & states[one]), None)
        if again is not None:
            return tuple(states), again
        states.append(space.pick(after))
    return tuple(states), None


def path_among_orbits(space: StateSpace[S], orbits: Sequence[S], goal: S) -> tuple[S, ...] | None:
    """Single states from an initial one to the goal, each in an orbit that was reached before that of the next.

    `orbits` are closed sets in the order in which they were reached. None if there is no such path: then the generators were no
    symmetries.
    """
    path, bound = [space.pick(goal)], len(orbits)
    while not path[-1] & space.initial:
        before = space.pre(path[-1])
        bound = next((place for place, states in enumerate(orbits[:bound]) if before & states), -1)
        if bound < 0:
            return None
        path.append(space.pick(before & orbits[bound]))
    path.reverse()
    return tuple(path)
