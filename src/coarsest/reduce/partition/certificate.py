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
    """Does the certificate also claim that no two classes are equivalent?"""

    @property
    def claim(self) -> MachineQuotient:
        """The quotient that the classes form, with its size."""
        partition = self.partition
        return replace(self.quotient, initial=partition.initial, edges=partition.edges, size=len(partition))

    @cached_property
    def class_of(self) -> ClassOf:
        """The class of a state, which is all that the judge asks the carrier of sets."""
        return cast("Carrier[S]", self.observed.space).finder(self.partition.classes)


class StableFormulas(StablePartition[SmtSet], frozen=True):
    """A stable partition whose classes are formulas, because they have too many states to be listed."""

    @property
    def _space(self) -> SmtSpace:
        return cast("SmtSpace", self.observed.space)

    @property
    def classes(self) -> list[Expr]:
        """The formula of each class."""
        return [self._space.expression(states) for states in self.partition.classes]

    @property
    def bounds(self) -> Expr:
        """The condition on the states that are classified; all others were left out."""
        return self._space.kept_bounds
