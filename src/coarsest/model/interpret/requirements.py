"""The requirements of a machine on its states and steps: equations and constraints, compiled for tests on frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from coarsest.errors import InputError, ModelProblem, TypeProblem
from coarsest.logic.expr import Apply, Expr, Name, Value, subexpressions
from coarsest.model.interpret.closures import Evaluation, Frame
from coarsest.model.interpret.compile import Frames, Time, ones
from coarsest.model.interpret.values import ValueChoice, same
from coarsest.model.machine import Machine, Variable
from coarsest.model.types import RealType, contains, show_value
from coarsest.text import Span

SHOWN: Final = 60
"""Messages show this many characters of a constraint."""
PARTIAL_OPERATORS = frozenset({"/", "mod", "<<", ">>", "case"})
_SPLIT = frozenset({"and", "implies"})


class ValueEquation(Struct, frozen=True):
    """A variable takes one of the values of an expression. `form` is the text of its left side: `init(x)`, `next(x)` or `x`."""

    frames: Frames
    variable: Variable
    form: str
    place: int
    values: Evaluation
    needs: int
    span: Span | None

    @property
    def reads(self) -> int:
        return self.needs | 1 << self.place

    def candidates(self, frame: Frame) -> tuple[Value, ...]:
        """The values that the variable may take; all of them must belong to its type."""
        values: tuple[Value, ...] = self.values(frame)
        kind = self.variable.type
        for value in values:
            if not contains(kind, value):
                where = describe_frame(self.frames, frame, self.needs)
                message = f"the value {show_value(value)} for {self.form} is outside its type {kind}"
                raise ModelProblem(message, self.span, hint=f"it arises where {where}" if where else "")
        return values

    def holds(self, frame: Frame) -> bool:
        value = frame[self.place]
        return any(same(value, candidate) for candidate in self.candidates(frame))

    def objection(self, frame: Frame) -> str:
        """The reason why the equation does not hold."""
        values = self.candidates(frame)
        expected = show_value(values[0]) if len(values) == 1 else f"one of {ValueChoice(values)}"
        actual = show_value(frame[self.place])
        return f"{self.form} is {actual}, but its equation{place_in_text(self.span)} gives {expected}"


class Constraint(Struct, frozen=True):
    """A condition. `section` is the keyword before it: INIT, INVAR or TRANS.

    `parts` are its conjuncts, which are all true when the condition is true. It is `partial` if a conjunct may have no value
    (after a division by zero, say) where another makes the condition false.
    """

    section: str
    expr: Expr
    time: Time
    values: Evaluation
    reads: int
    parts: tuple[Constraint, ...] = ()
    partial: bool = False

    @property
    def span(self) -> Span | None:
        return self.expr.span

    def holds(self, frame: Frame) -> bool:
        """May the condition be true?"""
        may_hold = False
        for value in self.values(frame):
            if value.__class__ is not bool:
                raise TypeProblem(f"the {self.section} constraint is {show_value(value)}: expected a boolean", self.expr.span)
            may_hold = may_hold or bool(value)
        return may_hold

    def objection(self, frame: Frame) -> str:
        """The reason why the constraint does not hold: its first conjunct that does not."""
        for part in self.parts:
            try:
                if not part.holds(frame):
                    return part.objection(frame)
            except InputError:  # this part has no value, and another one is false
                continue
        span = self.span
        text = " ".join(span.text.split()) if span else ""
        shown = f": {text if len(text) <= SHOWN else text[: SHOWN - 1] + '…'}" if text else ""
        when = " after the step" if self.time is Time.AFTER else ""
        return f"the {self.section} constraint{place_in_text(span)} is violated{when}{shown}"


Requirement: TypeAlias = ValueEquation | Constraint


def place_in_text(span: Span | None) -> str:
    """` at file:line`, or nothing."""
    return f" at {span.source.name}:{span.line_number}" if span else ""


def describe_frame(frames: Frames, frame: Frame, places: int) -> str:
    """The values at some indices of a frame, for messages."""
    names = {place: name for name, place in frames.now.items()}
    names |= {place: f"next({name})" for name, place in frames.after.items() if place not in names}
    return ", ".join(f"{names[place]} = {show_value(frame[place])}" for place in ones(places))


def equations(frames: Frames, values: Mapping[str, Expr], form: str, time: Time) -> list[ValueEquation]:
    """Equations of one kind. The right side of `next(x) := e` is evaluated now; both sides of `x := e` at the given time."""
    result = []
    for name, expr in values.items():
        variable = frames.machine.variables[name]
        is_next = form.startswith("next")
        place = (frames.after if time is Time.AFTER or is_next else frames.now)[name]
        compiled = frames.compile(expr, time)
        if isinstance(variable.type, RealType):
            compiled = compiled.as_real()
        result.append(ValueEquation(frames, variable, form.format(name), place, compiled.choices(), compiled.reads, expr.span))
    return result


def constraints(frames: Frames, section: str, exprs: Iterable[Expr], time: Time) -> list[Constraint]:
    """The constraints of one section."""
    return [_constraint(frames, section, expr, time) for expr in exprs]


def _constraint(frames: Frames, section: str, expr: Expr, time: Time) -> Constraint:
    parts = []
    for part, when in _conjuncts(frames.machine, expr, time):
        compiled = frames.compile(part, when)
        parts.append(Constraint(section, part, when, compiled.choices(), compiled.reads))
    compiled = frames.compile(expr, time)
    partial = len(parts) > 1 and may_lack_value(frames.machine, expr)
    return Constraint(section, expr, time, compiled.choices(), compiled.reads, tuple(parts), partial)


def _conjuncts(machine: Machine, expr: Expr, time: Time) -> list[tuple[Expr, Time]]:
    """The parts of a conjunction, also inside definitions, next() and after `->`, in the order in which they are written."""
    parts: list[tuple[Expr, Time]] = []
    waiting: list[tuple[Expr, Time, Expr | None]] = [(expr, time, None)]  # the last is the premise of the part
    opened: set[tuple[str, Time]] = set()
    while waiting:
        part, when, premise = waiting.pop()
        body = machine.definitions.get(part.name) if isinstance(part, Name) else None
        if isinstance(part, Apply) and part.op == "and":
            waiting.extend((arg, when, premise) for arg in reversed(part.args))
        elif isinstance(part, Apply) and part.op == "implies" and isinstance(then := part.args[1], Apply) and then.op in _SPLIT:
            both = part.args[0] if premise is None else Apply("and", (premise, part.args[0]))
            waiting.append((part.args[1], when, both))
        elif isinstance(part, Apply) and part.op == "next" and when is Time.NOW and premise is None:
            waiting.append((part.args[0], Time.AFTER, None))
        elif isinstance(part, Name) and isinstance(body, Apply) and body.op == "and" and (part.name, when) not in opened:
            opened.add((part.name, when))
            waiting.append((body, when, premise))
        else:
            parts.append((part if premise is None else Apply("implies", (premise, part), part.span), when))
    return parts


def may_lack_value(machine: Machine, expr: Expr) -> bool:
    """Does the expression, directly or in definitions, use an operator that has no value for some operands?"""
    opened: set[str] = set()
    waiting = [expr]
    while waiting:
        for part in subexpressions(waiting.pop()):
            if isinstance(part, Apply) and part.op in PARTIAL_OPERATORS:
                return True
            if isinstance(part, Name) and part.name in machine.definitions and part.name not in opened:
                opened.add(part.name)
                waiting.append(machine.definitions[part.name])
    return False
