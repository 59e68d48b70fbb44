"""The symbols of a machine: values of enumerations, and others its expressions mention."""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.logic.expr import Constant, Expr, subexpressions
from coarsest.model.machine import Machine
from coarsest.model.types import Enumeration


def expressions_of(machine: Machine) -> Iterator[Expr]:
    """All expressions of a machine: definitions, equations, constraints, fairness, properties."""
    for values in (machine.definitions, machine.initial_values, machine.current_values, machine.next_values):
        yield from values.values()
    yield from (*machine.initial_constraints, *machine.invariant_constraints, *machine.transition_constraints, *machine.justice)
    yield from (part for pair in machine.compassion for part in pair)
    yield from (found.formula for found in machine.properties)


def listed_symbols(machine: Machine) -> list[str]:
    """The symbols that enumerations list, without duplicates, in order."""
    members = (m for v in machine.variables.values() if isinstance(v.type, Enumeration) for m in v.type.members)
    return list(dict.fromkeys(member for member in members if isinstance(member, str)))


def unlisted_symbols(machine: Machine) -> list[str]:
    """The symbols that expressions mention and no enumeration lists: those of CONSTANTS."""
    listed = set(listed_symbols(machine))
    parts = (part for expr in expressions_of(machine) for part in subexpressions(expr) if isinstance(part, Constant))
    return sorted({part.value for part in parts if isinstance(part.value, str) and part.value not in listed})
