"""The operators on words, held by their bits in columns of numbers without sign."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coarsest.space.columns.column import (
    Array,
    NotInColumns,
    Single,
    ValueColumn,
    as_value,
    nonzero,
    own_holder,
    word,
    word_holder,
)


def in_64_bits(column: ValueColumn) -> Array:
    """The bits of a word in 64 bits, in which a signed one has its sign: arithmetic modulo 2^64 is right on them."""
    bits = column.array(np.uint64)
    if not column.signed:
        return bits
    sign = np.uint64(1 << (column.width - 1))
    return (bits ^ sign) - sign


def in_order(column: ValueColumn) -> Array:
    """Numbers without sign in the order of the words."""
    kind = word_holder(column.width)
    bits = column.array(kind)
    return bits ^ kind(1 << (column.width - 1)) if column.signed else bits


def _cut(result: Array, width: int, *operands: ValueColumn, signed: bool) -> ValueColumn:
    """The lowest bits of a result in 64 bits."""
    bits = (result & np.uint64((1 << width) - 1)).astype(word_holder(width))
    return word(as_value(bits, *operands), width, signed=signed)


def _is_negative(bits: Array) -> Array:
    return bits.view(np.int64) < 0


def _magnitude(column: ValueColumn) -> Array:
    bits = in_64_bits(column)
    return np.where(_is_negative(bits), np.uint64(0) - bits, bits) if column.signed else bits


def on_words(op: str, args: Sequence[ValueColumn]) -> ValueColumn:
    a, width, signed = args[0], args[0].width, args[0].signed
    if op == "neg":
        return _cut(np.uint64(0) - in_64_bits(a), width, a, signed=signed)
    if op == "abs":
        return _cut(_magnitude(a), width, a, signed=signed)
    b = args[1]
    if op in ("min", "max"):
        first = in_order(a) <= in_order(b) if op == "min" else in_order(a) >= in_order(b)
        return _cut(np.where(first, in_64_bits(a), in_64_bits(b)), width, a, b, signed=signed)
    if op in ("+", "-", "*"):
        return _cut(
            {"+": np.add, "-": np.subtract, "*": np.multiply}[op](in_64_bits(a), in_64_bits(b)), width, a, b, signed=signed
        )
    x, y = _magnitude(a), nonzero(_magnitude(b))
    result = x // y if op == "/" else x % y
    if signed:
        opposite = _is_negative(in_64_bits(a)) ^ _is_negative(in_64_bits(b)) if op == "/" else _is_negative(in_64_bits(a))
        result = np.where(opposite, np.uint64(0) - result, result)
    return _cut(result, width, a, b, signed=signed)


def reshaped(op: str, a: ValueColumn, args: Sequence[Single], parameters: Sequence[int]) -> ValueColumn:
    """Words made of the bits of words."""
    width, signed = a.width, a.signed
    match op, args[1:], parameters:
        case "<<" | ">>", [ValueColumn(kind="number" | "word") as amount], _ if not amount.signed:
            distance = np.clip(amount.array(own_holder(amount)), 0, width).astype(np.uint64)
            if op == "<<":
                return _cut(np.left_shift(in_64_bits(a), distance), width, a, amount, signed=signed)
            shifted = (
                np.right_shift(in_64_bits(a).view(np.int64), distance.view(np.int64)) if signed else in_64_bits(a) >> distance
            )
            return _cut(shifted.view(np.uint64), width, a, amount, signed=signed)
        case "::", [ValueColumn(kind="word") as b], _ if width + b.width <= np.iinfo(np.uint64).bits:
            bits = a.array(np.uint64) << np.uint64(b.width) | b.array(np.uint64)
            return _cut(bits, width + b.width, a, b, signed=False)
        case "signed" | "unsigned", [], _:
            return word(a.data, width, signed=op == "signed")
        case "bits", [], [high, low] if 0 <= low <= high < width:
            return _cut(a.array(np.uint64) >> np.uint64(low), high - low + 1, a, signed=False)
        case "extend", [], [more] if more >= 0:
            word_holder(width + more)
            return _cut(in_64_bits(a), width + more, a, signed=signed)
        case "resize", [], [to] if to >= 1:
            word_holder(to)
            if not signed or to >= width:
                return _cut(in_64_bits(a), to, a, signed=signed)
            bits = a.array(np.uint64)
            sign, low_bits = bits >> np.uint64(width - 1), bits & np.uint64((1 << (to - 1)) - 1)
            return _cut(sign << np.uint64(to - 1) | low_bits, to, a, signed=True)
    raise NotInColumns(f"arrays cannot hold the result of '{op}' here")
