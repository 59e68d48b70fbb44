"""Values on all states at once: what an expression denotes before it is known which state we are in.

    a Boolean function          a boolean
    Integer(bits)               an integer, as a signed vector
    Bits(bits, signed)          a word
    Table({value: where})       a member of an enumeration: for each value, where the expression has it
    Number(term)                an integer or a real as a term of an SMT solver, whose conditions are formulas
    Choice([(where, value)])    any of the values whose condition holds: a non-deterministic expression
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeAlias

from msgspec import Struct

from coarsest.bdd.protocol import F
from coarsest.encode.bitvectors import Vector


class Boole(Struct, Generic[F], frozen=True):
    where: F


class Integer(Struct, Generic[F], frozen=True):
    bits: Vector[F]


class Bits(Struct, Generic[F], frozen=True):
    bits: Vector[F]
    signed: bool


class Table(Struct, Generic[F], frozen=True):
    where: dict[str | int, F]
    index: tuple[F, ...] = ()
    """Of a variable in formulas, the bits that hold the index of the member."""


class Number(Struct, frozen=True):
    term: Any

    @property
    def is_real(self) -> bool:
        return bool(self.term.is_real())


Single: TypeAlias = "Boole[F] | Integer[F] | Bits[F] | Table[F] | Number"


class Choice(Struct, Generic[F], frozen=True):
    options: tuple[tuple[F, Single[F]], ...]


Symbolic: TypeAlias = "Boole[F] | Integer[F] | Bits[F] | Table[F] | Number | Choice[F]"


def functions_in(value: Symbolic[F]) -> Iterator[F]:
    """The Boolean functions that a value is made of."""
    match value:
        case Boole(where):
            yield where
        case Integer(bits) | Bits(bits):
            yield from bits
        case Table(table):
            yield from table.values()
        case Choice(options):
            for condition, option in options:
                yield condition
                yield from functions_in(option)


def merged(options: Sequence[tuple[F, Single[F]]]) -> Symbolic[F]:
    """One of the options, by its condition; a single one is what it is."""
    return options[0][1] if len(options) == 1 else Choice(tuple(options))
