"""The reachable part of a symbolic space, with a step relation that knows of no other states.

Preimages in the whole space find unreachable predecessors, which may be many and of no use. Where the relation is one small
function, the reachable states are conjoined to it once, and no preimage meets the others any more.
"""

from __future__ import annotations

from typing import Any

from coarsest.system.relation.disjunctive import Disjunctive
from coarsest.system.relation.monolithic import Monolithic
from coarsest.system.symbolic import SymbolicSet, SymbolicSpace
from coarsest.system.views import Within


class Reachable(Within[SymbolicSet[Any]]):
    """The space with only its reachable states."""

    def __init__(self, base: SymbolicSpace[Any], reached: SymbolicSet[Any]) -> None:
        super().__init__(base, reached)
        self._space = base
        relation = base.relation.whole if isinstance(base.relation, Disjunctive) else base.relation
        self._narrowed = relation.narrowed(reached.function) if isinstance(relation, Monolithic) else None

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
