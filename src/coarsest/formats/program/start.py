"""The initial states of a program, as equations and constraints that follow from the statements before the loop.

The value of a variable that has not been set is unknown, and so is a value that is read. If a variable still holds an unknown
value at the top of the loop, it represents the value. An unknown value that no variable holds any more is any value of its type.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod
from typing import Final

from coarsest.errors import Unsupported
from coarsest.formats.program.execute import Effects
from coarsest.logic.expr import Apply, Constant, Expr, Name, conjunction, names, replace
from coarsest.model.machine import Variable
from coarsest.model.types import is_finite

MOST_COMBINATIONS: Final = 256
"""The limit for the number of combinations of values that are read and lost before the loop."""

LOST = "?"
"""The prefix for names of values that no variable holds."""


def initial(effects: Effects, variables: Mapping[str, Variable]) -> tuple[dict[str, Expr], tuple[Expr, ...]]:
    """Initial values and initial constraints."""
    holders = {value.name: name for name, value in reversed(effects.values.items()) if isinstance(value, Name)}
    unknowns = {**variables, **effects.inputs}
    values: dict[str, Expr] = {}
    entangled: list[Expr] = []
    lost: set[str] = set()

    def in_terms_of_states(expr: Expr) -> tuple[Expr, frozenset[str]]:
        """An unknown may have the name of a state variable that holds another unknown: all are replaced at once."""
        represented = {name: Name(holders.get(name, f"{LOST}{name}")) for name in names(expr)}
        return _substituted(expr, represented), names(expr) - holders.keys()

    for name, value in effects.values.items():
        if isinstance(value, Name) and holders[value.name] == name:
            continue
        renamed, missing = in_terms_of_states(value)
        if missing:
            lost |= missing
            entangled.append(Apply("=", (Name(name), renamed)))
        else:
            values[name] = renamed
    for assumption in effects.assumptions:
        renamed, missing = in_terms_of_states(assumption)
        lost |= missing
        entangled.append(renamed)
    constraints = _some_values(entangled, [unknowns[name] for name in sorted(lost)])
    return values, constraints


def _some_values(claims: list[Expr], lost: list[Variable]) -> tuple[Expr, ...]:
    """The claims, for some values of the lost variables."""
    if not lost:
        return tuple(claims)
    for variable in lost:
        if not is_finite(variable.type):
            message = f"a value of `{variable.name.partition('.')[0]}` is used and then lost before the loop"
            raise Unsupported(message, variable.span, hint="keep the value in another variable")
    if prod(variable.type.size for variable in lost) > MOST_COMBINATIONS:
        message = "too many values are used and then lost before the loop"
        raise Unsupported(message, lost[-1].span, hint="keep the values in other variables")
    whole = conjunction(claims)
    cases = []
    for values in product(*(variable.type.values() for variable in lost)):
        constants = {f"{LOST}{variable.name}": Constant(value) for variable, value in zip(lost, values)}
        cases.append(_substituted(whole, constants))
    return (Apply("or", tuple(cases)),)


def _substituted(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    return replace(expr, lambda part: values.get(part.name) if isinstance(part, Name) else None)
