"""Expressions as Python closures over a frame, each part compiled once per machine.

A *frame* is a list: the values of the state variables now, of the inputs, of the state variables after the step, and then one
*slot* for each definition (as it is now, and as it is after the step) and each part that occurs several times or lies deep.
A slot is computed when it is first read and remains until it is cleared, so that shared parts are computed once per frame.

Closures call one another, and Python limits the nesting of calls. A part deeper than NESTING therefore becomes a slot that is
computed before the expressions that read it, so that no chain of definitions is too long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import Enum
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

from coarsest.errors import InputError, ModelProblem, NameProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value
from coarsest.model.interpret.closures import Compiled, Evaluation, Frame, application
from coarsest.model.interpret.values import distinct
from coarsest.model.machine import Kind, Machine
from coarsest.model.types import RealType, as_held
from coarsest.text import Span
from coarsest.text.near import nearest

Assignment: TypeAlias = Mapping[str, Value]

NESTING: Final = 100
"""Closures may nest this deep (Python allows about 1000 calls, and a closure may need two)."""


class Time(Enum):
    """The time at which an expression is evaluated: before the step or after it."""

    NOW = "now"
    AFTER = "after"
    __hash__ = object.__hash__  # the hash of enumerations is Python code, which is slow in keys


class Hole:
    """The content of a slot before it is computed, or after its computation has failed."""

    __slots__ = ("problem",)

    def __init__(self, problem: InputError | None = None) -> None:
        self.problem = problem


EMPTY = Hole()


class Slot(NamedTuple):
    place: int
    reads: int
    compute: Evaluation


class Frames:
    """The layout of the frames of one machine, and the compiler of its expressions."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.state = [v.name for v in machine.state_variables]
        self.inputs = [v.name for v in machine.input_variables]
        self.first_input = len(self.state)
        self.first_after = self.first_input + len(self.inputs)
        self.first_slot = self.first_after + len(self.state)
        self.slots: list[Slot] = []
        self.deep_slots: list[Slot] = []
        """The slots that are computed before their readers."""
        self.now = {name: place for place, name in enumerate(self.state + self.inputs)}
        frozen = {v.name for v in machine.of_kind(Kind.FROZEN)}
        # A frozen variable after the step is the variable itself.
        self.after = {name: place + (0 if name in frozen else self.first_after) for place, name in enumerate(self.state)}
        self._definitions: dict[tuple[str, Time], Compiled] = {}

    def blank(self) -> Frame:
        return [EMPTY] * (self.first_slot + len(self.slots))

    def filled(
        self, places: int, now: Assignment, *, after: Assignment | None, inputs: Assignment | None, span: Span | None
    ) -> Frame:
        """A frame with values at some indices; without `after` and `inputs` it is about a state, not about a step."""
        frame = self.blank()
        for place in ones(places):
            if place < self.first_input:
                name, values = self.state[place], now
            elif place < self.first_after:
                name, values = self.inputs[place - self.first_input], inputs or {}
            else:
                name, values = self.state[place - self.first_after], after or {}
            if name not in values:
                raise _no_value(name, place, self, span)
            frame[place] = as_held(self.machine.variables[name].type, values[name])
        return frame

    def compile(self, expr: Expr, time: Time = Time.NOW) -> Compiled:
        """Compile an expression, to be evaluated before or after the step."""
        compiled = _Compilation(self, expr).result(expr, time)
        return _with_slots_ahead(compiled, self)

    def definition(self, name: str, time: Time) -> Compiled | None:
        return self._definitions.get((name, time))

    def define(self, name: str, time: Time, body: Compiled) -> None:
        self._definitions[name, time] = self.add_slot(body)

    def add_slot(self, body: Compiled) -> Compiled:
        """Give an expression a slot. Deep slots are computed before their readers."""
        place = self.first_slot + len(self.slots)
        compute = body.value
        slot = Slot(place, body.reads, compute)
        self.slots.append(slot)

        def read(frame: Frame) -> Any:
            value = frame[place]
            if value.__class__ is Hole:
                if value.problem is not None:
                    raise value.problem
                value = frame[place] = compute(frame)
            return value

        if body.depth < NESTING:
            return Compiled(read, body.reads, body.ahead, body.depth + 1, body.chooses, body.real)
        ahead = body.ahead | 1 << len(self.deep_slots)
        self.deep_slots.append(slot)
        return Compiled(read, body.reads, ahead, 1, body.chooses, body.real)


def _with_slots_ahead(compiled: Compiled, frames: Frames) -> Compiled:
    """Compute the deep slots first, in the order of their creation, where each comes after the slots that it reads."""
    if not compiled.ahead:
        return compiled
    ahead = [frames.deep_slots[k] for k in ones(compiled.ahead)]
    finish = compiled.value

    def value(frame: Frame) -> Any:
        for slot in ahead:
            if frame[slot.place] is EMPTY:
                try:
                    frame[slot.place] = slot.compute(frame)
                except InputError as problem:  # it matters only if the slot is read
                    frame[slot.place] = Hole(problem)
        return finish(frame)

    return compiled._replace(value=value)


