"""The interpreter of machines: values of expressions in single states, initial states, and steps.

It evaluates the model's own expressions, one state at a time, and shares nothing with the symbolic carrier; it replays
counterexamples, drives simulations and enumerates small state spaces.

A state is a mapping from variables to values; `inputs` are the values of the input variables of one step. An equation whose
value lies outside the type of its variable is an error of the model, and raises ModelProblem when it is evaluated.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from coarsest.errors import EvidenceRejected, InputError, ModelProblem, TypeProblem
from coarsest.logic.expr import Expr, Value
from coarsest.model.interpret.alternatives import Search, search_for
from coarsest.model.interpret.closures import Compiled, Frame
from coarsest.model.interpret.compile import Assignment, Frames, Time, ones
from coarsest.model.interpret.requirements import Requirement, ValueEquation, constraints, equations
from coarsest.model.interpret.values import ValueChoice
from coarsest.model.machine import Machine, Variable
from coarsest.model.types import Type, as_held, contains, show_value

Values: TypeAlias = tuple[Value, ...]
"""A state as the values of the state variables, in the order of `Interpreter.state_variables`."""


def _value(compiled: Compiled, frame: Frame) -> Value | ValueChoice:
    value = compiled.value(frame)
    if not compiled.chooses:
        return value  # type: ignore[no-any-return]
    return value[0] if len(value) == 1 else ValueChoice(value)


class Interpreter:
    """The states and steps of one machine.

    >>> from coarsest.logic.expr import Apply, Constant, Name
    >>> from coarsest.model.machine import Machine, Variable
    >>> from coarsest.model.types import Range
    >>> step = Apply("mod", (Apply("+", (Name("x"), Constant(1))), Constant(3)))
    >>> machine = Machine("m", {"x": Variable("x", Range(0, 2))}, initial_values={"x": Constant(0)}, next_values={"x": step})
    >>> interpreter = Interpreter(machine)
    >>> list(interpreter.initial_states())
    [{'x': 0}]
    >>> list(interpreter.successors({"x": 2}))
    [({}, {'x': 0})]
    >>> interpreter.why_not_step({"x": 2}, {}, {"x": 1})
    'next(x) is 1, but its equation gives 0'
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.state_variables: Sequence[Variable] = machine.state_variables
        self.input_variables: Sequence[Variable] = machine.input_variables
        self._frames = frames = Frames(machine)
        self._initially: list[Requirement] = [
            *equations(frames, machine.initial_values, "init({})", Time.NOW),
            *constraints(frames, "INIT", machine.initial_constraints, Time.NOW),
        ]
        self._always = self._always_at(Time.NOW)
        self._for_states_only(self._initially + self._always)
        self._labels: dict[int, tuple[Expr, Compiled]] = {}

    @classmethod
    def of(cls, machine: Machine) -> Interpreter:
        """The interpreter of this machine, perhaps a recent one, so that its parts are compiled once for many traces."""
        interpreter = _recent.pop(id(machine), None) or cls(machine)
        _recent[id(machine)] = interpreter  # the interpreter keeps the machine alive, so that no other gets its identity
        if len(_recent) > INTERPRETERS_HELD:
            del _recent[next(iter(_recent))]
        return interpreter

    @cached_property
    def _always_after(self) -> list[Requirement]:  # compiled on demand: steps are most of a machine, and not always needed
        return self._always_at(Time.AFTER)

    @cached_property
    def _stepwise(self) -> list[Requirement]:
        frames, machine = self._frames, self.machine
        return [
            *equations(frames, machine.next_values, "next({})", Time.NOW),
            *constraints(frames, "TRANS", machine.transition_constraints, Time.NOW),
        ]

    def _always_at(self, time: Time) -> list[Requirement]:
        form = "{}" if time is Time.NOW else "next({})"
        machine, frames = self.machine, self._frames
        always: list[Requirement] = [*equations(frames, machine.current_values, form, time)]
        return always + constraints(frames, "INVAR", machine.invariant_constraints, time)

    def _for_states_only(self, requirements: Sequence[Requirement]) -> None:
        for requirement in requirements:
            if requirement.reads >> self._frames.first_input:
                message = "inputs and next() belong to steps, but this is about states"
                raise ModelProblem(message, requirement.span, hint="a TRANS constraint may use them")

    # Expressions

    def satisfies(
        self, expr: Expr, state: Assignment, inputs: Assignment | None = None, after: Assignment | None = None
    ) -> bool:
        """May a boolean expression be true in a state, or in the step from it to the state `after`?"""
        result = self.value(expr, state, after, inputs)
        values = result if isinstance(result, ValueChoice) else (result,)
        for value in values:
            if not isinstance(value, bool):
                raise TypeProblem(f"the value {show_value(value)} is not a boolean", expr.span)
        return any(values)

    def value(
        self, expr: Expr, state: Assignment, after: Assignment | None = None, inputs: Assignment | None = None
    ) -> Value | ValueChoice:
        """The value of an expression in a state or a step, or its choices. The expression is compiled once."""
        compiled = self._compiled(expr)
        return _value(compiled, self._frames.filled(compiled.reads, state, after=after, inputs=inputs, span=expr.span))

    def _compiled(self, expr: Expr) -> Compiled:
        entry = self._labels.get(id(expr))
        if entry is None or entry[0] is not expr:
            entry = self._labels[id(expr)] = expr, self._frames.compile(expr)  # no other expression gets its identity
        return entry[1]

    def variables_read(self, expr: Expr) -> list[int]:
        """The state variables that an expression over states depends on, by their positions in `state_variables`."""
        compiled = self._compiled(expr)
        if compiled.reads >> self._frames.first_input:
            raise ModelProblem("inputs and next() have no value in a single state", expr.span)
        return list(ones(compiled.reads))

    # Single states and steps

    def why_not_state(self, state: Assignment) -> str | None:
        """The reason why values are no state: a value outside its type, an INVAR constraint, or an equation `x := e`; or None."""
        frame = self._frames.blank()
        return self._load(frame, 0, self.state_variables, state) or _objection(self._always, frame)

    def why_not_initial(self, state: Assignment) -> str | None:
        """The reason why a state is not initial; None if it is."""
        frame = self._frames.blank()
        problem = self._load(frame, 0, self.state_variables, state)
        return problem or _objection(self._initially, frame) or _objection(self._always, frame)

    def why_not_step(self, state: Assignment, inputs: Assignment, after: Assignment) -> str | None:
        """The reason why this is no step; None if it is one."""
        frames = self._frames
        requirements = (self._always, self._stepwise, self._always_after)
        frame = frames.blank()  # made after the requirements, whose compilation adds slots
        problem = (
            self._load(frame, 0, self.state_variables, state)
            or self._load(frame, frames.first_input, self.input_variables, inputs)
            or self._load(frame, frames.first_after, self.state_variables, after)
        )
        if problem:
            return problem
        for name, place in frames.after.items():
            if place < frames.first_input and frame[place] != frame[place + frames.first_after]:
                return f"the frozen variable {name} changes"
        return next(filter(None, (_objection(group, frame) for group in requirements)), None)

    def _load(self, frame: Frame, first: int, variables: Sequence[Variable], values: Assignment) -> str | None:
        """Write values into the frame. The result is the problem with them, if there is one."""
        for place, variable in enumerate(variables, first):
            if variable.name not in values:
                return f"{variable.name} has no value"
            value = values[variable.name]
            if not contains(variable.type, value):
                return f"{variable.name} is {show_value(value)}, which is outside its type {variable.type}"
            frame[place] = as_held(variable.type, value)
        return None

    # Enumeration

    def initial_states(self, shuffle: random.Random | None = None) -> Iterator[dict[str, Value]]:
        """All initial states; with `shuffle`, in a random order."""
        return map(self.assignment, self.initial_values(shuffle))

    def successors(
        self, state: Assignment, shuffle: random.Random | None = None
    ) -> Iterator[tuple[dict[str, Value], dict[str, Value]]]:
        """All steps from a state of the machine, as inputs and the state after; with `shuffle`, in a random order."""
        values = tuple(state[v.name] for v in self.state_variables)
        input_names = [v.name for v in self.input_variables]
        for inputs, after in self.successor_values(values, shuffle):
            yield dict(zip(input_names, inputs)), self.assignment(after)

    def complete_initial(self, values: Assignment) -> dict[str, Value]:
        """An initial state with the given values."""
        fixed = {place: values[name] for place, name in enumerate(self._frames.state) if name in values}
        frame = self._frames.blank()
        if _simulated(frame, self._state_places(), [*self._initially, *self._always], fixed):
            return self.assignment(tuple(frame[: self._frames.first_input]))
        search = self._initial_search
        frame = self._frames.blank()  # made after the search, whose compilation adds slots
        for _ in search.solve(frame, fixed=fixed):
            return self.assignment(tuple(frame[: self._frames.first_input]))
        raise EvidenceRejected("no initial state has the given values")

    def complete_step(
        self, state: Assignment, inputs: Assignment, after: Assignment
    ) -> tuple[dict[str, Value], dict[str, Value]]:
        """The inputs and the next state of a step from a state, where some values are given."""
        frames = self._frames
        fixed = {frames.now[name]: value for name, value in inputs.items()}
        fixed |= {frames.after[name]: value for name, value in after.items() if frames.after[name] >= frames.first_after}
        values = tuple(state[name] for name in frames.state)
        requirements = [*self._stepwise, *self._always_after]
        frame = self._before_step(values)
        if _simulated(frame, self._step_places(), requirements, fixed):
            given, following = self._after_step(frame)
            return dict(zip(frames.inputs, given)), self.assignment(following)
        for chosen_inputs, result in self.successor_values(values, fixed=fixed):
            return dict(zip(frames.inputs, chosen_inputs)), self.assignment(result)
        raise EvidenceRejected("no step has the given values")

    def inputs_between(self, before: Assignment, after: Assignment) -> dict[str, Value] | None:
        """Inputs with which a step leads from one state to the other; None if there is no such step."""
        if not self.input_variables:
            return {}
        try:
            return self.complete_step(before, {}, after)[0]
        except EvidenceRejected:
            return None

    def assignment(self, values: Values) -> dict[str, Value]:
        """A state by the names of its variables."""
        return dict(zip(self._frames.state, values))

    def initial_values(
        self, shuffle: random.Random | None = None, trying: Callable[[], None] | None = None
    ) -> Iterator[Values]:
        """The initial states; `trying` is called repeatedly during the search for the next one, and may raise to end it."""
        return self._solve_states(self._initial_search, shuffle, trying)

    def all_values(self, shuffle: random.Random | None = None) -> Iterator[Values]:
        return self._solve_states(self._state_search, shuffle)

    def successor_values(
        self,
        values: Values,
        shuffle: random.Random | None = None,
        fixed: Mapping[int, Value] | None = None,
        trying: Callable[[], None] | None = None,
    ) -> Iterator[tuple[Values, Values]]:
        """The steps from a state given by its values, as values of the inputs and values of the state after."""
        search = self._step_search
        frame = self._before_step(values)
        for _ in search.solve(frame, shuffle, fixed, trying):
            yield self._after_step(frame)

    def _before_step(self, values: Values) -> Frame:
        """A frame with the values of a state, to be made after the requirements, whose compilation adds slots."""
        frames = self._frames
        frame = frames.blank()
        frame[: frames.first_input] = values
        for name, place in frames.after.items():
            if place < frames.first_input:  # frozen
                frame[frames.first_after + frames.now[name]] = frame[place]
        return frame

    def _after_step(self, frame: Frame) -> tuple[Values, Values]:
        frames = self._frames
        return tuple(frame[frames.first_input : frames.first_after]), tuple(frame[frames.first_after : frames.first_slot])

    def _solve_states(
        self, search: Search, shuffle: random.Random | None, trying: Callable[[], None] | None = None
    ) -> Iterator[Values]:
        frame = self._frames.blank()
        for _ in search.solve(frame, shuffle, trying=trying):
            yield tuple(frame[: self._frames.first_input])

    @cached_property
    def _initial_search(self) -> Search:
        return search_for(self._frames, self._state_places(), [*self._initially, *self._always])

    @cached_property
    def _state_search(self) -> Search:
        return search_for(self._frames, self._state_places(), self._always)

    @cached_property
    def _step_search(self) -> Search:
        return search_for(self._frames, self._step_places(), [*self._stepwise, *self._always_after])

    def _step_places(self) -> dict[int, Type]:
        frames, machine = self._frames, self.machine
        unknown = {frames.now[v.name]: v.type for v in self.input_variables}
        return unknown | {p: machine.variables[name].type for name, p in frames.after.items() if p >= frames.first_after}

    def _state_places(self) -> dict[int, Type]:
        return {place: variable.type for place, variable in enumerate(self.state_variables)}


