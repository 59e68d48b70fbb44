"""The types of variables: most of them finite, each with its values in a fixed order.

Integers and reals without bounds are for the SMT carrier; code that needs finite types calls `is_finite` first, or
`require_finite` for a whole machine (`model/unbounded.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import count
from typing import TypeAlias

from msgspec import Struct

from coarsest.errors import Unsupported
from coarsest.logic.expr import Value, Word
from coarsest.logic.reals import show_real


class Boolean(Struct, frozen=True):
    def values(self) -> Iterator[Value]:
        yield False
        yield True

    @property
    def size(self) -> int:
        return 2

    def __str__(self) -> str:
        return "boolean"


class Range(Struct, frozen=True):
    """The integers from `low` to `high`, both included."""

    low: int
    high: int

    def values(self) -> Iterator[Value]:
        return iter(range(self.low, self.high + 1))

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


class Enumeration(Struct, frozen=True, dict=True):
    """Symbols and integers, listed, without duplicates."""

    members: tuple[str | int, ...]

    @cached_property
    def indices(self) -> dict[str | int, int]:
        """The index of each member. There may be very many members."""
        return {member: index for index, member in enumerate(self.members)}

    def values(self) -> Iterator[Value]:
        return iter(self.members)

    @property
    def size(self) -> int:
        return len(self.members)

    def __str__(self) -> str:
        return "{" + ", ".join(map(str, self.members)) + "}"


class WordType(Struct, frozen=True):
    """Bit vectors of one width."""

    width: int
    signed: bool = False

    def values(self) -> Iterator[Value]:
        return (Word(bits, self.width, self.signed) for bits in range(1 << self.width))

    @property
    def size(self) -> int:
        return 1 << self.width

    def __str__(self) -> str:
        return f"{'signed ' if self.signed else 'unsigned '}word[{self.width}]"


class IntegerType(Struct, frozen=True):
    """All integers."""

    def values(self) -> Iterator[Value]:
        """0, 1, -1, 2, -2, … without end."""
        yield 0
        for size in count(1):
            yield size
            yield -size

    @property
    def size(self) -> int:
        raise Unsupported("the integers are not finitely many")

    def __str__(self) -> str:
        return "integer"


class RealType(Struct, frozen=True):
    """All real numbers. Values are rational numbers, as instances of Fraction."""

    def values(self) -> Iterator[Value]:
        """Every rational number once, in the order of Calkin and Wilf, each followed by its opposite, without end."""
        yield Fraction(0)
        number = Fraction(1)
        while True:
            yield number
            yield -number
            number = 1 / (2 * (number.numerator // number.denominator) - number + 1)

    @property
    def size(self) -> int:
        raise Unsupported("the real numbers are not finitely many")

    def __str__(self) -> str:
        return "real"


Type: TypeAlias = Boolean | Range | Enumeration | WordType | IntegerType | RealType


def is_finite(kind: Type) -> bool:
    return not isinstance(kind, IntegerType | RealType)


def contains(kind: Type, value: Value) -> bool:
    """Is `value` one of the type's values? (True is not 1 here.)"""
    match kind:
        case Boolean():
            return isinstance(value, bool)
        case Range(low, high):
            return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        case Enumeration():
            return isinstance(value, str | int) and not isinstance(value, bool) and value in kind.indices
        case WordType(width, signed):
            return isinstance(value, Word) and value.width == width and value.signed == signed
        case IntegerType():
            return isinstance(value, int) and not isinstance(value, bool)
        case RealType():
            return isinstance(value, int | Fraction) and not isinstance(value, bool)


def as_held(kind: Type, value: Value) -> Value:
    """A number as a variable of the type holds it: a real number is a Fraction, an integer in any other type is an int.

    >>> as_held(RealType(), 2), as_held(IntegerType(), Fraction(2)), as_held(IntegerType(), Fraction(1, 2))
    (Fraction(2, 1), 2, Fraction(1, 2))
    """
    if isinstance(kind, RealType):
        return Fraction(value) if value.__class__ is int else value
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return value


def show_value(value: Value) -> str:
    """A value in the syntax of SMV."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, Fraction):
        return show_real(value)
    return str(value)
