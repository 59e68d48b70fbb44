"""The reachable part of a symbolic space: nobody asks what steps lead from other states, or whether a set contains them.

Preimages in the whole space find unreachable predecessors, which may be many and of no use. Where the relation is one small
function, or the reachable states are few, they are conjoined to it once, and no preimage meets the others any more. Elsewhere
the unreachable states are don't-cares, once preimages have taken more than it costs to use them: the parts of the relation are
replaced by smaller ones with the same steps from reachable states, and each set whose predecessors are looked for by a smaller
one with the same reachable states. No step leaves these, so that their predecessors among them are the same.
"""

from __future__ import annotations

from functools import cached_property
from time import process_time
from typing import TYPE_CHECKING, Any

from coarsest.bdd.care_coudert_madre import simplified
from coarsest.run import Run
from coarsest.space.bdd.relation.choice import FunctionsOrRelation, whole_of
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.experience import Experience
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.relation.step import Conjunct, ImageMethod
from coarsest.space.views import Within

if TYPE_CHECKING:
    from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace

FEW_NODES = 3000
"""Where the reachable states are held in so few nodes, their steps are tried as one function."""
WALKING = 10
"""To simplify a set takes as long as to make so many nodes for each of its own, before there is any experience: a preimage that
makes fewer is taken as it is."""
NODES_A_SECOND = 2_000_000
"""So many nodes are made in one second of CPU time."""


class Reachable(Within["SymbolicSet[Any]"]):
    """The space with only its reachable states."""

    def __init__(self, base: SymbolicSpace[Any], reached: SymbolicSet[Any]) -> None:
        super().__init__(base, reached)
        self._space = base
        self._narrowed = self._steps()
        self._as_it_is_took, self._simplified_took = Experience(0.0, least=0.0), Experience(1.5 * WALKING, least=0.0)
        self._effort_simplified, self._patience = 0.0, 1.0

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
        manager, inside = self._space.manager, self.inside.function
        manager.tidy()
        if self._narrowed is not None:
            return self._space.set(self._narrowed.pre(states.function))
        size, begun = manager.size(states.function), process_time()
        with_simplified = self._is_better_simplified(size)
        if with_simplified:
            predecessors = self._simplified.pre(simplified(manager, states.function, inside)) & inside
        else:
            predecessors = self._space.relation.pre(states.function) & inside
        self._note(NODES_A_SECOND * (process_time() - begun), size, with_simplified=with_simplified)
        return self._space.set(predecessors)

    def _is_better_simplified(self, size: int) -> bool:
        """Is less effort expected so? One preimage as it is says little of the next: now and then, another is tried."""
        as_it_is = self._as_it_is_took.effort(size)
        return self._simplified_took.effort(size) < as_it_is and self._effort_simplified < self._patience * as_it_is

    def _note(self, effort: float, size: int, *, with_simplified: bool) -> None:
        if with_simplified:
            self._simplified_took.add(effort, size)
            self._effort_simplified += effort
            return
        self._as_it_is_took.add(effort, size)
        if self._effort_simplified and effort > self._simplified_took.effort(size):
            self._patience *= 2  # tried in vain
        self._effort_simplified = 0.0

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
        return super().pre(states) if self._narrowed is not None else Within.pre(self, states)
