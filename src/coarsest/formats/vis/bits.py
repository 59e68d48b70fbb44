"""Rows of bits as expressions of a machine: one bit is a boolean, more are an unsigned word. Constants are computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Word
from coarsest.model.types import Boolean, Enumeration, Type, WordType

Shape: TypeAlias = int | tuple[str, ...]
"""A number of bits, or the values of an enumerated type."""


class BitRow(NamedTuple):
    """An expression and its number of bits."""

    expr: Expr
    width: int


def type_of_shape(shape: Shape) -> Type:
    if isinstance(shape, tuple):
        return Enumeration(shape)
    return Boolean() if shape == 1 else WordType(shape)


def constant(number: int, width: int) -> Expr:
    """A number modulo 2^width."""
    if width == 1:
        return TRUE if number & 1 else FALSE
    return Constant(Word(number & ((1 << width) - 1), width))


def first_value(shape: Shape) -> Expr:
    """0, or the first value of an enumerated type."""
    return Constant(shape[0]) if isinstance(shape, tuple) else constant(0, shape)


def number_of(expr: Expr) -> int | None:
    """The value of an expression that is a constant number."""
    if not isinstance(expr, Constant) or isinstance(expr.value, str):
        return None
    return expr.value.bits if isinstance(expr.value, Word) else int(expr.value)


def negation(expr: Expr) -> Expr:
    if isinstance(expr, Constant):
        return FALSE if expr == TRUE else TRUE
    if isinstance(expr, Apply) and expr.op == "not":
        return expr.args[0]
    return Apply("not", (expr,))


def both(left: Expr, right: Expr) -> Expr:
    if left == FALSE or right == FALSE:
        return FALSE
    return right if left == TRUE else left if right == TRUE else Apply("and", (left, right))


def either(left: Expr, right: Expr) -> Expr:
    if left == TRUE or right == TRUE:
        return TRUE
    return right if left == FALSE else left if right == FALSE else Apply("or", (left, right))


def exclusive(left: Expr, right: Expr) -> Expr:
    for operand, other in ((left, right), (right, left)):
        if isinstance(operand, Constant):
            return other if operand == FALSE else negation(other)
    return Apply("xor", (left, right))


def choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    return first_of([(condition, then)], otherwise)


def first_of(branches: Sequence[tuple[Expr, Expr]], otherwise: Expr) -> Expr:
    """The first value whose condition holds, in one flat case."""
    args: list[Expr] = []
    for condition, value in branches:
        if condition == TRUE:
            otherwise = value
            break
        if condition != FALSE:
            args += (condition, value)
    while args and _same(args[-1], otherwise):
        del args[-2:]
    if not args:
        return otherwise
    if len(args) == 2 and isinstance(args[1], Constant) and isinstance(args[1].value, bool):
        condition, then = args
        return either(condition, otherwise) if then == TRUE else both(negation(condition), otherwise)
    if len(args) == 2 and isinstance(otherwise, Constant) and isinstance(otherwise.value, bool):
        condition, then = args
        return both(condition, then) if otherwise == FALSE else either(negation(condition), then)
    return Apply("case", (*args, TRUE, otherwise))


def _same(left: Expr, right: Expr) -> bool:
    return left is right or (not isinstance(left, Apply) and not isinstance(right, Apply) and left == right)


# Words


def word(bits: BitRow) -> Expr:
    """A row as a word, even if it has one bit."""
    if bits.width > 1:
        return bits.expr
    if isinstance(bits.expr, Constant):
        return Constant(Word(int(bits.expr == TRUE), 1))
    return Apply("word1", (bits.expr,))


def resized(bits: BitRow, width: int) -> Expr:
    """A row with zeros in front, or without its first bits."""
    if width == bits.width:
        return bits.expr
    if width < bits.width:
        return part(bits, width - 1, 0)
    number = number_of(bits.expr)
    if number is not None:
        return constant(number, width)
    return Apply("extend", (word(bits), Constant(width - bits.width)))


def part(bits: BitRow, high: int, low: int) -> Expr:
    """Bits of a row, counted from 0 at its end."""
    width = high - low + 1
    if width == bits.width:
        return bits.expr
    number = number_of(bits.expr)
    if number is not None:
        return constant(number >> low, width)
    expr = bits.expr
    if isinstance(expr, Apply) and expr.op == "bits" and isinstance(expr.args[2], Constant):
        offset = expr.args[2].value
        assert isinstance(offset, int)
        selected = Apply("bits", (expr.args[0], Constant(high + offset), Constant(low + offset)))
    else:
        selected = Apply("bits", (expr, Constant(high), Constant(low)))
    return Apply("bool", (selected,)) if width == 1 else selected


def bit(row: BitRow, index: int) -> Expr:
    """One bit of a row, from bits of its operands where possible."""
    expr = row.expr
    match expr:
        case Apply("and" | "or" | "xor" | "not", args) if row.width > 1:
            return Apply(expr.op, tuple(bit(BitRow(arg, row.width), index) for arg in args), expr.span)
        case Apply("::", (left, right)) if (size := _size(right)) is not None:
            return bit(BitRow(right, size), index) if index < size else bit(BitRow(left, row.width - size), index - size)
        case Apply("word1", (inner,)):
            return inner
    if row.width == 1:  # a word of one bit, as part of a row
        return Apply("bool", (expr,))
    return part(row, index, index)


def _size(expr: Expr) -> int | None:
    """The number of bits of a word, if its form shows it."""
    match expr:
        case Constant(Word(_, width)):
            return width
        case Apply("word1", _):
            return 1
        case Apply("bits", (_, Constant(int(high)), Constant(int(low)))):
            return high - low + 1
    return None


def joined(parts: Sequence[BitRow]) -> BitRow:
    """The concatenation of rows."""
    result = parts[0]
    for following in parts[1:]:
        width = result.width + following.width
        left, right = number_of(result.expr), number_of(following.expr)
        if left is not None and right is not None:
            result = BitRow(constant(left << following.width | right, width), width)
        else:
            result = BitRow(Apply("::", (word(result), word(following))), width)
    return result


def is_not_zero(bits: BitRow) -> Expr:
    if bits.width == 1:
        return bits.expr
    number = number_of(bits.expr)
    return constant(number != 0, 1) if number is not None else Apply("!=", (bits.expr, constant(0, bits.width)))


def equal(left: Expr, right: Expr) -> Expr:
    """Are two values of one shape equal?"""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return TRUE if left == right else FALSE
    for operand, other in ((left, right), (right, left)):
        if isinstance(operand, Constant) and isinstance(operand.value, bool):
            return other if operand.value else negation(other)
    return Apply("=", (left, right))


_FOLDED = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "and": lambda a, b: a & b,
    "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
}  # fmt: skip


def binary(op: str, left: Expr, right: Expr, width: int) -> Expr:
    """`+`, `-`, `*`, `and`, `or` or `xor` of two rows of one width, modulo 2^width."""
    a, b = number_of(left), number_of(right)
    if a is not None and b is not None:
        return constant(_FOLDED[op](a, b), width)
    if width == 1:
        joiner = {"+": exclusive, "-": exclusive, "xor": exclusive, "*": both, "and": both, "or": either}[op]
        return joiner(left, right)
    if b == 0 and op in ("+", "-", "or", "xor"):
        return left
    if a == 0 and op in ("+", "or", "xor"):
        return right
    return Apply(op, (left, right))


def complement(bits: BitRow) -> Expr:
    """The row with every bit negated."""
    if bits.width == 1:
        return negation(bits.expr)
    number = number_of(bits.expr)
    return constant(~number, bits.width) if number is not None else Apply("not", (bits.expr,))


def less(left: Expr, right: Expr, width: int, *, or_equal: bool) -> Expr:
    """Is a row less than another of the same width?"""
    a, b = number_of(left), number_of(right)
    if a is not None and b is not None:
        return constant(a <= b if or_equal else a < b, 1)
    if width == 1:
        return either(negation(left), right) if or_equal else both(negation(left), right)
    return Apply("<=" if or_equal else "<", (left, right))


def parity(bits: BitRow) -> Expr:
    """Is the number of ones odd?"""
    result: Expr = FALSE
    for k in range(bits.width):
        result = exclusive(result, part(bits, k, k))
    return result
