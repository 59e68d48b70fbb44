"""The operators of expressions, on columns.

The meaning of each operator is fixed in `logic/expr.py`. A number carries bounds, so that no array overflows: the type of
a result is chosen by the bounds of the operands. Where an operator has no value (`undefined`), the column holds anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import and_, or_
from typing import Any, Final

import numpy as np

from coarsest.encode.values import Boole
from coarsest.logic.expr import Value, Word
from coarsest.space.columns.column import (
    FALSE,
    MOST_NUMBERS_AMONG_ATOMS,
    TRUE,
    Array,
    Mask,
    NotInColumns,
    Single,
    SymbolTable,
    ValueColumn,
    as_mask,
    as_value,
    atom,
    holder,
    nonzero,
    number,
    own_holder,
    word,
    word_holder,
)
from coarsest.space.columns.word_operators import in_64_bits, in_order, on_words, reshaped

LOGICAL: Final = frozenset({"not", "and", "or", "xor", "xnor", "iff", "implies"})
ORDER: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip

CONVERSIONS: Final = frozenset({"<<", ">>", "::", "bits", "signed", "unsigned", "extend", "resize", "word1", "toint", "bool"})


class ColumnOperators:
    """Operators over the columns of one machine."""

    def __init__(self, atoms: SymbolTable) -> None:
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
        return self._equal_columns(a, b) if isinstance(a, ValueColumn) and isinstance(b, ValueColumn) else FALSE

    def _equal_columns(self, a: ValueColumn, b: ValueColumn) -> Mask:
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

    def _atom_is_number(self, a: ValueColumn, b: ValueColumn) -> Mask:
        flags, numbers = self.atoms.numbers()
        places = a.array(np.int64)
        return as_mask(flags[places] & (numbers[places] == b.array(np.int64)), a, b)

    def _compared(self, compare: Callable[[Any, Any], Any], a: ValueColumn, b: ValueColumn) -> Mask:
        kind = holder(min(a.low, b.low), max(a.high, b.high))
        return as_mask(compare(a.array(kind), b.array(kind)), a, b)

    def _order(self, op: str, a: Single, b: Single) -> Mask:
        if isinstance(a, ValueColumn) and isinstance(b, ValueColumn) and a.kind == b.kind == "number":
            return self._compared(ORDER[op], a, b)
        left, right = _words(op, a, b)
        return as_mask(ORDER[op](in_order(left), in_order(right)), left, right)

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
        return ValueColumn(data, columns[0].kind, low, high, columns[0].width, columns[0].signed)

    def _alike(self, values: Sequence[Single]) -> list[ValueColumn]:
        columns = [value for value in values if isinstance(value, ValueColumn)]
        if len({(column.kind, column.width, column.signed) for column in columns}) == 1 and len(columns) == len(values):
            return columns
        if len(columns) < len(values) or any(column.kind == "word" for column in columns):
            raise NotInColumns("arrays cannot hold values of different types together")
        return [self._as_atom(column) for column in columns]

    def _as_atom(self, column: ValueColumn) -> ValueColumn:
        if column.kind == "atom":
            return column
        if column.high - column.low >= MOST_NUMBERS_AMONG_ATOMS:
            raise NotInColumns("arrays cannot hold symbols and many numbers together")
        places = np.array([self.atoms.place(value) for value in range(column.low, column.high + 1)], dtype=np.int64)
        return atom(as_value(places[column.array(np.int64) - column.low], column))

    # Where an operator has no value

    def undefined(self, op: str, args: Sequence[Single]) -> Mask:
        match op, args:
            case (("/" | "mod"), (_, ValueColumn() as divisor)):
                if divisor.kind == "number" and not divisor.low <= 0 <= divisor.high:
                    return FALSE
                return as_mask(divisor.array(own_holder(divisor)) == 0, divisor)
            case (("<<" | ">>"), (ValueColumn(kind="word", width=width), ValueColumn() as amount)):
                if amount.kind == "number" and amount.low >= 0 and amount.high <= width:
                    return FALSE
                distance = amount.array(own_holder(amount))
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
            return _on_numbers(op, [arg for arg in args if isinstance(arg, ValueColumn)])
        if op in _ARITHMETIC:
            return on_words(op, _words(op, *args))
        if op == "count":
            return _count(args)
        return _converted(op, args, parameters)


def _are_numbers(*values: Single) -> bool:
    return all(isinstance(value, ValueColumn) and value.kind == "number" for value in values)


def _words(op: str, *values: Single) -> list[ValueColumn]:
    """The operands, if they are words of one type."""
    words = [value for value in values if isinstance(value, ValueColumn) and value.kind == "word"]
    if len(words) < len(values) or len({(one.width, one.signed) for one in words}) != 1:
        raise _misfit(op)
    return words


def _misfit(op: str) -> NotInColumns:
    return NotInColumns(f"'{op}' does not fit its operands")


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


def _count(args: Sequence[Single]) -> ValueColumn:
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


def _bounds(op: str, a: ValueColumn, b: ValueColumn) -> tuple[int, int]:
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


def _on_numbers(op: str, args: Sequence[ValueColumn]) -> ValueColumn:
    a = args[0]
    if len(args) == 1:
        low, high = (-a.high, -a.low) if op == "neg" else (max(0, a.low, -a.high), max(abs(a.low), abs(a.high)))
        kind = holder(min(low, a.low), max(high, a.high))
        return number(as_value((np.negative if op == "neg" else np.abs)(a.array(kind)), a), low, high)
    b = args[1]
    low, high = _bounds(op, a, b)
    kind = holder(min(low, a.low, b.low), max(high, a.high, b.high))
    return number(as_value(_ARITHMETIC[op](a.array(kind), b.array(kind)), a, b), low, high)


def _remainder(a: Array, b: Array) -> Array:
    """It has the sign of `a`."""
    result: Array = np.fmod(a, nonzero(b))
    return result


def _quotient(a: Array, b: Array) -> Array:
    """Towards zero, as in C."""
    b = nonzero(b)
    result: Array = (a - np.fmod(a, b)) // b
    return result


_ARITHMETIC: Final[Mapping[str, Callable[..., Any]]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "min": np.minimum, "max": np.maximum,
    "/": _quotient, "mod": _remainder, "neg": np.negative, "abs": np.abs,
}  # fmt: skip

OPERATORS: Final = frozenset(
    {*LOGICAL, *ORDER, *_ARITHMETIC, *CONVERSIONS, "=", "!=", "count", "set", "union", "in", "case", "next"}
)


def _converted(op: str, args: Sequence[Single], parameters: Sequence[int]) -> Single:
    a = args[0]
    match op, a:
        case "toint", Boole(Mask(data=data)):
            return number(int(data), int(data), int(data)) if isinstance(data, bool) else number(data.astype(np.int16), 0, 1)
        case "word1", Boole(Mask(data=data)):
            return word(int(data) if isinstance(data, bool) else data.astype(np.uint8), 1, signed=False)
        case "bool", Boole():
            return a
        case ("toint", ValueColumn(kind="number")):
            return a
        case "bool", ValueColumn(kind="number" | "word"):
            return Boole(as_mask(a.array(own_holder(a)) != 0, a))
        case "toint", ValueColumn(kind="word", width=width, signed=signed):
            low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
            return number(as_value(in_64_bits(a).view(np.int64).astype(holder(low, high)), a), low, high)
        case _, ValueColumn(kind="word"):
            return reshaped(op, a, args, parameters)
    raise _misfit(op)
