"""The reachable part of a symbolic space, with a step relation that knows of no other states.

Preimages in the whole space find unreachable predecessors, which may be many and of no use. Where the relation is one small
function, or the reachable states are few, they are conjoined to it once, and no preimage meets the others any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coarsest.space.bdd.relation.choice import whole_of
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.views import Within

if TYPE_CHECKING:
    from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace

FEW_NODES = 3000
"""Where the reachable states are held in so few nodes, their steps are tried as one function."""


class Reachable(Within["SymbolicSet[Any]"]):
    """The space with only its reachable states."""

    def __init__(self, base: SymbolicSpace[Any], reached: SymbolicSet[Any]) -> None:
        super().__init__(base, reached)
        self._space = base
        self._narrowed = self._steps()

    def _steps(self) -> Monolithic[Any] | None:
        """The steps from reachable states, if they are a small function."""
        base, reached = self._space, self.inside.function
        whole = whole_of(base.relation)
        if whole is not None:
            return whole.narrowed_if_small(reached)
        return Monolithic.among(base.step, reached) if base.manager.size(reached) <= FEW_NODES else None

    def post(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        if self._narrowed is None:
            return super().post(states)
        self._space.manager.tidy()
        return self._space.set(self._narrowed.post(states.function))

    def pre(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        if self._narrowed is None:
            return super().pre(states)
        self._space.manager.tidy()
        return self._space.set(self._narrowed.pre(states.function))


class Among(Reachable):
    """The space with only some of its states: others may be reached from there, and are left out."""

    def _steps(self) -> Monolithic[Any] | None:
        """However many nodes the states have: most of the steps to them are from others, and none of these counts."""
        return Monolithic.among(self._space.step, self.inside.function)

    def post(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        return super().post(states) & self.inside
