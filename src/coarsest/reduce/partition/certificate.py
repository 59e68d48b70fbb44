"""A stable partition as evidence: that a system and its quotient are bisimilar, and that the quotient is as small as can be."""

from __future__ import annotations

from functools import cached_property
from typing import Generic, cast

from msgspec import Struct
from msgspec.structs import replace

from coarsest.evidence.quotient import MachineQuotient
from coarsest.logic.expr import Expr
from coarsest.reduce.partition.observation import Observation
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.partition import Partition
from coarsest.space.carrier import Carrier, ClassOf
from coarsest.space.smt.smt import SmtSet, SmtSpace
from coarsest.space.space import S


class StablePartition(Struct, Generic[S], frozen=True, dict=True):
    """Every state looks like its class and can enter the classes that its class enters, by the same actions."""

    observation: Observation
    observed: Observed[S]
    partition: Partition[S]
    quotient: MachineQuotient

    coarsest = True
    """Is it claimed, too, that no two classes could be one?"""

    @property
    def claim(self) -> MachineQuotient:
        """What is claimed of the classes."""
        partition = self.partition
        return replace(self.quotient, initial=partition.initial, edges=partition.edges, size=len(partition))

    @cached_property
    def class_of(self) -> ClassOf:
        """The carrier of sets is only asked which class a state is in."""
        return cast("Carrier[S]", self.observed.space).finder(self.partition.classes)


class StableFormulas(StablePartition[SmtSet], frozen=True):
    """The same of states that are too many to be listed: the classes are formulas."""

    @property
    def _space(self) -> SmtSpace:
        return cast("SmtSpace", self.observed.space)

    @property
    def classes(self) -> list[Expr]:
        """What is special about the states of each class."""
        return [self._space.expression(states) for states in self.partition.classes]

    @property
    def bounds(self) -> Expr:
        """States outside of these were left out."""
        return self._space.kept_bounds
