"""Variables that keep their first value for ever, as the text of their equations shows: parameters of a model."""

from __future__ import annotations

from coarsest.logic.expr import Constant, Expr, Name
from coarsest.model.interpret.values import same
from coarsest.model.machine import Kind, Machine
from coarsest.model.types import as_held, contains


def constant_variables(machine: Machine) -> dict[str, Constant]:
    """The values of variables that begin with a constant, and are frozen or given the same value, or their own, by each step.

    Constraints have no part in it: they may forbid the value, but cannot change it.

    >>> from coarsest.formats.smv.read import read
    >>> from coarsest.text import Source
    >>> text = "MODULE main FROZENVAR n : 0..9; VAR x : 0..9; ASSIGN init(n) := 4; init(x) := n; next(x) := x;"
    >>> {name: constant.value for name, constant in constant_variables(read(Source("m.smv", text))).items()}
    {'n': 4}
    """
    constants: dict[str, Constant] = {}
    for name, variable in machine.variables.items():
        results = [_opened(machine, expr) for expr in _equations(machine, name)]
        values = [as_held(variable.type, result.value) for result in results if isinstance(result, Constant)]
        if not values or len(values) < len(results) or not contains(variable.type, values[0]):
            continue
        if all(same(values[0], value) for value in values):
            constants[name] = Constant(values[0])
    return constants


def _equations(machine: Machine, name: str) -> list[Expr | None]:
    """What gives a variable its values, other than the one that it has; None where any value may be given."""
    kind = machine.variables[name].kind
    if kind is Kind.INPUT:
        return []
    if name in machine.current_values:
        return [machine.current_values[name]]
    first, later = machine.initial_values.get(name), machine.next_values.get(name)
    return [first] if kind is Kind.FROZEN or later == Name(name) else [first, later]


def _opened(machine: Machine, expr: Expr | None) -> Expr | None:
    """What a definition stands for. A case is not looked into: that one of its conditions holds is a matter of the steps."""
    while isinstance(expr, Name) and expr.name in machine.definitions:
        expr = machine.definitions[expr.name]
    return expr
