"""Comparisons, logical connectives and reductions of Verilog, which are true or false."""

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
        """The value of an expression in a shape."""

    def condition(self, expr: Expr) -> Expr:
        """Is the value not 0?"""
        return is_not_zero(self.whole(expr))

    def whole(self, expr: Expr) -> BitRow:
        """All bits of an expression that is its own context."""
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
            left, right = (self.bits(arg, context, width) for arg in args)
            if signed:  # negative numbers have the highest bit
                left, right = (binary("+", row, constant(1 << width - 1, width), width) for row in (left, right))
            if op[0] == ">":
                left, right = right, left
            return less(left, right, width, or_equal=len(op) == 2)
        row = self.whole(args[0])
        reduced = {
            "&": lambda: equal(row.expr, constant(-1, row.width)), "|": lambda: is_not_zero(row), "^": lambda: parity(row)
        }[op[-1]]()  # fmt: skip
        return negation(reduced) if "~" in op else reduced

    def same(self, left: Expr, right: Expr) -> Expr:
        """Are two expressions equal? A digit of a pattern that may be anything is equal to every digit."""
        shapes = self.shape(left), self.shape(right)
        for shape in shapes:
            if isinstance(shape, tuple):
                return equal(self.value(left, shape), self.value(right, shape))
        for expr, pattern in ((left, right), (right, left)):
            if isinstance(pattern, Apply) and pattern.op == "pattern":
                return self._matches(expr, pattern)
        context = max(shape for shape in shapes if isinstance(shape, int))
        for row, total in ((left, right), (right, left)):
            if self._is_without_carry(row, total):
                context = self.width(row)
            # VIS compares a negative constant difference with a row in as many bits as the row has.
            number = self.known(total) if isinstance(total, Apply) and total.op in ("-", "u-") else None
            if number is not None and number < 0 and self.known_constant(row) is None:
                return equal(self.whole(row).expr, constant(number, self.width(row)))
        width = max(self.most(left, context), self.most(right, context))
        return equal(self.bits(left, context, width), self.bits(right, context, width))

    def _is_without_carry(self, row: Expr, total: Expr) -> bool:
        """Is the carry of a sum ignored? VIS compares a row with a sum of rows and numbers that are no wider in its own width."""
        if not isinstance(row, Name) or not isinstance(total, Apply) or total.op != "+" or self.known_constant(row) is not None:
            return False
        width = self.width(row)
        return all(isinstance(part, Constant | Name) and self.most(part, width + 1) <= width for part in total.args)

    def _matches(self, expr: Expr, pattern: Apply) -> Expr:
        digits, counting = number_of(pattern.args[0]) or 0, number_of(pattern.args[1]) or 0
        context = max(self.width(expr), self.width(pattern))
        row = self.bits(expr, context, context)
        return equal(binary("and", row, constant(counting, context), context), constant(digits & counting, context))