def _is_constant_set(part: Apply) -> bool:
    """A set of constants, which may have a great many members (`0..65535`), is made once."""
    return part.op == "set" and all(isinstance(arg, Constant) for arg in part.args)


def _no_value(name: str, place: int, frames: Frames, span: Span | None) -> ModelProblem:
    if place < frames.first_input:
        return ModelProblem(f"no value is given for '{name}'", span)
    what = f"the input '{name}'" if place < frames.first_after else f"next({name})"
    return ModelProblem(f"{what} has no value in a single state", span, hint="inputs and next() belong to steps")


def ones(mask: int) -> Iterator[int]:
    """The positions of the bits that are set, from the lowest."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class _Compilation:
    """The compilation of one expression, without recursion, because expressions may be deep."""

    def __init__(self, frames: Frames, expr: Expr) -> None:
        self.frames = frames
        self.done: dict[tuple[int, Time], Compiled] = {}
        self.opening: set[tuple[str, Time]] = set()
        self.uses: Counter[int] = Counter()
        self._count_uses(expr)

    def _count_uses(self, expr: Expr) -> None:
        waiting = [expr]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Apply):
                self.uses[id(part)] += 1
                if self.uses[id(part)] == 1:
                    waiting.extend(part.args)

    def result(self, expr: Expr, time: Time) -> Compiled:
        waiting: list[tuple[Expr, Time]] = [(expr, time)]
        while waiting:
            part, when = waiting[-1]
            if (id(part), when) in self.done:
                waiting.pop()
                continue
            missing = self._missing(part, when)
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            self.done[id(part), when] = self._compile(part, when)
        return self.done[id(expr), time]

    def _missing(self, part: Expr, time: Time) -> list[tuple[Expr, Time]]:
        """The parts that have to be compiled before this one."""
        if isinstance(part, Apply):
            if _is_constant_set(part):
                return []
            if part.op == "next":
                if time is Time.AFTER:
                    raise ModelProblem("next() inside next(): only one step can be looked ahead", part.span)
                time = Time.AFTER
            return [(arg, time) for arg in reversed(part.args) if (id(arg), time) not in self.done]
        if isinstance(part, Name) and part.name not in self.frames.machine.variables:
            return self._open_definition(part, time)
        return []

    def _open_definition(self, part: Name, time: Time) -> list[tuple[Expr, Time]]:
        key = part.name, time
        if self.frames.definition(*key) is not None:
            return []
        body = self.frames.machine.definitions.get(part.name)
        if body is None:
            names = [*self.frames.machine.variables, *self.frames.machine.definitions]
            close = nearest(part.name, names)
            raise NameProblem(f"unknown name '{part.name}'", part.span, hint=f"did you mean '{close[0]}'?" if close else "")
        if (id(body), time) in self.done:
            self.frames.define(*key, self.done[id(body), time])
            return []
        if key in self.opening:
            raise ModelProblem(f"the definition of '{part.name}' refers to itself", part.span)
        self.opening.add(key)
        self._count_uses(body)
        return [(body, time)]

    def _compile(self, part: Expr, time: Time) -> Compiled:
        if isinstance(part, Constant):
            constant = part.value
            return Compiled(lambda frame: constant, real=isinstance(constant, Fraction))
        if isinstance(part, Name):
            return self._name(part, time)
        if _is_constant_set(part):
            values = distinct(arg.value for arg in part.args if isinstance(arg, Constant))
            whole = Compiled(lambda frame: values, chooses=True)
            return whole.as_real() if any(isinstance(value, Fraction) for value in values) else whole
        if part.op == "next":
            time = Time.AFTER
        args = [self.done[id(arg), time] for arg in part.args]
        compiled = application(part, args)
        if part.op != "next" and (compiled.depth >= NESTING or self.uses[id(part)] > 1):
            return self.frames.add_slot(compiled)
        return compiled

    def _name(self, part: Name, time: Time) -> Compiled:
        frames = self.frames
        if part.name not in frames.machine.variables:
            body = frames.definition(part.name, time)
            assert body is not None
            return body
        places = frames.after if time is Time.AFTER else frames.now
        if part.name not in places:
            hint = "inputs belong to steps; only the state has a next value"
            raise ModelProblem(f"next({part.name}): '{part.name}' is an input", part.span, hint=hint)
        place = places[part.name]
        real = isinstance(frames.machine.variables[part.name].type, RealType)
        return Compiled(lambda frame: frame[place], 1 << place, real=real)
