"""The types of variables: finite, each with its values in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from coarsest.logic.expr import Value, Word


@dataclass(frozen=True, slots=True)
class Boolean:
    def values(self) -> Iterator[Value]:
        yield False
        yield True

    @property
    def size(self) -> int:
        return 2

    def __str__(self) -> str:
        return "boolean"


@dataclass(frozen=True, slots=True)
class Range:
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


@dataclass(frozen=True, slots=True)
class Enumeration:
    """Symbols and integers, listed, without duplicates."""

    members: tuple[str | int, ...]

    def values(self) -> Iterator[Value]:
        return iter(self.members)

    @property
    def size(self) -> int:
        return len(self.members)

    def __str__(self) -> str:
        return "{" + ", ".join(map(str, self.members)) + "}"


@dataclass(frozen=True, slots=True)
class WordType:
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


Type: TypeAlias = Boolean | Range | Enumeration | WordType


def contains(kind: Type, value: Value) -> bool:
    """Is `value` one of the type's values? (True is not 1 here.)"""
    match kind:
        case Boolean():
            return isinstance(value, bool)
        case Range(low, high):
            return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        case Enumeration(members):
            return not isinstance(value, bool | Word) and value in members
        case WordType(width, signed):
            return isinstance(value, Word) and value.width == width and value.signed == signed


def show_value(value: Value) -> str:
    """A value as SMV writes it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return str(value)
