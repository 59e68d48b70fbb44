"""A machine reduced by bisimulation: the quotient, and the way back from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic

from coarsest.model.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.reduce.bisimulation.observation import Observation, value_in
from coarsest.reduce.bisimulation.observed import Observed
from coarsest.reduce.bisimulation.partition import Partition
from coarsest.reduce.bisimulation.quotient import Quotient, quotient_machine
from coarsest.system.space import S


@dataclass(frozen=True)
class Reduction(Generic[S]):
    """The classes of a machine's states that an observer cannot tell apart."""

    original: Machine
    observation: Observation
    observed: Observed[S]
    partition: Partition[S]
    algorithm: str

    relation = "bisimulation"
    preserves = "CTL*"
    """What holds in the quotient exactly if it holds in the original: formulas of this logic over what is observed."""

    @cached_property
    def quotient(self) -> Quotient:
        observation, partition = self.observation, self.partition
        interpreter = Interpreter(observation.machine)
        space = self.observed.space
        states = [space.describe(space.pick(block)) for block in self.observed.blocks]  # states of one block look alike
        labels = {}
        for label in observation.labels:
            values = [value_in(interpreter, label, state) for state in states]
            labels[label] = tuple(values[block] for block in partition.looks)
        actions = tuple(getattr(action, "inputs", {}) for action in self.observed.actions)
        return Quotient(partition.initial, partition.edges, labels, actions, len(partition))

    @cached_property
    def machine(self) -> Machine:
        """The quotient as a machine."""
        return quotient_machine(self.quotient, self.original, promoted=self.observation.promoted)

    def lift(self, classes: Iterable[int]) -> S:
        """The states of some classes."""
        found = self.observed.space.empty
        for number in classes:
            found = found | self.partition.classes[number]
        return found
