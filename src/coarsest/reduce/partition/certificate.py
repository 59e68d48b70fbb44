"""A stable partition as evidence: that a system and its quotient are bisimilar, and that the quotient is as small as can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from typing import Any, Generic, cast

from msgspec import Struct
from msgspec.structs import replace

from coarsest.errors import EvidenceRejected
from coarsest.evidence.quotient import Quotient
from coarsest.logic.expr import Expr, Value
from coarsest.reduce.partition.observation import Observation
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.partition import Partition
from coarsest.space.smt.smt import SmtSet, SmtSpace
from coarsest.space.space import S, StateSpace


class StablePartition(Struct, Generic[S], frozen=True, dict=True):
    """Every state looks like its class and can enter the classes that its class enters, by the same actions."""

    observation: Observation
    observed: Observed[S]
    partition: Partition[S]
    quotient: Quotient

    @property
    def claim(self) -> Quotient:
        """What is claimed of the classes."""
        partition = self.partition
        return replace(self.quotient, initial=partition.initial, edges=partition.edges, size=len(partition))

    @cached_property
    def class_of(self) -> Finder[S]:
        """The carrier of sets is only asked which class a state is in."""
        return Finder(self.observed.space, self.partition.classes)


class StableFormulas(StablePartition[SmtSet], frozen=True):
    """The same of states that are too many to be listed: the classes are formulas."""

    @property
    def _space(self) -> SmtSpace:
        space = self.observed.space
        assert isinstance(space, SmtSpace)
        return space

    @property
    def classes(self) -> list[Expr]:
        """What is special about the states of each class."""
        return [self._space.expression(states) for states in self.partition.classes]

    @property
    def bounds(self) -> Expr:
        """States outside of these were left out."""
        return self._space.kept_bounds


class Finder(Generic[S]):
    """Finds the class of a state, among more and more of them at once: each node has the states of those below."""

    def __init__(self, space: StateSpace[S], classes: Sequence[S]) -> None:
        self._space = space
        self._levels = [list(classes)]
        while len(below := self._levels[-1]) > 1:
            if any(one & other for one, other in zip(below[::2], below[1::2])):
                raise EvidenceRejected("a state is in two classes")
            self._levels.append([one | other for one, other in zip_longest(below[::2], below[1::2], fillvalue=space.empty)])

    def __call__(self, values: Mapping[str, Value]) -> int:
        one = cast("Any", self._space).state(values)
        number = 0
        for level in reversed(self._levels):
            number = next((n for n in (2 * number, 2 * number + 1) if n < len(level) and one <= level[n]), -1)
            if number < 0:
                raise EvidenceRejected("a reachable state is in no class")
        return number
