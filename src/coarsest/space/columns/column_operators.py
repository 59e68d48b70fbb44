"""The operators of expressions, on columns.

The meaning of each operator is fixed in `logic/expr.py`. A number carries bounds, so that no array overflows: the type of
a result is chosen by the bounds of the operands. Where an operator has no value (`undefined`), the column holds anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import and_, or_
from typing import Any, Final, TypeAlias

import numpy as np

from coarsest.encode.values import Boole
from coarsest.encode.values import Single as SingleOver
from coarsest.logic.expr import Value, Word
from coarsest.space.columns.column import (
    FALSE,
    MOST_NUMBERS_AMONG_ATOMS,
    TRUE,
    Array,
    Atoms,
    Column,
    Mask,
    NotInColumns,
    as_mask,
    as_value,
    atom,
    holder,
    number,
    word,
    word_holder,
)

Single: TypeAlias = "SingleOver[Mask]"

LOGICAL: Final = frozenset({"not", "and", "or", "xor", "xnor", "iff", "implies"})
ORDER: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip

CONVERSIONS: Final = frozenset({"<<", ">>", "::", "bits", "signed", "unsigned", "extend", "resize", "word1", "toint", "bool"})


class ColumnOperators:
    """Operators over the columns of one machine."""

    def __init__(self, atoms: Atoms) -> None:
        self.atoms = atoms

    def constant(self, value: Value) -> Single:
        match value:
            case bool():
                return Boole(TRUE if value else FALSE)
            case int():
                holder(value, value)
                return number(value, value, value)
            case str():
                return atom(self.atoms.place(value))
            case Word(bits, width, signed):
                word_holder(width)
                return word(bits, width, signed=signed)
            case Fraction():
                raise NotInColumns("arrays cannot hold real numbers")

    # Equality and order

    def equal(self, a: Single, b: Single) -> Mask:
        """Values of different kinds are not equal."""
        if isinstance(a, Boole) and isinstance(b, Boole):
            return ~(a.where ^ b.where)
        return self._equal_columns(a, b) if isinstance(a, Column) and isinstance(b, Column) else FALSE

    def _equal_columns(self, a: Column, b: Column) -> Mask:
        match a.kind, b.kind:
            case "number", "number":
                return FALSE if a.high < b.low or b.high < a.low else self._compared(np.equal, a, b)
            case "atom", "atom":
                return as_mask(np.equal(a.array(np.int32), b.array(np.int32)), a, b)
            case "atom", "number":
                return self._atom_is_number(a, b)
            case "number", "atom":
                return self._atom_is_number(b, a)
            case "word", "word" if (a.width, a.signed) == (b.width, b.signed):
                kind = word_holder(a.width)
                return as_mask(np.equal(a.array(kind), b.array(kind)), a, b)
        return FALSE

    def _atom_is_number(self, a: Column, b: Column) -> Mask:
        flags, numbers = self.atoms.numbers()
        places = a.array(np.int64)
        return as_mask(flags[places] & (numbers[places] == b.array(np.int64)), a, b)

    def _compared(self, compare: Callable[[Any, Any], Any], a: Column, b: Column) -> Mask:
        kind = holder(min(a.low, b.low), max(a.high, b.high))
        return as_mask(compare(a.array(kind), b.array(kind)), a, b)

    def _order(self, op: str, a: Single, b: Single) -> Mask:
        if isinstance(a, Column) and isinstance(b, Column) and a.kind == b.kind == "number":
            return self._compared(ORDER[op], a, b)
        left, right = _words(op, a, b)
        return as_mask(ORDER[op](_ordered(left), _ordered(right)), left, right)

    # Choosing

    def choose(self, branches: Sequence[tuple[Mask, Single]]) -> Single:
        """The value of the branch whose condition holds; the last branch takes the rest."""
        values = [value for _, value in branches]
        if all(value is values[0] for value in values):
            return values[0]
        truths = [value.where for value in values if isinstance(value, Boole)]
        if len(truths) == len(values):
            return Boole(reduce(or_, (condition & truth for (condition, _), truth in zip(branches, truths))))
        columns = self._alike(values)
        low, high = min(column.low for column in columns), max(column.high for column in columns)
        if columns[0].kind == "word":
            kind = word_holder(columns[0].width)
        else:
            kind = holder(0, len(self.atoms.values)) if columns[0].kind == "atom" else holder(low, high)
        data: int | Array = columns[-1].data
        for (condition, _), column in zip(reversed(branches[:-1]), reversed(columns[:-1])):
            flags = condition.data
            if isinstance(flags, bool):
                data = column.data if flags else data
            elif not (isinstance(data, int) and isinstance(column.data, int) and data == column.data):
                rest = np.full(1, data, dtype=kind) if isinstance(data, int) else data.astype(kind, copy=False)
                data = np.where(flags, column.array(kind), rest)
        return Column(data, columns[0].kind, low, high, columns[0].width, columns[0].signed)

    def _alike(self, values: Sequence[Single]) -> list[Column]:
        columns = [value for value in values if isinstance(value, Column)]
        if len({(column.kind, column.width, column.signed) for column in columns}) == 1 and len(columns) == len(values):
            return columns
        if len(columns) < len(values) or any(column.kind == "word" for column in columns):
            raise NotInColumns("arrays cannot hold values of different types together")
        return [self._as_atom(column) for column in columns]

    def _as_atom(self, column: Column) -> Column:
        if column.kind == "atom":
            return column
        if column.high - column.low >= MOST_NUMBERS_AMONG_ATOMS:
            raise NotInColumns("arrays cannot hold symbols and many numbers together")
        places = np.array([self.atoms.place(value) for value in range(column.low, column.high + 1)], dtype=np.int64)
        return atom(as_value(places[column.array(np.int64) - column.low], column))

    # Where an operator has no value

    def undefined(self, op: str, args: Sequence[Single]) -> Mask:
        match op, args:
            case (("/" | "mod"), (_, Column() as divisor)):
                if divisor.kind == "number" and not divisor.low <= 0 <= divisor.high:
                    return FALSE
                return as_mask(divisor.array(_own_holder(divisor)) == 0, divisor)
            case (("<<" | ">>"), (Column(kind="word", width=width), Column() as amount)):
                if amount.kind == "number" and amount.low >= 0 and amount.high <= width:
                    return FALSE
                distance = amount.array(_own_holder(amount))
                return as_mask((distance < 0) | (distance > width), amount)
        return FALSE

    # All of them

    def apply(self, op: str, args: Sequence[Single], parameters: Sequence[int] = ()) -> Single:
        """The value of an operator; `parameters` are the constant bounds of `bits`, `extend`, `resize`."""
        if op in LOGICAL:
            return _logical(op, args)
        if op in ("=", "!="):
            same = self.equal(args[0], args[1])
            return Boole(same if op == "=" else ~same)
        if op in ORDER:
            return Boole(self._order(op, args[0], args[1]))
        if op in _ARITHMETIC and _are_numbers(*args):
            return _on_numbers(op, [arg for arg in args if isinstance(arg, Column)])
        if op in _ARITHMETIC:
            return _on_words(op, _words(op, *args))
        if op == "count":
            return _count(args)
        return _converted(op, args, parameters)


def _are_numbers(*values: Single) -> bool:
    return all(isinstance(value, Column) and value.kind == "number" for value in values)


def _words(op: str, *values: Single) -> list[Column]:
    """The operands, if they are words of one type."""
    words = [value for value in values if isinstance(value, Column) and value.kind == "word"]
    if len(words) < len(values) or len({(one.width, one.signed) for one in words}) != 1:
        raise _misfit(op)
    return words


def _misfit(op: str) -> NotInColumns:
    return NotInColumns(f"'{op}' does not fit its operands")


def _own_holder(column: Column) -> Any:
    return word_holder(column.width) if column.kind == "word" else holder(column.low, column.high)


def _logical(op: str, args: Sequence[Single]) -> Single:
    truths = [arg.where for arg in args if isinstance(arg, Boole)]
    if truths:
        if len(truths) < len(args):
            raise _misfit(op)
        return Boole(_joined(op, truths))
    words = _words(op, *args)
    kind, width = word_holder(words[0].width), words[0].width
    result = _joined(op, [one.array(kind) for one in words]) & kind((1 << width) - 1)
    return word(as_value(result, *words), width, signed=words[0].signed)


def _joined(op: str, operands: Sequence[Any]) -> Any:
    match op:
        case "not":
            return ~operands[0]
        case "and":
            return reduce(and_, operands)
        case "or":
            return reduce(or_, operands)
        case "xor":
            return operands[0] ^ operands[1]
        case "implies":
            return ~operands[0] | operands[1]
    return ~(operands[0] ^ operands[1])


def _count(args: Sequence[Single]) -> Column:
    truths = [arg.where for arg in args if isinstance(arg, Boole)]
    if len(truths) < len(args):
        raise _misfit("count")
    always = sum(1 for truth in truths if truth.data is True)
    arrays = [truth.data for truth in truths if not isinstance(truth.data, bool)]
    if not arrays:
        return number(always, always, always)
    kind = holder(0, len(args))
    total = reduce(np.add, (flags.astype(kind) for flags in arrays)) + kind(always)
    return number(total, always, always + len(arrays))


# Numbers


def _bounds(op: str, a: Column, b: Column) -> tuple[int, int]:
    """Between which numbers a result lies."""
    match op:
        case "+":
            return a.low + b.low, a.high + b.high
        case "-":
            return a.low - b.high, a.high - b.low
        case "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return min(corners), max(corners)
        case "min":
            return min(a.low, b.low), min(a.high, b.high)
        case "max":
            return max(a.low, b.low), max(a.high, b.high)
    size, divisor = max(abs(a.low), abs(a.high)), max(abs(b.low), abs(b.high))
    if op == "mod":
        size = min(size, max(divisor - 1, 0))
        return (0 if a.low >= 0 else -size), (0 if a.high <= 0 else size)
    return (0 if a.low >= 0 and b.low >= 0 else -size), size


def _on_numbers(op: str, args: Sequence[Column]) -> Column:
    a = args[0]
    if len(args) == 1:
        low, high = (-a.high, -a.low) if op == "neg" else (max(0, a.low, -a.high), max(abs(a.low), abs(a.high)))
        kind = holder(min(low, a.low), max(high, a.high))
        return number(as_value((np.negative if op == "neg" else np.abs)(a.array(kind)), a), low, high)
    b = args[1]
    low, high = _bounds(op, a, b)
    kind = holder(min(low, a.low, b.low), max(high, a.high, b.high))
    return number(as_value(_ARITHMETIC[op](a.array(kind), b.array(kind)), a, b), low, high)


def _nonzero(b: Array) -> Array:
    """The divisor; a result by 0 is undefined, and anything will do."""
    return np.where(b == 0, b.dtype.type(1), b)


def _remainder(a: Array, b: Array) -> Array:
    """It has the sign of `a`."""
    result: Array = np.fmod(a, _nonzero(b))
    return result


def _quotient(a: Array, b: Array) -> Array:
    """Towards zero, as in C."""
    b = _nonzero(b)
    result: Array = (a - np.fmod(a, b)) // b
    return result


_ARITHMETIC: Final[Mapping[str, Callable[..., Any]]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "min": np.minimum, "max": np.maximum,
    "/": _quotient, "mod": _remainder, "neg": np.negative, "abs": np.abs,
}  # fmt: skip

OPERATORS: Final = frozenset(
    {*LOGICAL, *ORDER, *_ARITHMETIC, *CONVERSIONS, "=", "!=", "count", "set", "union", "in", "case", "next"}
)


# Words


def _long(column: Column) -> Array:
    """The bits of a word in 64 bits, in which a signed one has its sign: arithmetic modulo 2^64 is right on them."""
    bits = column.array(np.uint64)
    if not column.signed:
        return bits
    sign = np.uint64(1 << (column.width - 1))
    return (bits ^ sign) - sign


def _ordered(column: Column) -> Array:
    """Numbers without sign in the order of the words."""
    kind = word_holder(column.width)
    bits = column.array(kind)
    return bits ^ kind(1 << (column.width - 1)) if column.signed else bits


def _cut(result: Array, width: int, *operands: Column, signed: bool) -> Column:
    """The lowest bits of a result in 64 bits."""
    bits = (result & np.uint64((1 << width) - 1)).astype(word_holder(width))
    return word(as_value(bits, *operands), width, signed=signed)


def _is_negative(bits: Array) -> Array:
    return bits.view(np.int64) < 0


def _magnitude(column: Column) -> Array:
    bits = _long(column)
    return np.where(_is_negative(bits), np.uint64(0) - bits, bits) if column.signed else bits


def _on_words(op: str, args: Sequence[Column]) -> Column:
    a, width, signed = args[0], args[0].width, args[0].signed
    if op == "neg":
        return _cut(np.uint64(0) - _long(a), width, a, signed=signed)
    if op == "abs":
        return _cut(_magnitude(a), width, a, signed=signed)
    b = args[1]
    if op in ("min", "max"):
        first = _ordered(a) <= _ordered(b) if op == "min" else _ordered(a) >= _ordered(b)
        return _cut(np.where(first, _long(a), _long(b)), width, a, b, signed=signed)
    if op in ("+", "-", "*"):
        return _cut(_ARITHMETIC[op](_long(a), _long(b)), width, a, b, signed=signed)
    x, y = _magnitude(a), _nonzero(_magnitude(b))
    result = x // y if op == "/" else x % y
    if signed:
        opposite = _is_negative(_long(a)) ^ _is_negative(_long(b)) if op == "/" else _is_negative(_long(a))
        result = np.where(opposite, np.uint64(0) - result, result)
    return _cut(result, width, a, b, signed=signed)


def _converted(op: str, args: Sequence[Single], parameters: Sequence[int]) -> Single:
    a = args[0]
    match op, a:
        case "toint", Boole(Mask(data=data)):
            return number(int(data), int(data), int(data)) if isinstance(data, bool) else number(data.astype(np.int16), 0, 1)
        case "word1", Boole(Mask(data=data)):
            return word(int(data) if isinstance(data, bool) else data.astype(np.uint8), 1, signed=False)
        case "bool", Boole():
            return a
        case ("toint", Column(kind="number")):
            return a
        case "bool", Column(kind="number" | "word"):
            return Boole(as_mask(a.array(_own_holder(a)) != 0, a))
        case "toint", Column(kind="word", width=width, signed=signed):
            low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
            return number(as_value(_long(a).view(np.int64).astype(holder(low, high)), a), low, high)
        case _, Column(kind="word"):
            return _reshaped(op, a, args, parameters)
    raise _misfit(op)


def _reshaped(op: str, a: Column, args: Sequence[Single], parameters: Sequence[int]) -> Column:
    """Words made of the bits of words."""
    width, signed = a.width, a.signed
    match op, args[1:], parameters:
        case "<<" | ">>", [Column(kind="number" | "word") as amount], _ if not amount.signed:
            distance = np.clip(amount.array(_own_holder(amount)), 0, width).astype(np.uint64)
            if op == "<<":
                return _cut(np.left_shift(_long(a), distance), width, a, amount, signed=signed)
            shifted = np.right_shift(_long(a).view(np.int64), distance.view(np.int64)) if signed else _long(a) >> distance
            return _cut(shifted.view(np.uint64), width, a, amount, signed=signed)
        case "::", [Column(kind="word") as b], _ if width + b.width <= np.iinfo(np.uint64).bits:
            bits = a.array(np.uint64) << np.uint64(b.width) | b.array(np.uint64)
            return _cut(bits, width + b.width, a, b, signed=False)
        case "signed" | "unsigned", [], _:
            return word(a.data, width, signed=op == "signed")
        case "bits", [], [high, low] if 0 <= low <= high < width:
            return _cut(a.array(np.uint64) >> np.uint64(low), high - low + 1, a, signed=False)
        case "extend", [], [more] if more >= 0:
            word_holder(width + more)
            return _cut(_long(a), width + more, a, signed=signed)
        case "resize", [], [to] if to >= 1:
            word_holder(to)
            if not signed or to >= width:
                return _cut(_long(a), to, a, signed=signed)
            bits = a.array(np.uint64)
            sign, low_bits = bits >> np.uint64(width - 1), bits & np.uint64((1 << (to - 1)) - 1)
            return _cut(sign << np.uint64(to - 1) | low_bits, to, a, signed=True)
    raise NotInColumns(f"arrays cannot hold the result of '{op}' here")
