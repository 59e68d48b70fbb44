"""Operators of Lustre as operators of machines."""

from __future__ import annotations

from coarsest.formats.lustre.typing import INTEGER
from coarsest.logic.expr import TRUE, Apply, Constant, Expr
from coarsest.model.types import Type
from coarsest.text import Span


def has_value(flow: Expr, value: object) -> Expr:
    if value is True:
        return flow
    if value is False:
        return Apply("not", (flow,))
    return Apply("=", (flow, Constant(str(value))))


def operation(expr: Apply, args: tuple[Expr, ...], kind: Type) -> Expr:
    op, span = expr.op, expr.span
    if op == "atmost1":
        return Apply("<=", (Apply("count", args), Constant(1)), span)
    if op == "nor":
        return Apply("not", (Apply("or", args),), span)
    if op in ("/", "div", "mod") and kind == INTEGER:
        return _division(op, args, span)
    return Apply({"div": "/"}.get(op, op), args, span)


def _division(op: str, args: tuple[Expr, ...], span: Span | None) -> Expr:
    """Division with a remainder that is never negative, from one that truncates; the divisor is positive."""
    dividend, divisor = args
    remainder = Apply("mod", (dividend, divisor), span)
    is_negative = Apply("<", (remainder, Constant(0)))
    if op == "mod":
        return Apply("case", (is_negative, Apply("+", (remainder, divisor)), TRUE, remainder), span)
    quotient = Apply("/", (dividend, divisor), span)
    return Apply("case", (is_negative, Apply("-", (quotient, Constant(1))), TRUE, quotient), span)
