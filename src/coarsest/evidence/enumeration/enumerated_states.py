"""All reachable states of a small machine, one by one, by the interpreter.

Reference: –
Symbols:   a *position* of a path is a state, together with those inputs of its next step that a formula or fairness mentions.
Invariant: states are numbered in the order of their discovery; every one is explored, or a bound is exceeded.
Deviates:  a state without steps is followed by itself for all inputs; in other states, inputs without a step are not positions.
Cost:      one search of the interpreter per state; there are bounds on states, on steps, and on values that are tried.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product

from msgspec import Struct, field

from coarsest import tuning
from coarsest.errors import ModelProblem
from coarsest.evidence.effort import NotConfirmed
from coarsest.logic.expr import Expr, Value
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.interpret.values import ValueChoice
from coarsest.model.machine import Machine
from coarsest.model.parts.watch import is_about_steps, looks_ahead
from coarsest.run import WORK_OF_A_VALUE, Run


class EnumerationBounds(Struct, frozen=True):
    """The limits for an enumeration."""

    states: int = field(default_factory=lambda: tuning.JUDGED_STATES)
    steps: int = field(default_factory=lambda: tuning.JUDGED_STEPS)
    values: int | None = None
    """Values of single variables that the search for states tries; by default, ten for each step."""

    @property
    def tries(self) -> int:
        return 10 * self.steps if self.values is None else min(self.values, 10 * self.steps)

    @property
    def visits(self) -> int:
        """Visits of steps for a single formula; a step may be visited several times."""
        return 50 * self.steps

    def require(self, count: int, most: int) -> None:
        """Raise NotConfirmed if the count is larger."""
        if count > most:
            raise NotConfirmed("there is too much to enumerate")


class EnumeratedStates:
    """The reachable states and the steps between them; raises NotConfirmed if there are too many."""

    def __init__(self, machine: Machine, run: Run, bounds: EnumerationBounds) -> None:
        self.machine = machine
        self.bounds = bounds
        self.interpreter = Interpreter(machine)
        self.states: list[Values] = []
        self.steps: list[list[tuple[Values, int]]] = []
        """For each state, the inputs and the next state of its steps."""
        self._number_of: dict[Values, int] = {}
        self._tries = 0
        self.initial = [self._number(values) for values in self.interpreter.initial_values(trying=self._trying)]
        taken = spent = 0
        for values in self.states:  # grows while it is walked
            run.step("confirm by enumeration", states=len(self.states), explored=len(self.steps))
            own: list[tuple[Values, int]] = []
            for inputs, after in self.interpreter.successor_values(values, trying=self._trying):
                own.append((inputs, self._number(after)))
                bounds.require(taken + len(own), bounds.steps)
            taken += len(own)
            self.steps.append(own)
            run.spend(WORK_OF_A_VALUE * (self._tries - spent))
            spent = self._tries

    def _trying(self) -> None:
        self._tries += 1
        self.bounds.require(self._tries, self.bounds.tries)

    def _number(self, values: Values) -> int:
        number = self._number_of.setdefault(values, len(self.states))
        if number == len(self.states):
            self.states.append(values)
            self.bounds.require(number + 1, self.bounds.states)
        return number

    def always(self, good: Expr) -> bool:
        """Is a condition true in every reachable state? If it mentions inputs or next values: in every step from such a state?"""
        if not is_about_steps(self.machine, good):
            labels = Labels(self, [])
            return all(labels.is_true(good, state, ()) for state in range(len(self.states)))
        names = [v.name for v in self.interpreter.input_variables]
        now = list(map(self.interpreter.assignment, self.states))
        return all(
            _truth(self.interpreter.value(good, now[state], after=now[after], inputs=dict(zip(names, inputs))))
            for state, steps in enumerate(self.steps)
            for inputs, after in steps
        )

    def inputs_in(self, exprs: Collection[Expr]) -> list[int]:
        """The inputs that expressions depend on, by their index among the inputs of the machine."""
        mentioned = set[str]().union(*(self.machine.variables_of(expr) for expr in exprs))
        return [k for k, variable in enumerate(self.interpreter.input_variables) if variable.name in mentioned]

    def positions(self, inputs: Sequence[int]) -> PathPositions:
        """The positions of paths for formulas that mention these inputs."""
        leading: list[dict[Values, list[int]]] = []
        """For each state, the next states by the values of the inputs."""
        for state, steps in enumerate(self.steps):
            targets_of: dict[Values, dict[int, None]] = {}
            for values, after in steps:
                targets_of.setdefault(tuple(values[k] for k in inputs), {})[after] = None
            leading.append({choice: list(targets) for choice, targets in targets_of.items()})
            if not steps:
                leading[-1] = {choice: [state] for choice in self._choices(inputs)}
        return PathPositions(Labels(self, inputs), leading)

    def _choices(self, inputs: Sequence[int]) -> list[Values]:
        """All values that some inputs can have."""
        count = 1
        for k in inputs:
            count *= self.interpreter.input_variables[k].type.size
            self.bounds.require(count, self.bounds.states)
        return list(product(*(self.interpreter.input_variables[k].type.values() for k in inputs)))


class Labels:
    """The truth of conditions at positions."""

    def __init__(self, enumerated: EnumeratedStates, inputs: Sequence[int]) -> None:
        self.enumerated = enumerated
        interpreter = enumerated.interpreter
        self._states = [v.name for v in interpreter.state_variables]
        self._inputs = [interpreter.input_variables[k].name for k in inputs]
        self._truths: dict[int, tuple[Expr, list[int], dict[Values, bool]]] = {}

    def is_true(self, expr: Expr, state: int, inputs: Values) -> bool:
        """The truth of an expression without temporal operators, which is evaluated once for equal values of its variables."""
        entry = self._truths.get(id(expr))
        if entry is None:
            machine = self.enumerated.machine
            if looks_ahead(machine, expr):
                raise NotConfirmed("the value after a step is not part of a position")
            mentioned = machine.variables_of(expr)
            reads = [k for k, name in enumerate(self._states + self._inputs) if name in mentioned]
            entry = self._truths[id(expr)] = expr, reads, {}
        _, reads, truths = entry
        values = self.enumerated.states[state] + inputs
        key = tuple(values[k] for k in reads)
        truth = truths.get(key)
        if truth is None:
            truth = truths[key] = self._evaluate(expr, values)
        return truth

    def _evaluate(self, expr: Expr, values: Values) -> bool:
        count = len(self._states)
        now = dict(zip(self._states, values[:count]))
        try:
            return _truth(self.enumerated.interpreter.value(expr, now, inputs=dict(zip(self._inputs, values[count:]))))
        except ModelProblem as problem:
            raise NotConfirmed("an expression has no value where another part of the formula guards it") from problem


def _truth(value: Value | ValueChoice) -> bool:
    if isinstance(value, ValueChoice):  # its truth would depend on how the formula is evaluated
        raise NotConfirmed("a condition may be true and false at once")
    return value is True


class PathPositions:
    """The positions of the infinite paths from the initial states, as a graph."""

    def __init__(self, labels: Labels, leading: Sequence[dict[Values, list[int]]]) -> None:
        enumerated = labels.enumerated
        bounds = enumerated.bounds
        self.labels = labels
        self.place: list[tuple[int, Values]] = [(state, choice) for state, targets in enumerate(leading) for choice in targets]
        bounds.require(len(self.place), bounds.states)
        self.of_state: list[list[int]] = [[] for _ in leading]
        for position, (state, _) in enumerate(self.place):
            self.of_state[state].append(position)
        edges = sum(len(self.of_state[after]) for of_inputs in leading for targets in of_inputs.values() for after in targets)
        bounds.require(edges, bounds.steps)
        self.after = [
            [position for after in leading[state][choice] for position in self.of_state[after]] for state, choice in self.place
        ]
        self.initial = {position for state in enumerated.initial for position in self.of_state[state]}
        self._where: dict[int, tuple[Expr, frozenset[int]]] = {}

    def where(self, expr: Expr) -> frozenset[int]:
        """The positions at which an expression without temporal operators is true."""
        entry = self._where.get(id(expr))
        if entry is None:
            is_true = self.labels.is_true
            positions = frozenset(p for p, (state, inputs) in enumerate(self.place) if is_true(expr, state, inputs))
            entry = self._where[id(expr)] = expr, positions
        return entry[1]
