"""From a path of the quotient back to one of the original: in a stable class, every state can do what the class can.

Invariant: the path so far goes through the classes of the trace; its last state, being in a stable class, can go on.
Cost:      one image per step; a loop of classes is followed until a state recurs, at most once for each state of a class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic

from msgspec import Struct

from coarsest.errors import EvidenceRejected
from coarsest.logic.expr import Value
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.trace import Trace
from coarsest.reduce.partition.observation import Observation
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.partition import Partition
from coarsest.run import Run
from coarsest.space.space import S, StepPart


class ClassPath(Struct, frozen=True):
    """Numbers of classes, and of the actions between them; with `loop`, there are as many actions as classes."""

    classes: Sequence[int]
    actions: Sequence[int]
    loop: int | None = None


class StatePath(Struct, Generic[S], frozen=True):
    """Single states, with the actions between them."""

    states: list[S]
    actions: list[int]
    loop: int | None = None


def lift_path(observed: Observed[S], classes: Sequence[S], path: ClassPath, run: Run) -> StatePath[S]:
    """A path of the original through the classes of a path of the quotient, from an initial state."""
    space = observed.space
    first = classes[path.classes[0]] & space.initial
    if not first:
        raise EvidenceRejected("the trace of the quotient does not begin in a class with an initial state")
    states, actions = [space.pick(first)], list[int]()
    begins: dict[int, S] = {}  # the states with which rounds of the loop began, by their positions in the path
    current, last = 0, len(path.classes) - 1
    while current < last or path.loop is not None:
        run.step("lift", states=len(states))
        if current == path.loop:
            begins[len(states) - 1] = states[-1]
        following = current + 1 if current < last else path.loop
        assert following is not None
        action = path.actions[current]
        after = _step(observed.actions[action], states[-1], classes[path.classes[following]])
        actions.append(action)
        recurring = next((begin for begin, state in begins.items() if state <= after), None) if current == last else None
        if recurring is not None:
            return StatePath(states, actions, recurring)
        states.append(space.pick(after))
        current = following
    return StatePath(states, actions)


def states_in(observed: Observed[S], partition: Partition[S], numbers: Iterable[int], run: Run) -> dict[int, S]:
    """A state of each of the numbered classes, reached by a path from an initial state."""
    space, classes, asked = observed.space, partition.classes, set(numbers)
    examples = {number: space.pick(classes[number] & space.initial) for number in partition.initial}
    ways: dict[int, list[tuple[int, int]]] = {}
    for source, action, target in partition.edges:
        ways.setdefault(source, []).append((action, target))
    waiting = list(examples)
    for source in waiting:
        for action, target in ways.get(source, ()):
            if target not in examples and not asked <= examples.keys():
                run.step("lift", states=len(examples))
                examples[target] = space.pick(_step(observed.actions[action], examples[source], classes[target]))
                waiting.append(target)
    return {number: examples[number] for number in asked}


def _step(steps: StepPart[S], state: S, target: S) -> S:
    """The successors of a state in a class; a state without successors stays where it is."""
    after = steps.post(state) or state
    states = after & target
    if not states:
        raise EvidenceRejected("the trace of the quotient has a step that its class does not have")
    return states


class Lifting(Generic[S]):
    """Turns paths of an observed space into traces of the original machine."""

    def __init__(self, observation: Observation, observed: Observed[S]) -> None:
        self.observation = observation
        self.observed = observed
        self._interpreter = Interpreter(observation.machine)

    def trace(self, path: StatePath[S]) -> Trace:
        """Inputs that were part of the state are inputs again; the others are found by the interpreter."""
        described = [self.observed.space.describe(state) for state in path.states]
        arrivals = described[1:] if path.loop is None else [*described[1:], described[path.loop]]
        names = [v.name for v in self.observation.machine.state_variables if v.name not in self.observation.promoted]
        states = tuple({name: state[name] for name in names} for state in described)
        steps = zip(described, path.actions, arrivals)
        inputs = tuple(self._inputs(before, action, after) for before, action, after in steps)
        return Trace(states, inputs if any(inputs) else (), path.loop)

    def _inputs(self, before: Mapping[str, Value], action: int, after: Mapping[str, Value]) -> dict[str, Value]:
        given: Mapping[str, Value] = getattr(self.observed.actions[action], "inputs", {})
        promoted = {name: before[name] for name in sorted(self.observation.promoted)}
        if self.observed.holds_formulas:  # inputs without bounds cannot be tried one after the other
            space: Any = self.observed.space
            between = space.inputs_between(before, after, given)
            if between is not None:
                return {**between, **promoted}
        try:
            completed, _ = self._interpreter.complete_step(before, given, after)
        except EvidenceRejected:
            if before != after:
                raise
            completed = {v.name: next(v.type.values()) for v in self._interpreter.input_variables}  # stuck: any will do
        return {**completed, **promoted}
