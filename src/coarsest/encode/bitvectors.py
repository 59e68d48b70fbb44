"""Arithmetic on vectors of Boolean functions, lowest bit first.

A signed vector is in two's complement, its last function the sign. Integers are signed vectors as wide as their value needs,
so nothing overflows; words have a fixed width and wrap around.

Deviates:  nothing is specialised for constants: the engine's own short cuts make an operation with a constant cheap.
Cost:      additions and comparisons take a number of BDD operations linear in the width, products and quotients quadratic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeAlias

from coarsest.bdd.protocol import F
from coarsest.encode.algebra import Algebra

Vector: TypeAlias = "tuple[F, ...]"


class BitVectors(Generic[F]):
    """Operations on vectors over one manager."""

    def __init__(self, manager: Algebra[F]) -> None:
        self.manager = manager
        self.true = manager.true
        self.false = manager.false

    # Shapes

    def integer(self, value: int) -> Vector[F]:
        """A constant as a signed vector of least width."""
        width = (value if value >= 0 else ~value).bit_length() + 1
        return self.constant(value, width)

    def constant(self, value: int, width: int) -> Vector[F]:
        return tuple(self.true if value >> i & 1 else self.false for i in range(width))

    def shorten(self, a: Vector[F]) -> Vector[F]:
        """The same integer without repeated sign bits."""
        last = len(a)
        while last > 1 and a[last - 1] == a[last - 2]:
            last -= 1
        return a[:last]

    def widen(self, a: Vector[F], width: int, *, signed: bool) -> Vector[F]:
        """The same number with more bits."""
        fill = a[-1] if signed else self.false
        return a + (fill,) * (width - len(a))

    # Sums

    def add(self, a: Vector[F], b: Vector[F], carry: F | None = None) -> Vector[F]:
        """The sum modulo 2^width of vectors of one width."""
        c = self.false if carry is None else carry
        result = []
        for x, y in zip(a, b, strict=True):
            half = x ^ y
            result.append(half ^ c)
            c = (x & y) | (half & c)
        return tuple(result)

    def subtract(self, a: Vector[F], b: Vector[F]) -> Vector[F]:
        return self.add(a, tuple(~y for y in b), self.true)

    def negate(self, a: Vector[F]) -> Vector[F]:
        return self.subtract(self.constant(0, len(a)), a)

    def multiply(self, a: Vector[F], b: Vector[F]) -> Vector[F]:
        """The product modulo 2^width of vectors of one width."""
        width = len(a)
        total = self.constant(0, width)
        for i, y in enumerate(b):
            if y == self.false:
                continue
            self.manager.tidy()  # a product may grow large: a safe moment to collect, and to notice a limit
            shifted = (self.false,) * i + a[: width - i]
            total = self.add(total, tuple(x & y for x in shifted))
        return total

    def divide_unsigned(self, a: Vector[F], b: Vector[F]) -> tuple[Vector[F], Vector[F]]:
        """Quotient and remainder of vectors of one width, by restoring division; arbitrary where b is 0."""
        width = len(a)
        wide_b = (*b, self.false)
        remainder = self.constant(0, width + 1)
        quotient = [self.false] * width
        for i in reversed(range(width)):
            self.manager.tidy()
            remainder = (a[i], *remainder[:width])
            fits = ~self.less(remainder, wide_b, signed=False)
            quotient[i] = fits
            remainder = self.choose(fits, self.subtract(remainder, wide_b), remainder)
        return tuple(quotient), remainder[:width]

    def divide_signed(self, a: Vector[F], b: Vector[F]) -> tuple[Vector[F], Vector[F]]:
        """Quotient truncated towards zero, and the remainder with the sign of the dividend."""
        quotient, remainder = self.divide_unsigned(self.absolute(a), self.absolute(b))
        flip = a[-1] ^ b[-1]
        return (
            self.choose(flip, self.negate(quotient), quotient),
            self.choose(a[-1], self.negate(remainder), remainder),
        )

    def absolute(self, a: Vector[F]) -> Vector[F]:
        return self.choose(a[-1], self.negate(a), a)

    # Choices and comparisons

    def choose(self, condition: F, then: Vector[F], otherwise: Vector[F]) -> Vector[F]:
        ite = self.manager.ite
        return tuple(ite(condition, x, y) for x, y in zip(then, otherwise, strict=True))

    def equal(self, a: Vector[F], b: Vector[F]) -> F:
        result = self.true
        for x, y in zip(a, b, strict=True):
            result = result & ~(x ^ y)
        return result

    def less(self, a: Vector[F], b: Vector[F], *, signed: bool) -> F:
        """a < b for vectors of one width."""
        ite = self.manager.ite
        result = self.false
        last = len(a) - 1
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            if signed and i == last:
                x, y = y, x  # a negative number is the smaller one
            result = ite(x ^ y, y, result)
        return result

    def is_zero(self, a: Sequence[F]) -> F:
        result = self.true
        for x in a:
            result = result & ~x
        return result

    # Shifts

    def shift_left(self, a: Vector[F], amount: Vector[F]) -> Vector[F]:
        """a moved up by an unsigned amount; everything is 0 when the amount is the width or more."""
        return tuple(reversed(self.shift_right(tuple(reversed(a)), amount, fill=self.false)))

    def shift_right(self, a: Vector[F], amount: Vector[F], *, fill: F) -> Vector[F]:
        """a moved down by an unsigned amount, with `fill` coming in from the top."""
        width = len(a)
        for k, bit in enumerate(amount):
            distance = min(1 << k, width) if k < width.bit_length() + 1 else width
            a = self.choose(bit, a[distance:] + (fill,) * distance, a)
        return a