INTERPRETERS_HELD: Final = 4
_recent: dict[int, Interpreter] = {}
"""A cache, the latest interpreter last. It changes no result, because an interpreter depends only on its machine."""


def _objection(requirements: Sequence[Requirement], frame: Frame) -> str | None:
    for requirement in requirements:
        if not requirement.holds(frame):
            return requirement.objection(frame)
    return None


def _simulated(
    frame: Frame, unknown: Mapping[int, Type], requirements: Sequence[Requirement], fixed: Mapping[int, Value]
) -> bool:
    """Fill the unknown entries of a frame, some with fixed values; variables without equations get the first value of their type.
    The result is False if that is no solution; there may be others.

    This completes traces of a part of a machine: the variables outside have equations, and their inputs may have any values. To
    order thousands of variables for a search would take far longer.
    """
    equations: dict[int, ValueEquation] = {}
    for requirement in requirements:
        if isinstance(requirement, ValueEquation) and requirement.place in unknown and requirement.place not in fixed:
            equations.setdefault(requirement.place, requirement)
    for place, kind in unknown.items():
        if place not in equations:
            frame[place] = fixed[place] if place in fixed else next(iter(kind.values()))
    try:
        return _filled(frame, equations) and all(requirement.holds(frame) for requirement in requirements)
    except InputError:  # other values may avoid the problem
        return False


def _filled(frame: Frame, equations: Mapping[int, ValueEquation]) -> bool:
    """Evaluate each equation to its first value, after those that it needs; there are no circles. False if one has no value."""
    missing = 0
    for place in equations:
        missing |= 1 << place
    for place in equations:
        path = [place] if missing >> place & 1 else []
        while path:
            equation = equations[path[-1]]
            if needed := equation.needs & missing:
                path.append(needed.bit_length() - 1)
            elif values := equation.candidates(frame):
                frame[path.pop()] = values[0]
                missing ^= 1 << equation.place
            else:
                return False
    return True
