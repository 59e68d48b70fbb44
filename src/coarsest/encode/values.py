"""Values on all states at once: what an expression denotes before it is known which state we are in.

    a Boolean function          a boolean
    Integer(bits)               an integer, as a signed vector
    WordBits(bits, signed)          a word
    MemberTable({value: where})       a member of an enumeration: for each value, where the expression has it
    SolverNumber(term)                an integer or a real as a term of an SMT solver, whose conditions are formulas
    SymbolicChoice([(where, value)])    any of the values whose condition holds: a non-deterministic expression
    ArrayValue(data)            a number, a word or a symbol in each of many listed states
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


class WordBits(Struct, Generic[F], frozen=True):
    bits: Vector[F]
    signed: bool


class MemberTable(Struct, Generic[F], frozen=True):
    where: dict[str | int, F]
    index: tuple[F, ...] = ()
    """Of a variable in formulas, the bits that hold the index of the member."""


class SolverNumber(Struct, frozen=True):
    term: Any

    @property
    def is_real(self) -> bool:
        return bool(self.term.is_real())


class ArrayValue(Struct, frozen=True, eq=False):
    data: Any


Single: TypeAlias = "Boole[F] | Integer[F] | WordBits[F] | MemberTable[F] | SolverNumber | ArrayValue"


class SymbolicChoice(Struct, Generic[F], frozen=True):
    options: tuple[tuple[F, Single[F]], ...]


Symbolic: TypeAlias = "Boole[F] | Integer[F] | WordBits[F] | MemberTable[F] | SolverNumber | ArrayValue | SymbolicChoice[F]"


def functions_in(value: Symbolic[F]) -> Iterator[F]:
    """The Boolean functions that a value is made of."""
    match value:
        case Boole(where):
            yield where
        case Integer(bits) | WordBits(bits):
            yield from bits
        case MemberTable(table):
            yield from table.values()
        case SymbolicChoice(options):
            for condition, option in options:
                yield condition
                yield from functions_in(option)


def merged(options: Sequence[tuple[F, Single[F]]]) -> Symbolic[F]:
    """One of the options, by its condition; a single one is what it is."""
    return options[0][1] if len(options) == 1 else SymbolicChoice(tuple(options))
