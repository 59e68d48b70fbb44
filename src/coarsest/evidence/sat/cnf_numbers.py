"""Arithmetic on vectors of literals.

A number is a vector in two's complement, lowest bit first, of at least one bit. Results have as many bits as they need, so
nothing overflows. Words are numbers that are cut to their width afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.sat.clauses import FALSE, TRUE, Clauses

Vector = tuple[int, ...]

WIDEST: Final = 256
"""The limit for the bits of a number, without which products of products would grow for ever."""


def constant(value: int) -> Vector:
    """A number as a vector.

    >>> constant(2), constant(-1)
    ((-1, 1, -1), (1,))
    """
    width = value.bit_length() + 1 if value >= 0 else (value + 1).bit_length() + 1
    return tuple(TRUE if value >> place & 1 else FALSE for place in range(width))


def constant_value(vector: Vector) -> int | None:
    """The value of a vector of constants; None if a bit is not constant."""
    if any(bit not in (TRUE, FALSE) for bit in vector):
        return None
    value = sum(1 << place for place, bit in enumerate(vector) if bit == TRUE)
    return value - (1 << len(vector)) if vector[-1] == TRUE else value


def extend(vector: Vector, width: int) -> Vector:
    """The same number in more bits."""
    return vector + (vector[-1],) * (width - len(vector))


def trim(vector: Vector) -> Vector:
    """The same number without copies of its sign."""
    width = len(vector)
    while width > 1 and vector[width - 1] == vector[width - 2]:
        width -= 1
    if width > WIDEST:
        raise NotConfirmed(f"a number of more than {WIDEST} bits occurs in it")
    return vector[:width]


class Numbers:
    """Circuits for numbers."""

    def __init__(self, clauses: Clauses) -> None:
        self.clauses = clauses

    def choose(self, condition: int, then: Vector, otherwise: Vector) -> Vector:
        width = max(len(then), len(otherwise))
        pairs = zip(extend(then, width), extend(otherwise, width))
        return trim(tuple(self.clauses.choose(condition, a, b) for a, b in pairs))

    def equal(self, a: Vector, b: Vector) -> int:
        width = max(len(a), len(b))
        return self.clauses.every(self.clauses.same(x, y) for x, y in zip(extend(a, width), extend(b, width)))

    def less(self, a: Vector, b: Vector) -> int:
        """Is a below b?"""
        width = max(len(a), len(b))
        *low_a, sign_a = extend(a, width)
        *low_b, sign_b = extend(b, width)
        below = FALSE
        for x, y in [*zip(low_a, low_b), (sign_b, sign_a)]:
            below = self.clauses.choose(self.clauses.differ(x, y), y, below)
        return below

    def add(self, a: Vector, b: Vector, carry: int = FALSE) -> Vector:
        clauses = self.clauses
        width = max(len(a), len(b)) + 1
        total = []
        for x, y in zip(extend(a, width), extend(b, width)):
            half = clauses.differ(x, y)
            total.append(clauses.differ(half, carry))
            carry = clauses.choose(half, carry, x)
        return trim(tuple(total))

    def subtract(self, a: Vector, b: Vector) -> Vector:
        return self.add(a, tuple(-bit for bit in b), TRUE)

    def negate(self, a: Vector) -> Vector:
        return self.subtract((FALSE,), a)

    def absolute(self, a: Vector) -> Vector:
        return self.choose(a[-1], self.negate(a), a)

    def multiply(self, a: Vector, b: Vector) -> Vector:
        """The sum of shifted copies of a, one for each bit of b; the copy for its sign is subtracted."""
        *bits, sign = b
        product: Vector = (FALSE,)
        for place, bit in enumerate(bits):
            product = self.add(product, self._shifted(a, place, bit))
        return self.subtract(product, self._shifted(a, len(bits), sign))

    def _shifted(self, a: Vector, places: int, condition: int) -> Vector:
        return trim((FALSE,) * places + tuple(self.clauses.both(condition, bit) for bit in a))

    def divide(self, a: Vector, b: Vector) -> tuple[Vector, Vector]:
        """The quotient, rounded towards zero, and the remainder, with the sign of a, by long division of the magnitudes."""
        clauses = self.clauses
        divisor = self.absolute(b)
        rest: Vector = (FALSE,)
        quotient: list[int] = []
        for bit in reversed(self.absolute(a)[:-1]):
            rest = trim((bit, *rest))
            fits = -self.less(rest, divisor)
            rest = self.choose(fits, self.subtract(rest, divisor), rest)
            quotient.append(fits)
        magnitude = trim((*reversed(quotient), FALSE))
        signs_differ = clauses.differ(a[-1], b[-1])
        return self.choose(signs_differ, self.negate(magnitude), magnitude), self.choose(a[-1], self.negate(rest), rest)

    def total(self, bits: Sequence[int]) -> Vector:
        """The number of bits that are true."""
        numbers: list[Vector] = [(bit, FALSE) for bit in bits] or [(FALSE,)]
        while len(numbers) > 1:
            numbers = [reduce(self.add, numbers[k : k + 2]) for k in range(0, len(numbers), 2)]
        return numbers[0]

    def shift(self, vector: Vector, amount: Vector, *, fill: int, left: bool) -> Vector:
        """A word shifted by a non-negative number."""
        width = len(vector)
        for place, bit in enumerate(amount[:-1]):
            by = min(1 << place, width) if place < width.bit_length() + 1 else width
            moved = (fill,) * by + vector[: width - by] if left else vector[by:] + (fill,) * by
            vector = tuple(self.clauses.choose(bit, a, b) for a, b in zip(moved, vector))
        return vector
