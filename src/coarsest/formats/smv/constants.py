"""Values of constant expressions: bounds of types, widths, indices."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from coarsest.logic.expr import Apply, Constant, Expr, Name, Value, Word

_DEEPEST_DEFINITION = 500


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
    compute = _COMPUTE.get(expr.op)
    if compute is None:
        return None
    values = [known_value(arg, body_of, depth + 1) for arg in expr.args]
    if any(value is None or isinstance(value, str) for value in values):
        return None
    try:
        return compute(*values)
    except (TypeError, ZeroDivisionError):
        return None


def _first_branch(expr: Apply, body_of: Callable[[str], Expr | None], depth: int) -> Value | None:
    for condition, value in zip(expr.args[::2], expr.args[1::2]):
        holds = known_value(condition, body_of, depth + 1)
        if holds is True:
            return known_value(value, body_of, depth + 1)
        if holds is not False:
            return None
    return None


def _integer(value: Value | None) -> int:
    if isinstance(value, Word):
        return value.value
    if value.__class__ is not int:
        raise TypeError(value)
    assert isinstance(value, int)
    return value


def _arithmetic(compute: Callable[[int, int], int]) -> Callable[..., Value]:
    def on_integers(left: Value, right: Value) -> Value:
        if left.__class__ is not int or right.__class__ is not int:
            raise TypeError
        return compute(_integer(left), _integer(right))

    return on_integers


def _comparison(compute: Callable[[int, int], bool]) -> Callable[..., Value]:
    def on_integers(left: Value, right: Value) -> Value:
        return compute(_integer(left), _integer(right))

    return on_integers


def divide(left: int, right: int) -> int:
    """Division towards zero, as in C.

    >>> divide(-7, 2)
    -3
    """
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _equal(left: Value, right: Value) -> Value:
    return left.__class__ is right.__class__ and left == right


_COMPUTE: Mapping[str, Callable[..., Value]] = {
    "+": _arithmetic(lambda a, b: a + b),
    "-": _arithmetic(lambda a, b: a - b),
    "*": _arithmetic(lambda a, b: a * b),
    "/": _arithmetic(divide),
    "mod": _arithmetic(lambda a, b: a - b * divide(a, b)),
    "min": _arithmetic(min),
    "max": _arithmetic(max),
    "neg": lambda a: -_integer(a) if a.__class__ is int else _integer(None),
    "abs": lambda a: abs(_integer(a)) if a.__class__ is int else _integer(None),
    "toint": lambda a: int(a) if isinstance(a, bool) else _integer(a),
    "<": _comparison(lambda a, b: a < b),
    "<=": _comparison(lambda a, b: a <= b),
    ">": _comparison(lambda a, b: a > b),
    ">=": _comparison(lambda a, b: a >= b),
    "=": _equal,
    "!=": lambda a, b: not _equal(a, b),
    "not": lambda a: not a if isinstance(a, bool) else _integer(None),
    "and": lambda *parts: all(part is True for part in parts),
    "or": lambda *parts: any(part is True for part in parts),
    "count": lambda *parts: sum(part is True for part in parts),
}
