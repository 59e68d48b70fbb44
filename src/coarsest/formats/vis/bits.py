"""Rows of bits as expressions of a machine: one bit is a boolean, more are an unsigned word. Constants are worked out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Word
from coarsest.model.types import Boolean, Enumeration, Type, WordType

Shape: TypeAlias = int | tuple[str, ...]
"""How many bits, or the values of an enumerated type."""


class BitRow(NamedTuple):
    """An expression, and how many bits it has."""

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
    """0, or the first value of a type."""
    return Constant(shape[0]) if isinstance(shape, tuple) else constant(0, shape)


def number_of(expr: Expr) -> int | None:
    """The number that an expression is, if it is a constant."""
    if not isinstance(expr, Constant) or isinstance(expr.value, str):
        return None
    return expr.value.bits if isinstance(expr.value, Word) else int(expr.value)


def negation(expr: Expr) -> Expr:
    if isinstance(expr, Constant):
        return FALSE if expr == TRUE else TRUE
    if isinstance(expr, Apply) and expr.op == "not":
        return expr.args[0]
    return Apply("not", (expr,))


def both(one: Expr, other: Expr) -> Expr:
    if one == FALSE or other == FALSE:
        return FALSE
    return other if one == TRUE else one if other == TRUE else Apply("and", (one, other))


def either(one: Expr, other: Expr) -> Expr:
    if one == TRUE or other == TRUE:
        return TRUE
    return other if one == FALSE else one if other == FALSE else Apply("or", (one, other))


def exclusive(one: Expr, other: Expr) -> Expr:
    for here, there in ((one, other), (other, one)):
        if isinstance(here, Constant):
            return there if here == FALSE else negation(there)
    return Apply("xor", (one, other))


def choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """One of two values."""
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


def _same(one: Expr, other: Expr) -> bool:
    return one is other or (not isinstance(one, Apply) and not isinstance(other, Apply) and one == other)


# Words


def word(bits: BitRow) -> Expr:
    """As a word, be it of one bit."""
    if bits.width > 1:
        return bits.expr
    if isinstance(bits.expr, Constant):
        return Constant(Word(int(bits.expr == TRUE), 1))
    return Apply("word1", (bits.expr,))


def resized(bits: BitRow, width: int) -> Expr:
    """With zeros in front, or without the first bits."""
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


def bit(row: BitRow, place: int) -> Expr:
    """One bit of a row, worked out from bits of the operands as far as that can be done."""
    expr = row.expr
    match expr:
        case Apply("and" | "or" | "xor" | "not", args) if row.width > 1:
            return Apply(expr.op, tuple(bit(BitRow(arg, row.width), place) for arg in args), expr.span)
        case Apply("::", (left, right)) if (size := _size(right)) is not None:
            return bit(BitRow(right, size), place) if place < size else bit(BitRow(left, row.width - size), place - size)
        case Apply("word1", (inner,)):
            return inner
    if row.width == 1:  # a word of one bit, as it stands in a row
        return Apply("bool", (expr,))
    return part(row, place, place)


def _size(expr: Expr) -> int | None:
    """How many bits a word has, where its form tells."""
    match expr:
        case Constant(Word(_, width)):
            return width
        case Apply("word1", _):
            return 1
        case Apply("bits", (_, Constant(int(high)), Constant(int(low)))):
            return high - low + 1
    return None


def joined(parts: Sequence[BitRow]) -> BitRow:
    """One row after the other, the first in front."""
    result = parts[0]
    for following in parts[1:]:
        width = result.width + following.width
        one, other = number_of(result.expr), number_of(following.expr)
        if one is not None and other is not None:
            result = BitRow(constant(one << following.width | other, width), width)
        else:
            result = BitRow(Apply("::", (word(result), word(following))), width)
    return result


def is_not_zero(bits: BitRow) -> Expr:
    if bits.width == 1:
        return bits.expr
    number = number_of(bits.expr)
    return constant(number != 0, 1) if number is not None else Apply("!=", (bits.expr, constant(0, bits.width)))


def equal(one: Expr, other: Expr) -> Expr:
    """Are two values of one shape equal?"""
    if isinstance(one, Constant) and isinstance(other, Constant):
        return TRUE if one == other else FALSE
    for here, there in ((one, other), (other, one)):
        if isinstance(here, Constant) and isinstance(here.value, bool):
            return there if here.value else negation(there)
    return Apply("=", (one, other))


_FOLDED = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "and": lambda a, b: a & b,
    "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
}  # fmt: skip


def binary(op: str, one: Expr, other: Expr, width: int) -> Expr:
    """`+`, `-`, `*`, `and`, `or` or `xor` of two rows of one width, modulo 2^width."""
    left, right = number_of(one), number_of(other)
    if left is not None and right is not None:
        return constant(_FOLDED[op](left, right), width)
    if width == 1:
        joiner = {"+": exclusive, "-": exclusive, "xor": exclusive, "*": both, "and": both, "or": either}[op]
        return joiner(one, other)
    if right == 0 and op in ("+", "-", "or", "xor"):
        return one
    if left == 0 and op in ("+", "or", "xor"):
        return other
    return Apply(op, (one, other))


def complement(bits: BitRow) -> Expr:
    """Every bit negated."""
    if bits.width == 1:
        return negation(bits.expr)
    number = number_of(bits.expr)
    return constant(~number, bits.width) if number is not None else Apply("not", (bits.expr,))


def less(one: Expr, other: Expr, width: int, *, or_equal: bool) -> Expr:
    """Is one row less than another of its width?"""
    left, right = number_of(one), number_of(other)
    if left is not None and right is not None:
        return constant(left <= right if or_equal else left < right, 1)
    if width == 1:
        return either(negation(one), other) if or_equal else both(negation(one), other)
    return Apply("<=" if or_equal else "<", (one, other))


def parity(bits: BitRow) -> Expr:
    """Is the number of ones odd?"""
    result: Expr = FALSE
    for place in range(bits.width):
        result = exclusive(result, part(bits, place, place))
    return result
