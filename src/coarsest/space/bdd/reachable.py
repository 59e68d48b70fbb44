"""The reachable part of a symbolic space: nobody asks what steps lead from other states, or whether a set contains them.

Preimages in the whole space find unreachable predecessors, which may be many and of no use. Where the relation is one small
function, or the reachable states are few, they are conjoined to it once, and no preimage meets the others any more. Elsewhere
the unreachable states are don't-cares, once preimages have taken more than it costs to use them: the parts of the relation are
replaced by smaller ones with the same steps from reachable states, and each set whose predecessors are looked for by a smaller
one with the same reachable states. No step leaves these, so that their predecessors among them are the same.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from coarsest import tuning
from coarsest.bdd.care_coudert_madre import simplified
from coarsest.run import Run
from coarsest.space.bdd.relation.choice import FunctionsOrRelation, whole_of
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.relation.step import Conjunct, ImageMethod
from coarsest.space.views import RestrictedSpace

if TYPE_CHECKING:
    from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace

class Reachable(RestrictedSpace["SymbolicSet[Any]"]):
    """The space with only its reachable states."""

    def __init__(self, base: SymbolicSpace[Any], reached: SymbolicSet[Any]) -> None:
        super().__init__(base, reached)
        self._space = base
        self._narrowed = self._steps()
        self._simplifies = False
        """Has a preimage made more nodes than it takes to simplify the set?"""

    def _steps(self) -> Monolithic[Any] | None:
        """The steps from reachable states, if they are a small function."""
        base, reached = self._space, self.inside.function
        whole = whole_of(base.relation)
        if whole is not None:
            return whole.narrowed_if_small(reached)
        return Monolithic.among(base.step, reached) if base.manager.size(reached) <= tuning.NODES_OF_FEW_STATES else None

    def post(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        if self._narrowed is None:
            return super().post(states)
        self._space.manager.tidy()
        return self._space.set(self._narrowed.post(states.function))

    def pre(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        manager, inside = self._space.manager, self.inside.function
        manager.tidy()
        if self._narrowed is not None:
            return self._space.set(self._narrowed.pre(states.function))
        if self._simplifies:
            return self._space.set(self._simplified.pre(simplified(manager, states.function, inside)) & inside)
        before = manager.made_nodes
        predecessors = self._space.set(self._space.relation.pre(states.function) & inside)
        made = manager.made_nodes - before
        self._simplifies = made > tuning.NODES_WORTH_SIMPLIFYING * manager.size(states.function)
        return predecessors

    @cached_property
    def _simplified(self) -> ImageMethod[Any]:
        """The relation, where it is in clusters with fewer nodes; only steps from reachable states are right."""
        space, method = self._space, self._space.relation
        if isinstance(method, FunctionsOrRelation) and method.functions is None:
            method = method.relation
        if not isinstance(method, EarlyQuantification):
            return method
        parts = (simplified(space.manager, cluster.relation, self.inside.function) for cluster in method.clusters)
        clusters = [Conjunct(part, None, frozenset(space.manager.support(part))) for part in parts]
        return EarlyQuantification(space.step, Run(), clusters=clusters)


class Among(Reachable):
    """The space with only some of its states: others may be reached from there, and are left out."""

    def _steps(self) -> Monolithic[Any] | None:
        """However many nodes the states have: most of the steps to them are from others, and none of these counts."""
        return Monolithic.among(self._space.step, self.inside.function)

    def post(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        return super().post(states) & self.inside

    def pre(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        """Other states are no don't-cares here: there are steps to them."""
        return super().pre(states) if self._narrowed is not None else RestrictedSpace.pre(self, states)
