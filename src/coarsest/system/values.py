"""Values on all states at once: what an expression denotes before it is known which state we are in.

    a Boolean function          a boolean
    Integer(bits)               an integer, as a signed vector
    Bits(bits, signed)          a word
    Table({value: where})       a member of an enumeration: for each value, where the expression has it
    Choice([(where, value)])    any of the values whose condition holds: a non-deterministic expression
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeAlias

from coarsest.bdd.protocol import F
from coarsest.system.bitvectors import Vector


@dataclass(frozen=True, slots=True)
class Boole(Generic[F]):
    where: F


@dataclass(frozen=True, slots=True)
class Integer(Generic[F]):
    bits: Vector[F]


@dataclass(frozen=True, slots=True)
class Bits(Generic[F]):
    bits: Vector[F]
    signed: bool


@dataclass(frozen=True, slots=True)
class Table(Generic[F]):
    where: dict[str | int, F]


Single: TypeAlias = "Boole[F] | Integer[F] | Bits[F] | Table[F]"


@dataclass(frozen=True, slots=True)
class Choice(Generic[F]):
    options: tuple[tuple[F, Single[F]], ...]


Symbolic: TypeAlias = "Boole[F] | Integer[F] | Bits[F] | Table[F] | Choice[F]"
