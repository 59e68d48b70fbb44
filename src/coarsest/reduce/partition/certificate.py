"""A stable partition as evidence: that a system and its quotient are bisimilar, and that the quotient is as small as can be.

The interpreter goes through the states of the machine, one by one; the carrier of sets is only asked which class a state is in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, Generic, cast

from msgspec import Struct

from coarsest.errors import EvidenceRejected
from coarsest.logic.expr import Value
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.reduce.partition.observation import Observation
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.partition import Partition
from coarsest.reduce.partition.quotient import Quotient
from coarsest.run import Run
from coarsest.space.space import S, StateSpace

MOST_STATES_CONFIRMED = 2000
"""Machines with more reachable states are not walked through."""

MOST_STEPS_FOR_EACH = 250

Step = tuple[tuple[Value, ...], int]
"""The values of the observed inputs, and a class."""


class _TooMany(Exception):
    """There are more states or steps than one can walk through."""


class StablePartition(Struct, Generic[S], frozen=True):
    """Every state looks like its class and can enter the classes that its class enters, by the same actions."""

    observation: Observation
    observed: Observed[S]
    partition: Partition[S]
    quotient: Quotient

    @property
    def summary(self) -> str:
        return f"a stable partition of {len(self.partition)} classes"

    def confirm(self, run: Run, *, most: int = MOST_STATES_CONFIRMED) -> bool:
        """Walk through all reachable states; False if there are too many. Raises EvidenceRejected at the first mismatch."""
        if len(self.partition) > most:
            return False
        self._confirm_minimal(run)
        try:
            self._walk(run, most)
        except _TooMany:
            return False
        return True

    def _walk(self, run: Run, most: int) -> None:
        interpreter = Interpreter(self.observation.machine)
        find = _Finder(self.observed.space, self.partition.classes)
        known: dict[Values, int] = {}
        waiting: list[Values] = []

        def meet(state: Values) -> int:
            if state not in known:
                if len(known) == most:
                    raise _TooMany
                known[state] = find(interpreter.assignment(state))
                waiting.append(state)
            return known[state]

        begun = {meet(state) for state in interpreter.initial_values()}
        if begun != set(self.partition.initial):
            raise EvidenceRejected("the classes of the initial states are not the initial classes")
        places = [[v.name for v in interpreter.input_variables].index(name) for name in self.observation.actions]
        steps = self._steps()
        looked_at = 0
        for state in waiting:
            run.step("confirm the quotient", states=len(known))
            self._confirm_looks(interpreter, state, known[state])
            found: set[Step] = set()
            for inputs, after in interpreter.successor_values(state):
                found.add((tuple(inputs[place] for place in places), meet(after)))
                looked_at += 1
                if looked_at > most * MOST_STEPS_FOR_EACH:
                    raise _TooMany
            if found != steps[known[state]]:
                raise EvidenceRejected(f"a state of class {known[state]} does not have the steps of its class")

    def _steps(self) -> list[set[Step]]:
        steps: list[set[Step]] = [set() for _ in range(len(self.partition))]
        for source, action, target in self.partition.edges:
            steps[source].add((tuple(self.quotient.actions[action].values()), target))
        return steps

    def _confirm_looks(self, interpreter: Interpreter, state: Values, number: int) -> None:
        values = interpreter.assignment(state)
        for label, seen in self.quotient.labels.items():
            if interpreter.value(label, values) != seen[number]:
                raise EvidenceRejected(f"a state of class {number} does not look like its class")

    def _confirm_minimal(self, run: Run) -> None:
        """No two classes are bisimilar: each round splits them by what they look like and enter, until all are apart."""
        size = len(self.partition)
        steps = self._steps()
        signatures: list[Any] = [tuple(seen[i] for seen in self.quotient.labels.values()) for i in range(size)]
        told_apart = 0
        while told_apart < size:
            run.step("confirm the quotient")
            names: dict[Any, int] = {}
            numbers = [names.setdefault(signature, len(names)) for signature in signatures]
            if len(names) == told_apart:
                raise EvidenceRejected("two classes of the quotient cannot be told apart")
            told_apart = len(names)
            signatures = [(numbers[i], frozenset((action, numbers[target]) for action, target in steps[i])) for i in range(size)]


class _Finder(Generic[S]):
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
