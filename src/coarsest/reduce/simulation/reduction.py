"""A machine reduced by simulation: the smallest structure, and the way back from it, which is that of any quotient: every state
of a class has a successor in each class that its own one has a step to."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

from coarsest.evidence.quotient import Simulations
from coarsest.logic.branching.quantifiers import is_preserved_by_similarity, quantifiers
from coarsest.model.machine import Property
from coarsest.reduce.partition.certificate import StablePartition
from coarsest.reduce.reduction import Reduction
from coarsest.space.carrier import Carrier, ClassOf
from coarsest.space.space import S

if TYPE_CHECKING:
    from coarsest.reduce.simulation.ordered import Ordered


def objection_to(claim: Property) -> str:
    """Why simulation equivalence does not preserve a property, or nothing."""
    if claim.kind.is_universal:
        return ""
    if not claim.kind.is_branching:
        return "it is not about the truth of a formula"
    return "" if is_preserved_by_similarity(claim.formula) else "it nests statements about all paths and about some path"


class Simulated(Reduction[S], frozen=True, dict=True):
    """A machine reduced by a relation that preserves what simulation equivalence does."""

    @property
    def preserves(self) -> str:
        """What holds in the smallest structure exactly if it holds in the original."""
        return "ACTL*" if not self.observation.promoted else super().preserves

    @cached_property
    def leaves_out_initial_states(self) -> bool:
        """Is there an initial state that is in no class, because another one simulates it?"""
        left = self.observed.space.initial
        for number in self.partition.initial:
            left = left - self.partition.classes[number]
        return bool(left)

    def objection(self, claim: Property) -> str:
        objection = objection_to(claim)
        if not objection and "E" in quantifiers(claim.formula) and self.leaves_out_initial_states:
            return "an initial state is left out that another one simulates, and it may be true of that one alone"
        return objection


class SimulationReduction(Simulated[S], frozen=True, dict=True):
    """The largest of the classes of simulation equivalent states."""

    ordered: Ordered[S]
    numbers: tuple[int, ...]
    """The number, among all classes, of each that is left."""

    relation = "simulation"

    @cached_property
    def certificate(self) -> SimulatingClasses[S]:
        return SimulatingClasses(self.observation, self.observed, self.partition, self.quotient, self.ordered, self.numbers)


class SimulatingClasses(StablePartition[S], frozen=True, dict=True):
    """All classes with their order, as evidence that the machine and its smallest structure simulate each other."""

    ordered: Ordered[S]
    numbers: tuple[int, ...]

    @cached_property
    def class_of(self) -> ClassOf:
        return cast("Carrier[S]", self.observed.space).finder(self.ordered.classes)

    @cached_property
    def simulations(self) -> Simulations:
        above = self.ordered.above[:, list(self.numbers)]
        return Simulations(tuple(frozenset(row.nonzero()[0].tolist()) for row in above), self.numbers)
