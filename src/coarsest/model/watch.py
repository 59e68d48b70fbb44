"""A condition on steps as a condition on states: a variable remembers whether the last step satisfied it."""

from __future__ import annotations

from msgspec.structs import replace

from coarsest.logic.expr import TRUE, Apply, Expr, Name, subexpressions
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.promote_inputs import inputs_mentioned
from coarsest.model.types import Boolean


def is_about_steps(machine: Machine, condition: Expr) -> bool:
    """Does the condition mention inputs or next values?"""
    return looks_ahead(machine, condition) or bool(inputs_mentioned(machine, [condition]))


def looks_ahead(machine: Machine, condition: Expr) -> bool:
    """Does next() occur in the condition, or in a definition that it uses?"""
    waiting, opened = [condition], set[str]()
    while waiting:
        for part in subexpressions(waiting.pop()):
            if isinstance(part, Apply) and part.op == "next":
                return True
            if isinstance(part, Name) and part.name in machine.definitions and part.name not in opened:
                opened.add(part.name)
                waiting.append(machine.definitions[part.name])
    return False


def with_watch(machine: Machine, condition: Expr, name: str) -> Machine:
    """The machine with a variable that is true as long as the last step satisfied the condition."""
    return replace(
        machine,
        variables={**machine.variables, name: Variable(name, Boolean(), Kind.STATE)},
        initial_values={**machine.initial_values, name: TRUE},
        next_values={**machine.next_values, name: condition},
    )
