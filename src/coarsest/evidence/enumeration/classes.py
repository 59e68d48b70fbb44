"""Is a quotient bisimilar to its machine, and as small as can be? The interpreter goes through the states, one by one.

Whoever made the quotient says for each state which class it is in. Whatever is said: the states and their classes are shown to be
related by a bisimulation, or they are rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from coarsest.errors import EvidenceRejected
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.quotient import Quotient
from coarsest.logic.expr import Value
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.machine import Machine
from coarsest.run import Run

MOST_STEPS_FOR_EACH = 250
"""So many steps, on average, may leave each of the states that are walked through."""

Step: TypeAlias = tuple[tuple[Value, ...], int]
"""The values of the observed inputs, and a class."""

ClassOf: TypeAlias = Callable[[Mapping[str, Value]], int]


def confirm_classes(
    machine: Machine, quotient: Quotient, actions: Sequence[str], class_of: ClassOf, run: Run, *, most: int
) -> None:
    """Raises EvidenceRejected at the first mismatch, NotConfirmed if there are more than so many states.

    `actions` are the inputs that are seen at each step.
    """
    many = f"there are more than {most} states to walk through"
    if quotient.size > most:
        raise NotConfirmed(many)
    insist_told_apart(quotient, run)
    interpreter = Interpreter(machine)
    classes: dict[Values, int] = {}
    waiting: list[Values] = []

    def meet(state: Values) -> int:
        if state not in classes:
            if len(classes) == most:
                raise NotConfirmed(many)
            classes[state] = class_of(interpreter.assignment(state))
            waiting.append(state)
        return classes[state]

    if {meet(state) for state in interpreter.initial_values()} != set(quotient.initial):
        raise EvidenceRejected("the classes of the initial states are not the initial classes")
    places = [[v.name for v in interpreter.input_variables].index(name) for name in actions]
    steps = steps_of(quotient)
    looked_at = 0
    for state in waiting:
        run.step("confirm the quotient", states=len(classes))
        confirm_looks(interpreter, quotient, state, classes[state])
        own: set[Step] = set()
        for inputs, after in interpreter.successor_values(state):
            own.add((tuple(inputs[place] for place in places), meet(after)))
            looked_at += 1
            if looked_at > most * MOST_STEPS_FOR_EACH:
                raise NotConfirmed("there are too many steps to look at each")
        if own != steps[classes[state]]:
            raise EvidenceRejected(f"a state of class {classes[state]} does not have the steps of its class")


def steps_of(quotient: Quotient) -> list[set[Step]]:
    steps: list[set[Step]] = [set() for _ in range(quotient.size)]
    for source, action, target in quotient.edges:
        steps[source].add((tuple(quotient.actions[action].values()), target))
    return steps


def confirm_looks(interpreter: Interpreter, quotient: Quotient, state: Values, number: int) -> None:
    values = interpreter.assignment(state)
    for label, seen in quotient.labels.items():
        if interpreter.value(label, values) != seen[number]:
            raise EvidenceRejected(f"a state of class {number} does not look like its class")


def insist_told_apart(quotient: Quotient, run: Run) -> None:
    """No two classes are bisimilar: each round splits them by what they look like and enter, until all are apart."""
    size, steps = quotient.size, steps_of(quotient)
    signatures: list[Any] = [tuple(seen[i] for seen in quotient.labels.values()) for i in range(size)]
    told_apart = 0
    while told_apart < size:
        run.step("confirm the quotient")
        names: dict[Any, int] = {}
        numbers = [names.setdefault(signature, len(names)) for signature in signatures]
        if len(names) == told_apart:
            raise EvidenceRejected("two classes of the quotient cannot be told apart")
        told_apart = len(names)
        signatures = [(numbers[i], frozenset((action, numbers[target]) for action, target in steps[i])) for i in range(size)]
