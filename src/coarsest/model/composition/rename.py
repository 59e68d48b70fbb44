"""Machines with other names, and machines with additional variables of others."""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec.structs import replace

from coarsest.logic.expr import Expr, Name, names
from coarsest.logic.expr import replace as replace_parts
from coarsest.model.machine import Kind, Machine


def renamed(machine: Machine, new: Callable[[str], str]) -> Machine:
    """The machine with new names for all variables and definitions, and without properties."""

    def rewrite(expr: Expr) -> Expr:
        return replace_parts(expr, lambda part: Name(new(part.name), part.span) if isinstance(part, Name) else None)

    return replace(
        machine,
        variables={new(name): replace(variable, name=new(name)) for name, variable in machine.variables.items()},
        definitions={new(name): rewrite(e) for name, e in machine.definitions.items()},
        initial_values={new(name): rewrite(e) for name, e in machine.initial_values.items()},
        current_values={new(name): rewrite(e) for name, e in machine.current_values.items()},
        next_values={new(name): rewrite(e) for name, e in machine.next_values.items()},
        initial_constraints=tuple(map(rewrite, machine.initial_constraints)),
        invariant_constraints=tuple(map(rewrite, machine.invariant_constraints)),
        transition_constraints=tuple(map(rewrite, machine.transition_constraints)),
        justice=tuple(map(rewrite, machine.justice)),
        compassion=tuple((rewrite(p), rewrite(q)) for p, q in machine.compassion),
        outputs=tuple(map(new, machine.outputs)),
        assumptions=tuple(map(rewrite, machine.assumptions)),
        properties=(),
    )


def knowing(machine: Machine, whole: Machine, formulas: Collection[Expr]) -> Machine:
    """The machine with the names that formulas mention of a composition with others, whose variables may take any value."""
    variables, definitions = dict(machine.variables), dict(machine.definitions)
    waiting = [name for formula in formulas for name in names(formula)]
    while waiting:
        name = waiting.pop()
        if name in variables or name in definitions:
            continue
        if name in whole.variables:
            variables[name] = replace(whole.variables[name], kind=Kind.STATE)
        else:
            definitions[name] = whole.definitions[name]
            waiting.extend(names(whole.definitions[name]))
    return replace(machine, variables=variables, definitions=definitions)


def free_variables(whole: Machine, formulas: Collection[Expr]) -> Machine:
    """A machine without rules, with the variables and definitions that formulas mention."""
    return knowing(Machine("anything", {}), whole, formulas)
