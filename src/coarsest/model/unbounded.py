"""Machines with variables that have no bounds, and the message for engines that need bounds."""

from __future__ import annotations

from coarsest.errors import Unsupported
from coarsest.model.machine import Machine, Variable
from coarsest.model.types import Type, is_finite
from coarsest.text import Span


def unbounded_variables(machine: Machine) -> list[Variable]:
    """The variables of infinite types."""
    return [variable for variable in machine.variables.values() if not is_finite(variable.type)]


def require_finite(machine: Machine, what: str, *, hint: str | None = None) -> None:
    """Raise Unsupported at the first variable without bounds; `what` is the task that cannot be done with it."""
    for variable in unbounded_variables(machine):
        raise Unsupported(f"`{variable.name}` is unbounded ({variable.type}): {what}", variable.span, hint=hint or HINT)


HINT = "check, reach, reduce and gste can do with formulas instead (--carrier smt); elsewhere, declare a range such as 0..255"


def no_bits(kind: Type, span: Span | None = None) -> Unsupported:
    """The problem that values of a type cannot be encoded by bits."""
    return Unsupported(f"a value of type {kind} has no bounds and cannot be held in bits", span, hint=HINT)
