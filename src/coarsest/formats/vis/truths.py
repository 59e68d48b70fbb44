"""Comparisons, logical connectives and reductions of Verilog: what is true or false."""

from __future__ import annotations

from abc import abstractmethod

from coarsest.formats.vis.bits import (
    BitRow,
    Shape,
    binary,
    both,
    constant,
    either,
    equal,
    is_not_zero,
    less,
    negation,
    number_of,
    parity,
)
from coarsest.formats.vis.shapes import Shapes
from coarsest.logic.expr import Apply, Constant, Expr, Name


class BitLowering(Shapes):
    """Expressions of one bit."""

    @abstractmethod
    def value(self, expr: Expr, shape: Shape) -> Expr:
        """An expression as a value for something of a shape."""

    def condition(self, expr: Expr) -> Expr:
        """Is the value not 0?"""
        width = self.width(expr)
        return is_not_zero(BitRow(self.bits(expr, width, width), width))

    def whole(self, expr: Expr) -> BitRow:
        """An expression in a context of its own, all its bits."""
        width = self.width(expr)
        return BitRow(self.bits(expr, width, width), width)

    def truth(self, expr: Apply) -> Expr:
        op, args = expr.op, expr.args
        if op == "u!":
            return negation(self.condition(args[0]))
        if op == "&&":
            return both(self.condition(args[0]), self.condition(args[1]))
        if op == "||":
            return either(self.condition(args[0]), self.condition(args[1]))
        if op in ("==", "===", "!=", "!=="):
            same = self.same(args[0], args[1])
            return same if op[0] == "=" else negation(same)
        if op in ("<", "<=", ">", ">="):
            context = max(self.width(args[0]), self.width(args[1]))
            signed = self.is_signed(args[0]) and self.is_signed(args[1])
            width = context if signed else max(self.most(arg, context) for arg in args)
            one, other = (self.bits(arg, context, width) for arg in args)
            if signed:  # what is below 0 has the highest bit
                one, other = (binary("+", row, constant(1 << width - 1, width), width) for row in (one, other))
            if op[0] == ">":
                one, other = other, one
            return less(one, other, width, or_equal=len(op) == 2)
        row = self.whole(args[0])
        reduced = {
            "&": lambda: equal(row.expr, constant(-1, row.width)), "|": lambda: is_not_zero(row), "^": lambda: parity(row)
        }[op[-1]]()  # fmt: skip
        return negation(reduced) if "~" in op else reduced

    def same(self, one: Expr, other: Expr) -> Expr:
        """Are two expressions equal? A digit of a pattern that may be anything is equal to every digit."""
        shapes = self.shape(one), self.shape(other)
        for shape in shapes:
            if isinstance(shape, tuple):
                return equal(self.value(one, shape), self.value(other, shape))
        for here, there in ((one, other), (other, one)):
            if isinstance(there, Apply) and there.op == "pattern":
                return self._matches(here, there)
        context = max(shape for shape in shapes if isinstance(shape, int))
        for row, total in ((one, other), (other, one)):
            if self._is_without_carry(row, total):
                context = self.width(row)
            if (number := self._below_zero(total)) is not None and self.known_constant(row) is None:
                return equal(self.bits(row, self.width(row), self.width(row)), constant(number, self.width(row)))
        width = max(self.most(one, context), self.most(other, context))
        return equal(self.bits(one, context, width), self.bits(other, context, width))

    def _is_without_carry(self, row: Expr, total: Expr) -> bool:
        """VIS compares a row with a sum of rows and numbers that are no wider as if the sum were no wider either."""
        if not isinstance(row, Name) or not isinstance(total, Apply) or total.op != "+" or self.known_constant(row) is not None:
            return False
        width = self.width(row)
        return all(isinstance(part, Constant | Name) and self.most(part, width + 1) <= width for part in total.args)

    def _below_zero(self, expr: Expr) -> int | None:
        """The value of a constant difference that is below 0. VIS compares it with a row in as many bits as the row has."""
        number = self.known(expr) if isinstance(expr, Apply) and expr.op in ("-", "u-") else None
        return number if number is not None and number < 0 else None

    def _matches(self, expr: Expr, pattern: Apply) -> Expr:
        digits, counting = number_of(pattern.args[0]) or 0, number_of(pattern.args[1]) or 0
        context = max(self.width(expr), self.width(pattern))
        row = self.bits(expr, context, context)
        return equal(binary("and", row, constant(counting, context), context), constant(digits & counting, context))
