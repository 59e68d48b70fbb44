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
        whole = whole_of(base.relation)
        self._narrowed: Monolithic[Any] | None = None
        if whole is not None:
            self._narrowed = whole.narrowed_if_small(reached.function)
        elif base.manager.size(reached.function) <= FEW_NODES:
            self._narrowed = Monolithic.among(base.step, reached.function)

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
