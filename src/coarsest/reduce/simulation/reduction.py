"""A machine reduced by simulation: the smallest structure or a larger quotient, and the way back from it.

That is the way back from any quotient, as every state of a class has a successor in each class that its own one has a step to:
except in the quotient with the steps that some state of a class has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, cast

from coarsest.evidence.quotient import Simulations
from coarsest.logic.branching.quantifiers import is_preserved_by_similarity, quantifiers
from coarsest.logic.expr import Value
from coarsest.model.machine import Property
from coarsest.model.parts.extend import extend_trace
from coarsest.model.trace import Trace
from coarsest.reduce.lift import ClassPath, Lifting, lift_path
from coarsest.reduce.partition.certificate import StablePartition
from coarsest.reduce.reduction import Reduction
from coarsest.run import Run
from coarsest.space.carrier import Carrier, ClassOf
from coarsest.space.space import S

if TYPE_CHECKING:
    from coarsest.reduce.simulation.ordered import Matrix, Ordered


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
        if self.observation.promoted:
            return super().preserves
        return "ACTL*" if self.leaves_out_initial_states else "ACTL* and ECTL*"

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
    made: str = "smallest"
    """Which structure was made of them, by its word in `QUOTIENTS`."""

    relation = "simulation"

    @cached_property
    def certificate(self) -> SimulatingClasses[S]:
        return SimulatingClasses(
            self.observation, self.observed, self.partition, self.quotient, self.ordered, self.numbers, self.made
        )

    def examples(self, numbers: Iterable[int], run: Run) -> dict[int, Mapping[str, Value]]:
        if self.made != "some":
            return super().examples(numbers, run)
        space = self.observed.space  # the classes contain reachable states only, and a state need not have the steps of its class
        return {number: space.describe(space.pick(self.partition.classes[number])) for number in numbers}

    def lift(self, path: ClassPath, run: Run) -> Trace:
        """In the quotient with the steps of `some` states, a state of a class answers a step of its class by a step to a class
        above the target: the path goes through states above those of the classes."""
        if self.made != "some":
            return super().lift(path, run)
        classes, order = self.ordered.classes, self.ordered.above
        above = [reduce(or_, (classes[i] for i in order[number].nonzero()[0].tolist())) for number in self.numbers]
        raised = Lifting(self.observation, self.observed).trace(lift_path(self.observed, above, path, run))
        return extend_trace(self.original, raised) if path.loop is None else raised


class SimulatingClasses(StablePartition[S], frozen=True, dict=True):
    """All classes with their order, as evidence that the machine and its smallest structure simulate each other."""

    ordered: Ordered[S]
    numbers: tuple[int, ...]
    made: str

    @cached_property
    def class_of(self) -> ClassOf:
        return cast("Carrier[S]", self.observed.space).finder(self.ordered.classes)

    @cached_property
    def simulations(self) -> Simulations:
        """A state has the steps of its class, except in the quotient with those of `some` states: there it answers them."""
        numbers = list(self.numbers)
        above = self.ordered.above[:, numbers]
        if self.made == "some":
            return Simulations(_rows(above), _rows(self.ordered.above[numbers].T), is_smallest=False)
        own = {number: frozenset([state]) for state, number in enumerate(numbers)}
        below = tuple(own.get(number, frozenset()) for number in range(len(above)))
        return Simulations(_rows(above), below, is_smallest=self.made == "smallest")


def _rows(matrix: Matrix) -> tuple[frozenset[int], ...]:
    return tuple(frozenset(row.nonzero()[0].tolist()) for row in matrix)
