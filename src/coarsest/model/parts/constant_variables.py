"""Variables that always have their first value, as their equations show: parameters of a model."""

from __future__ import annotations

from coarsest.logic.expr import Constant, Expr, Name
from coarsest.model.interpret.values import same
from coarsest.model.machine import Kind, Machine
from coarsest.model.types import as_held, contains


def constant_variables(machine: Machine) -> dict[str, Constant]:
    """The values of variables that begin with a constant, and are frozen, or whose equation gives the same value, or their own.

    Constraints do not matter: they may forbid the value, but cannot change it.

    >>> from coarsest.formats.smv.read import read
    >>> from coarsest.text import Source
    >>> text = "MODULE main FROZENVAR n : 0..9; VAR x : 0..9; ASSIGN init(n) := 4; init(x) := n; next(x) := x;"
    >>> {name: constant.value for name, constant in constant_variables(read(Source("m.smv", text))).items()}
    {'n': 4}
    """
    constants: dict[str, Constant] = {}
    for name, variable in machine.variables.items():
        results = [_expanded(machine, expr) for expr in _equations(machine, name)]
        values = [as_held(variable.type, result.value) for result in results if isinstance(result, Constant)]
        if not values or len(values) < len(results) or not contains(variable.type, values[0]):
            continue
        if all(same(values[0], value) for value in values):
            constants[name] = Constant(values[0])
    return constants


def _equations(machine: Machine, name: str) -> list[Expr | None]:
    """The equations for new values of a variable; None stands for any value."""
    kind = machine.variables[name].kind
    if kind is Kind.INPUT:
        return []
    if name in machine.current_values:
        return [machine.current_values[name]]
    first, later = machine.initial_values.get(name), machine.next_values.get(name)
    return [first] if kind is Kind.FROZEN or later == Name(name) else [first, later]


def _expanded(machine: Machine, expr: Expr | None) -> Expr | None:
    """The body of a definition. A case is no constant, because its conditions depend on the step."""
    while isinstance(expr, Name) and expr.name in machine.definitions:
        expr = machine.definitions[expr.name]
    return expr
