"""A reduced machine: the quotient, and the way back from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Generic, cast

from msgspec import Struct

from coarsest.evidence.quotient import MachineQuotient
from coarsest.logic.expr import Value
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.extend import extend_trace
from coarsest.model.trace import Trace
from coarsest.reduce.lift import ClassPath, Lifting, lift_path, states_in
from coarsest.reduce.partition.certificate import StableFormulas, StablePartition
from coarsest.reduce.partition.observation import Observation, value_in
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.partition import Partition
from coarsest.reduce.partition.quotient import carried, quotient_machine
from coarsest.run import Run
from coarsest.space.space import S


class Reduction(Struct, Generic[S], frozen=True, dict=True):
    """The classes of a machine's states that an observer cannot tell apart."""

    original: Machine
    observation: Observation
    observed: Observed[S]
    partition: Partition[S]
    algorithm: str

    relation = "bisimulation"

    @property
    def preserves(self) -> str:
        """The logic whose formulas over observed expressions hold in the quotient exactly if they hold in the original."""
        if not self.observation.promoted:
            return "CTL*"
        return "reachability" if self.quotient.has_dead_ends else "LTL"

    @cached_property
    def quotient(self) -> MachineQuotient:
        observation, partition = self.observation, self.partition
        interpreter = Interpreter.of(observation.machine)
        space = self.observed.space
        states = [space.describe(space.pick(block)) for block in self.observed.blocks]  # states of one block look alike
        labels = {}
        for label in observation.labels:
            values = [value_in(interpreter, label, state) for state in states]
            labels[label] = tuple(values[block] for block in partition.looks)
        actions = tuple(getattr(action, "inputs", {}) for action in self.observed.actions)
        return MachineQuotient(partition.initial, partition.edges, labels, actions, len(partition))

    @cached_property
    def machine(self) -> Machine:
        """The quotient as a machine, with the properties of the original that it decides."""
        return self._machine(self.original)

    def _machine(self, original: Machine) -> Machine:
        claims = map(self.carried, original.properties)
        return quotient_machine(self.quotient, original, [claim for claim in claims if claim is not None])

    def objection(self, claim: Property) -> str:
        """Why the relation does not preserve a property, or nothing."""
        return ""

    def carried(self, claim: Property) -> Property | None:
        """A property of the original as one of the quotient's machine, if that decides it."""
        if self.objection(claim):
            return None
        return carried(claim, self.original, self.quotient, promoted=bool(self.observation.promoted))

    @cached_property
    def certificate(self) -> StablePartition[S]:
        """The partition as evidence that the quotient behaves as the original."""
        kind: type[StablePartition[S]] = cast("Any", StableFormulas) if self.observed.holds_formulas else StablePartition
        return kind(self.observation, self.observed, self.partition, self.quotient)

    def examples(self, numbers: Iterable[int], run: Run) -> dict[int, Mapping[str, Value]]:
        """The values of the variables in one reachable state of each of the numbered classes."""
        states = states_in(self.observed, self.partition, numbers, run)
        return {number: self.observed.space.describe(state) for number, state in states.items()}

    def lift_trace(self, trace: Trace, run: Run | None = None) -> Trace:
        """A trace of the original that looks like a trace of the quotient, extended to all variables if it is finite."""
        run = run or Run()
        return self.lift(self.class_path(trace, run), run)

    def class_path(self, trace: Trace, run: Run) -> ClassPath:
        """The classes that a trace of the quotient goes through, for states of the original to follow."""
        name = next(iter(self.machine.variables))
        numbers = [state[name] for state in trace.states]
        steps = len(numbers) - (trace.loop is None)
        actions = [self._action(trace.inputs[i] if trace.inputs else {}) for i in range(steps)]
        return ClassPath([number for number in numbers if isinstance(number, int)], actions, trace.loop)

    def lift(self, path: ClassPath, run: Run) -> Trace:
        """A trace of the original through some classes."""
        raised = Lifting(self.observation, self.observed).trace(lift_path(self.observed, self.partition.classes, path, run))
        return extend_trace(self.original, raised) if path.loop is None else raised

    def _action(self, inputs: Mapping[str, Value]) -> int:
        asked = {name: inputs[name] for name in self.observation.actions if name in inputs}
        return next((i for i, values in enumerate(self.quotient.actions) if values == asked), 0)
