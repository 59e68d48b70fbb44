"""The value of one expression in one state."""

from __future__ import annotations

from coarsest.logic.expr import Expr, Value
from coarsest.model.interpret.compile import Assignment, Frames
from coarsest.model.interpret.interpret import _value
from coarsest.model.interpret.values import ValueChoice
from coarsest.model.machine import Machine


def evaluate(
    expr: Expr, machine: Machine, current: Assignment, after: Assignment | None = None, inputs: Assignment | None = None
) -> Value | ValueChoice:
    """The value of an expression in a state (for next(), with the state after the step; for inputs, with those of the step).

    >>> from coarsest.logic.expr import Apply, Constant, Name
    >>> from coarsest.model.machine import Machine, Variable
    >>> from coarsest.model.types import Range
    >>> machine = Machine("m", {"x": Variable("x", Range(0, 7))})
    >>> evaluate(Apply("+", (Name("x"), Constant(1))), machine, {"x": 3})
    4
    >>> print(evaluate(Apply("set", (Name("x"), Constant(1))), machine, {"x": 3}))
    {3, 1}
    """
    frames = Frames(machine)
    compiled = frames.compile(expr)
    return _value(compiled, frames.filled(compiled.reads, current, after=after, inputs=inputs, span=expr.span))
