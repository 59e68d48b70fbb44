"""Values of constant expressions: bounds of types, widths, indices."""

from __future__ import annotations

from collections.abc import Callable

from coarsest.errors import ModelProblem, TypeProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value
from coarsest.model.interpret.values import OPERATORS

_DEEPEST_DEFINITION = 500
_COMPUTED = frozenset(
    ("+", "-", "*", "/", "mod", "min", "max", "neg", "abs", "toint", "<", "<=", ">", ">=", "=", "!=", "not", "and", "or", "count")
)
"""What may make a number; not what widens words, whose width is not looked at yet."""


def known_value(expr: Expr, body_of: Callable[[str], Expr | None], depth: int = 0) -> Value | None:
    """The value of a lowered expression if it does not depend on any variable. `body_of` opens definitions.

    >>> from coarsest.logic.parse import parse_expression
    >>> known_value(parse_expression("2 * N - 1"), {"N": Constant(4)}.get)
    7
    """
    if isinstance(expr, Constant):
        return expr.value
    if depth > _DEEPEST_DEFINITION:
        return None
    if isinstance(expr, Name):
        body = body_of(expr.name)
        return None if body is None else known_value(body, body_of, depth + 1)
    if expr.op == "case":
        return _first_branch(expr, body_of, depth)
    if expr.op not in _COMPUTED:
        return None
    values = [known_value(arg, body_of, depth + 1) for arg in expr.args]
    if any(value is None or isinstance(value, str) for value in values):
        return None
    try:
        return OPERATORS[expr.op](*values)
    except (TypeProblem, ModelProblem):
        return None


def _first_branch(expr: Apply, body_of: Callable[[str], Expr | None], depth: int) -> Value | None:
    for condition, value in zip(expr.args[::2], expr.args[1::2]):
        holds = known_value(condition, body_of, depth + 1)
        if holds is True:
            return known_value(value, body_of, depth + 1)
        if holds is not False:
            return None
    return None
