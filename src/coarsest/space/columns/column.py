"""Values in many states at once, as NumPy arrays; what is the same in all of them is a single Python value.

A *mask* is a set of rows of a batch, and the condition over which `encode/evaluate.py` evaluates expressions here.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from coarsest.encode.values import ArrayValue
from coarsest.encode.values import Single as SingleOver
from coarsest.errors import Unsupported

Array: TypeAlias = NDArray[Any]
Flags: TypeAlias = NDArray[np.bool_]
Rows: TypeAlias = NDArray[np.signedinteger[Any]]

WIDEST: Final = 64
"""Bits of the widest word and of the largest number that an array holds."""

MOST_NUMBERS_AMONG_ATOMS: Final = 4096
"""A number that may also be a symbol has few values: each has its place among the atoms."""

_SIGNED: Final = (np.int16, np.int32, np.int64)
_UNSIGNED: Final = (np.uint8, np.uint16, np.uint32, np.uint64)


Truth: TypeAlias = "bool | Flags"


class NotInColumns(Unsupported):
    """ArrayValue cannot hold this machine; whoever explores it has to do so in another way."""


class Mask:
    """The rows in which a condition holds: an array of flags, or one truth value for all rows."""

    __slots__ = ("data",)

    def __init__(self, data: Truth) -> None:
        self.data = data

    def __and__(self, other: Mask) -> Mask:
        a, b = self.data, other.data
        if isinstance(a, bool):
            return other if a else self
        if isinstance(b, bool):
            return self if b else other
        return Mask(a & b)

    def __or__(self, other: Mask) -> Mask:
        a, b = self.data, other.data
        if isinstance(a, bool):
            return self if a else other
        if isinstance(b, bool):
            return other if b else self
        return Mask(a | b)

    def __xor__(self, other: Mask) -> Mask:
        a, b = self.data, other.data
        if isinstance(a, bool):
            return ~other if a else other
        if isinstance(b, bool):
            return ~self if b else self
        return Mask(a ^ b)

    def __invert__(self) -> Mask:
        return Mask(not self.data if isinstance(self.data, bool) else ~self.data)

    def __eq__(self, other: object) -> bool:
        """Do they hold in the same rows?"""
        if not isinstance(other, Mask):
            return NotImplemented
        a, b = self.data, other.data
        if isinstance(a, bool):
            a, b = b, a
        if isinstance(a, bool):
            return a is b
        if isinstance(b, bool):
            return bool(a.all()) if b else not a.any()
        return bool(np.array_equal(a, b))

    def __hash__(self) -> int:
        raise TypeError("a mask that holds in the same rows may be another array")


TRUE, FALSE = Mask(True), Mask(False)


class ValueColumn(ArrayValue, frozen=True, eq=False):
    """A number, a word or a member of an enumeration in each row.

    A number lies between `low` and `high`. A word is held by its bits, as a number without sign. Members of enumerations that
    have symbols are held by their places in the `SymbolTable` of the machine.
    """

    data: int | Array
    kind: Literal["number", "word", "atom"]
    low: int = 0
    high: int = 0
    width: int = 0
    signed: bool = False

    def array(self, dtype: Any) -> Array:
        """As an array of numbers of a type that can hold them; what is the same in all rows is one element, which spreads."""
        if isinstance(self.data, int):
            return np.full(1, self.data, dtype=dtype)
        return self.data.astype(dtype, copy=False)


Single: TypeAlias = "SingleOver[Mask]"


def number(data: int | Array, low: int, high: int) -> ValueColumn:
    return ValueColumn(data, "number", low, high)


def word(data: int | Array, width: int, *, signed: bool) -> ValueColumn:
    return ValueColumn(data, "word", 0, (1 << width) - 1, width, signed)


def atom(data: int | Array) -> ValueColumn:
    return ValueColumn(data, "atom")


def holder(low: int, high: int) -> Any:
    """The type of the arrays of numbers within these bounds: two bytes or more, so that it seldom has to be changed."""
    for kind in _SIGNED:
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return kind
    raise NotInColumns(f"arrays cannot hold numbers from {low} to {high}")


def word_holder(width: int) -> Any:
    """The type of the arrays of words of this width."""
    for kind in _UNSIGNED:
        if width <= np.iinfo(kind).bits:
            return kind
    raise NotInColumns(f"arrays cannot hold words of {width} bits: {WIDEST} are the most")


def own_holder(column: ValueColumn) -> Any:
    return word_holder(column.width) if column.kind == "word" else holder(column.low, column.high)


def nonzero(b: Array) -> Array:
    """The divisor; a result by 0 is undefined, and anything will do."""
    return np.where(b == 0, b.dtype.type(1), b)


def taken(data: Any, rows: Rows | None) -> Any:
    """The values in some of the rows."""
    return data if rows is None or isinstance(data, int) else data[rows]


def as_value(result: Array, *operands: ValueColumn) -> int | Array:
    """A result of NumPy; of operands that are the same in all rows, as one number."""
    if all(isinstance(operand.data, int) for operand in operands):
        return int(result[0])
    return result


def as_mask(result: Array, *operands: ValueColumn) -> Mask:
    if all(isinstance(operand.data, int) for operand in operands):
        return Mask(bool(result[0]))
    return Mask(cast("Flags", result))


class SymbolTable:
    """The members of enumerations that have symbols, and the numbers among them, each with its place."""

    def __init__(self) -> None:
        self.places: dict[tuple[bool, str | int], int] = {}
        self.values: list[str | int] = []

    def place(self, value: str | int) -> int:
        """The place of a value, a new one if it has none."""
        key = isinstance(value, str), value
        if key not in self.places:
            self.places[key] = len(self.values)
            self.values.append(value)
        return self.places[key]

    def numbers(self) -> tuple[Flags, NDArray[np.int64]]:
        """Which of the places hold numbers, and these numbers."""
        flags = np.array([isinstance(value, int) for value in self.values], dtype=np.bool_)
        return flags, np.array([value if isinstance(value, int) else 0 for value in self.values], dtype=np.int64)
