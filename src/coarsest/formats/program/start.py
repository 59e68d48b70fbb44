"""Where a program starts: from what is done before the loop, the initial states as equations and constraints.

What a variable holds before it is set is unknown, and so is what is read. Where some variable still holds an unknown value at the
top of the loop, it speaks for it; an unknown value that no variable holds any more is one of its type's values.
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
"""If values that were read and lost before the loop have more combinations, the program is refused."""

LOST = "?"
"""What the name of a value that no variable holds begins with."""


def initial(effects: Effects, variables: Mapping[str, Variable]) -> tuple[dict[str, Expr], tuple[Expr, ...]]:
    """Initial values and initial constraints."""
    holders = {value.name: name for name, value in reversed(effects.values.items()) if isinstance(value, Name)}
    unknowns = {**variables, **effects.inputs}
    values: dict[str, Expr] = {}
    entangled: list[Expr] = []
    lost: set[str] = set()

    def in_terms_of_states(expr: Expr) -> tuple[Expr, frozenset[str]]:
        """The name of an unknown is that of a state variable, which may hold another one: all are replaced at once."""
        missing = names(expr) - holders.keys()
        speaks_for = {name: Name(holders.get(name, f"{LOST}{name}")) for name in names(expr)}
        return replace(expr, lambda part: speaks_for[part.name] if isinstance(part, Name) else None), missing

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
    """The claims, with some values for what is lost."""
    if not lost:
        return tuple(claims)
    for variable in lost:
        if not is_finite(variable.type):
            message = f"a value of `{variable.name.partition('.')[0]}` is used and then lost before the loop"
            raise Unsupported(message, variable.span, hint="keep it in a variable of its own")
    if prod(variable.type.size for variable in lost) > MOST_COMBINATIONS:
        message = "too many values are used and then lost before the loop"
        raise Unsupported(message, lost[-1].span, hint="keep them in variables of their own")
    whole = conjunction(claims)
    cases = []
    for values in product(*(variable.type.values() for variable in lost)):
        constants = {f"{LOST}{variable.name}": Constant(value) for variable, value in zip(lost, values)}
        cases.append(_with_values(whole, constants))
    return (Apply("or", tuple(cases)),)


def _with_values(expr: Expr, constants: Mapping[str, Constant]) -> Expr:
    return replace(expr, lambda part: constants.get(part.name) if isinstance(part, Name) else None)
