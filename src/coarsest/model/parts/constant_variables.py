"""Variables that keep their first value for ever, as the text of their equations shows: parameters of a model."""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.logic.expr import Apply, Constant, Expr, Name
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
        results = list(_all_results(machine, name))
        values = [as_held(variable.type, result.value) for result in results if isinstance(result, Constant)]
        if not values or len(values) < len(results) or not contains(variable.type, values[0]):
            continue
        if all(same(values[0], value) for value in values):
            constants[name] = Constant(values[0])
    return constants


def _all_results(machine: Machine, name: str) -> Iterator[Expr | None]:
    """What the equations of a variable may give it, other than the value that it has; None for what is not plain to see."""
    kind = machine.variables[name].kind
    if kind is Kind.INPUT:
        return
    if name in machine.current_values:
        yield from _results(machine, machine.current_values[name])
        return
    yield from _results(machine, machine.initial_values.get(name))
    if kind is Kind.STATE:
        yield from (result for result in _results(machine, machine.next_values.get(name)) if result != Name(name))


def _results(machine: Machine, expr: Expr | None) -> Iterator[Expr | None]:
    """What an expression may be: a constant, a variable, or None."""
    waiting = [expr]
    while waiting:
        match waiting.pop():
            case Name(name) if name in machine.definitions:
                waiting.append(machine.definitions[name])
            case Apply("case", args):
                waiting += args[1::2]
            case Constant() | Name() as plain:
                yield plain
            case _:
                yield None
