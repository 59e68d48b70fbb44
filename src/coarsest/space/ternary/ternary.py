"""Bits that may be unknown: 0, 1 or X, each a pair of Boolean functions.

Reference: Seger, Bryant 1995, section 2 (the lattice of 0, 1, X and ⊤, in dual-rail encoding).
Symbols:   `one` and `zero` say where a bit may be 1 and where it may be 0; X is where both, ⊤ where neither.
Invariant: an operator on pairs contains what it gives on all values that the pairs allow: what is known stays right when more
           gets to be known.
Deviates:  a choice between two values is known where both are the same, also if the condition is not known.
Cost:      two to four operations of the engine for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic

from coarsest.bdd.protocol import F, Manager
from coarsest.encode.operators import VectorOperators
from coarsest.encode.values import Boole, Integer, MemberTable, Single, WordBits


class Rails(Generic[F]):
    """A bit that may be unknown, for all values of the variables that are kept.

    Two of them are equal only if they are surely the same bit: two unknown bits may differ.
    """

    __slots__ = ("nowhere", "one", "zero")

    def __init__(self, one: F, zero: F, nowhere: F) -> None:
        self.one, self.zero, self.nowhere = one, zero, nowhere

    def __and__(self, other: Rails[F]) -> Rails[F]:
        return Rails(self.one & other.one, self.zero | other.zero, self.nowhere)

    def __or__(self, other: Rails[F]) -> Rails[F]:
        return Rails(self.one | other.one, self.zero & other.zero, self.nowhere)

    def __xor__(self, other: Rails[F]) -> Rails[F]:
        one = (self.one & other.zero) | (self.zero & other.one)
        zero = (self.one & other.one) | (self.zero & other.zero)
        return Rails(one, zero, self.nowhere)

    def __invert__(self) -> Rails[F]:
        return Rails(self.zero, self.one, self.nowhere)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        same = isinstance(other, Rails) and self.one == other.one and self.zero == other.zero
        return same and (self.one & self.zero) == self.nowhere

    def __hash__(self) -> int:
        return hash((self.one, self.zero))

    def within(self, domain: F) -> Rails[F]:
        """The same bit, where the domain is."""
        return Rails(self.one & domain, self.zero & domain, self.nowhere)


class RailManager(Generic[F]):
    """What an encoder of expressions asks of a manager, on rails: `lookup` gives the bits of variables, by their places."""

    def __init__(self, manager: Manager[F], lookup: Callable[[int], Rails[F]]) -> None:
        self.manager = manager
        self.var = lookup
        self.true: Rails[F] = Rails(manager.true, manager.false, manager.false)
        self.false: Rails[F] = Rails(manager.false, manager.true, manager.false)

    def ite(self, condition: Rails[F], then: Rails[F], otherwise: Rails[F]) -> Rails[F]:
        return self.hull(((condition, then), (~condition, otherwise)))

    def hull(self, branches: Iterable[tuple[Rails[F], Rails[F]]]) -> Rails[F]:
        """The value of a branch whose condition may hold."""
        one = zero = self.manager.false
        for condition, value in branches:
            one = one | (condition.one & value.one)
            zero = zero | (condition.one & value.zero)
        return Rails(one, zero, self.manager.false)

    def tidy(self) -> None:
        self.manager.tidy()


class TernaryOperators(VectorOperators[Rails[F]]):
    """The operators of expressions on rails; those that choose between values know what all the values agree on."""

    def __init__(self, manager: RailManager[F]) -> None:
        super().__init__(manager)  # type: ignore[arg-type]  # as much of a manager as operators need
        self.rails = manager

    def choose(self, branches: Sequence[tuple[Rails[F], Single[Rails[F]]]]) -> Single[Rails[F]]:
        """The value of a branch whose condition may hold; one of them does."""
        values = [value for _, value in branches]
        first = values[0]
        if len(branches) == 1:
            return first
        conditions = [condition for condition, _ in branches]
        if isinstance(first, Boole):
            return Boole(self._hulls(conditions, [(self._boole(value),) for value in values])[0])
        if isinstance(first, WordBits):
            words = [value.bits for value in values if isinstance(value, WordBits)]
            return WordBits(self._hulls(conditions, words), first.signed)
        if all(isinstance(value, Integer) for value in values):
            vectors = [self.integer(value) for value in values]
            width = max(map(len, vectors))
            wide = [self.vectors.widen(vector, width, signed=True) for vector in vectors]
            return Integer(self.vectors.shorten(self._hulls(conditions, wide)))
        tables = [self.table(value) for value in values]
        members = list(dict.fromkeys(member for table in tables for member in table))
        rows = [tuple(table.get(member, self.false) for member in members) for table in tables]
        return MemberTable(dict(zip(members, self._hulls(conditions, rows))))

    def _hulls(self, conditions: Sequence[Rails[F]], rows: Sequence[tuple[Rails[F], ...]]) -> tuple[Rails[F], ...]:
        return tuple(self.rails.hull(zip(conditions, column)) for column in zip(*rows, strict=True))
