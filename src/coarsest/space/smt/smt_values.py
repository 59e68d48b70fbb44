"""What an expression is to the SMT carrier: a truth, a number, or a symbol among several, each over z3 terms.

The counterpart of `encode/values.py` for BDDs. Nothing here asks the solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from coarsest.errors import TypeProblem

if TYPE_CHECKING:
    import z3


class Truth(Struct, frozen=True):
    term: z3.BoolRef


class Number(Struct, frozen=True):
    """An integer or a real, as its sort says."""

    term: z3.ArithRef

    @property
    def real(self) -> bool:
        return bool(self.term.is_real())


class Symbol(Struct, frozen=True):
    """One of several symbols (or integers, where a type mixes them), each with the condition under which it is the one.

    Of a variable, the bits that hold the index of the member are known as well.
    """

    where: dict[str | int, z3.BoolRef]
    bits: tuple[z3.BoolRef, ...] = ()


Single: TypeAlias = Truth | Number | Symbol
Option: TypeAlias = "tuple[z3.BoolRef, Single]"
"""A value that an expression may have, and the condition under which it may."""


class Values:
    """Operations on values, over one z3 context."""

    def __init__(self, z3: Any, context: Any) -> None:
        self.z3 = z3
        self.context = context
        self.true = z3.BoolVal(True, context)
        self.false = z3.BoolVal(False, context)

    def both(self, *conditions: z3.BoolRef) -> z3.BoolRef:
        """All of the conditions, constants left out."""
        z3 = self.z3
        kept = [c for c in conditions if not z3.is_true(c)]
        if any(z3.is_false(c) for c in kept):
            return self.false
        return self.true if not kept else kept[0] if len(kept) == 1 else z3.And(kept)

    def either(self, *conditions: z3.BoolRef) -> z3.BoolRef:
        """Some of the conditions, constants left out."""
        z3 = self.z3
        kept = [c for c in conditions if not z3.is_false(c)]
        if any(z3.is_true(c) for c in kept):
            return self.true
        return self.false if not kept else kept[0] if len(kept) == 1 else z3.Or(kept)

    def opposite(self, condition: z3.BoolRef) -> z3.BoolRef:
        z3 = self.z3
        if z3.is_true(condition) or z3.is_false(condition):
            return self.false if z3.is_true(condition) else self.true
        return condition.arg(0) if z3.is_not(condition) else z3.Not(condition)

    def number(self, value: Single) -> z3.ArithRef:
        """The value as a number."""
        match value:
            case Number(term):
                return term
            case Symbol(where, _) if all(isinstance(member, int) for member in where):
                members = [(here, self.z3.IntVal(member, self.context)) for member, here in where.items()]
                return reduce(lambda rest, pair: self.z3.If(pair[0], pair[1], rest), reversed(members[:-1]), members[-1][1])
        raise TypeProblem("a number is expected here")

    def truth(self, value: Single) -> z3.BoolRef:
        if isinstance(value, Truth):
            return value.term
        raise TypeProblem("a boolean is expected here")

    def equal(self, a: Single, b: Single) -> z3.BoolRef:
        match a, b:
            case Truth(left), Truth(right):
                return left == right
            case Number(left), Number(right):
                return left == right
            case Symbol(left, this), Symbol(right, that):
                if this and that and list(left) == list(right):
                    return self.both(*(one == other for one, other in zip(this, that)))
                return self.either(*(self.both(here, right[member]) for member, here in left.items() if member in right))
            case (Symbol(where), Number(term)) | (Number(term), Symbol(where)):
                numbers = ((member, here) for member, here in where.items() if isinstance(member, int))
                return self.either(*(self.both(here, term == member) for member, here in numbers))
        return self.false

    def choose(self, branches: Sequence[tuple[z3.BoolRef, Single]]) -> Single:
        """The value of the one branch whose condition holds; the last branch takes the rest."""
        values = [value for _, value in branches]
        z3 = self.z3
        if all(isinstance(value, Truth) for value in values):
            return Truth(self.either(*(self.both(c, self.truth(value)) for c, value in branches)))
        if all(isinstance(value, Number) for value in values):
            terms = [(c, self.number(value)) for c, value in branches]
            return Number(reduce(lambda rest, pair: z3.If(pair[0], pair[1], rest), reversed(terms[:-1]), terms[-1][1]))
        where: dict[str | int, Any] = {}
        for condition, value in branches:
            for member, here in self._members(value).items():
                where[member] = self.either(where.get(member, self.false), self.both(condition, here))
        return Symbol(where)

    def _members(self, value: Single) -> dict[str | int, Any]:
        match value:
            case Symbol(where):
                return where
            case Number(term) if self.z3.is_int_value(term):
                return {term.as_long(): self.true}
        raise TypeProblem("symbols and numbers that are computed cannot be alternatives of one value")

    def alike(self, options: Sequence[Option]) -> list[Option]:
        """The options; if some are real numbers, all numbers are."""
        if not any(isinstance(value, Number) and value.real for _, value in options):
            return list(options)
        z3 = self.z3
        return [
            (c, Number(z3.ToReal(value.term)) if isinstance(value, Number) and not value.real else value) for c, value in options
        ]
