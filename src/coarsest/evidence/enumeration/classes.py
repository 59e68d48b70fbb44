"""Confirms that a quotient is bisimilar to its machine, and the smallest: the interpreter visits the states, one by one.

The engine that made the quotient says which class each state is in. It is not believed: states and classes are shown to be
related by a bisimulation, or they are rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from coarsest import tuning
from coarsest.errors import EvidenceRejected
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.quotient import MachineQuotient
from coarsest.logic.expr import Value, subexpressions
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.machine import Machine
from coarsest.run import WORK_OF_A_STEP, WORK_OF_A_VALUE, Run

Step: TypeAlias = tuple[tuple[Value, ...], int]
"""The values of the observed inputs, and a class."""

ClassOf: TypeAlias = Callable[[Mapping[str, Value]], int]


class ClassWalk:
    """The reachable states of a machine, one by one, each with the class that the engine puts it in.

    `actions` are the inputs that are observed at each step. Raises NotConfirmed if there are more than `most` states.
    """

    def __init__(self, machine: Machine, class_of: ClassOf, run: Run, *, actions: Sequence[str], most: int) -> None:
        self.interpreter = Interpreter.of(machine)
        self._class_of, self._run, self._most = class_of, run, most
        parts = [*machine.initial_constraints, *machine.invariant_constraints, *machine.transition_constraints]
        largest = max((sum(1 for _ in subexpressions(part)) for part in parts), default=0)
        self._work_of_a_try = WORK_OF_A_VALUE * (1 + largest / tuning.PARTS_OF_A_SLOW_TRY)
        self._places = [[v.name for v in self.interpreter.input_variables].index(name) for name in actions]
        self._classes: dict[Values, int] = {}
        self._waiting: list[Values] = []

    def initial(self) -> set[int]:
        """The classes of the initial states."""
        return {self._meet(state) for state in self.interpreter.initial_values(trying=self._trying)}

    def __iter__(self) -> Iterator[tuple[Values, int, set[Step]]]:
        """Each state with its class and its steps; `initial` must be called first."""
        for state in self._waiting:
            self._run.step("confirm the quotient", states=len(self._classes))
            own: set[Step] = set()
            for inputs, after in self.interpreter.successor_values(state, trying=self._trying):
                self._run.spend(WORK_OF_A_STEP)
                own.add((tuple(inputs[place] for place in self._places), self._meet(after)))
            yield state, self._classes[state], own

    def _meet(self, state: Values) -> int:
        if state not in self._classes:
            if len(self._classes) == self._most:
                raise NotConfirmed(f"there are more than {self._most} states to walk through")
            self._classes[state] = self._class_of(self.interpreter.assignment(state))
            self._waiting.append(state)
        return self._classes[state]

    def _trying(self) -> None:
        self._run.spend(self._work_of_a_try)
        self._run.look_at_clock("confirm the quotient")


def confirm_classes(
    machine: Machine,
    quotient: MachineQuotient,
    actions: Sequence[str],
    class_of: ClassOf,
    run: Run,
    *,
    most: int,
    coarsest: bool = True,
) -> None:
    """Raises EvidenceRejected at the first mismatch, NotConfirmed if there are more than `most` states.

    `actions` are the inputs that are observed at each step. With `coarsest`, no two classes may be bisimilar.
    """
    require_few(quotient, most)
    if coarsest:
        require_told_apart(quotient, run)
    walk = ClassWalk(machine, class_of, run, actions=actions, most=most)
    if walk.initial() != set(quotient.initial):
        raise EvidenceRejected("the classes of the initial states are not the initial classes")
    steps = steps_of(quotient)
    for state, number, own in walk:
        confirm_looks(walk.interpreter, quotient, state, number)
        if own != steps[number]:
            raise EvidenceRejected(f"a state of class {number} does not have the steps of its class")


def require_few(quotient: MachineQuotient, most: int) -> None:
    """Raise NotConfirmed if there are more classes, and so more states, than `most`."""
    if quotient.size > most:
        raise NotConfirmed(f"there are more than {most} states to walk through")


def steps_of(quotient: MachineQuotient) -> list[set[Step]]:
    """The steps that leave each class."""
    steps: list[set[Step]] = [set() for _ in range(quotient.size)]
    for source, action, target in quotient.edges:
        steps[source].add((tuple(quotient.actions[action].values()), target))
    return steps


def confirm_looks(interpreter: Interpreter, quotient: MachineQuotient, state: Values, number: int) -> None:
    """Raise EvidenceRejected if an observed expression has another value in the state than in the class."""
    values = interpreter.assignment(state)
    for label, of_classes in quotient.labels.items():
        if interpreter.value(label, values) != of_classes[number]:
            raise EvidenceRejected(f"a state of class {number} does not look like its class")


def require_told_apart(quotient: MachineQuotient, run: Run) -> None:
    """Raise EvidenceRejected if two classes are bisimilar. Each round splits them by their labels and steps, until all differ."""
    size, steps = quotient.size, steps_of(quotient)
    signatures: list[Any] = [tuple(values[i] for values in quotient.labels.values()) for i in range(size)]
    distinguished = 0
    while distinguished < size:
        run.step("confirm the quotient")
        names: dict[Any, int] = {}
        numbers = [names.setdefault(signature, len(names)) for signature in signatures]
        if len(names) == distinguished:
            raise EvidenceRejected("two classes of the quotient cannot be distinguished")
        distinguished = len(names)
        signatures = [(numbers[i], frozenset((action, numbers[target]) for action, target in steps[i])) for i in range(size)]
