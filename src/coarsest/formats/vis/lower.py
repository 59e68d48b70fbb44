"""Expressions of Verilog as expressions of the machine.

Reference: IEEE 1364, expression bit lengths.
Symbols:   `context` is the width in which operands are evaluated, `needed` the number of last bits that are needed.
Invariant: `bits(e, context, needed)` is the value of e in that context modulo 2^needed.
Deviates:  all numbers except integers are unsigned; the unknown value of Verilog (x) is 0: where it is written, as in VIS, and
           where an index is outside a row or an array.
Cost:      sums, products and bitwise operations are as wide as their results are needed, not as wide as their context.
"""

from __future__ import annotations

from collections.abc import Callable

from coarsest.errors import ModelProblem, TypeProblem, Unsupported
from coarsest.formats.vis.bits import (
    BitRow,
    Shape,
    binary,
    choice,
    complement,
    constant,
    equal,
    first_of,
    first_value,
    is_not_zero,
    joined,
    less,
    number_of,
    part,
    resized,
    word,
)
from coarsest.formats.vis.scope import VerilogSignal
from coarsest.formats.vis.shapes import ONE_BIT
from coarsest.formats.vis.truths import BitLowering
from coarsest.logic.expr import TRUE, Apply, Constant, Expr, Name

_BITWISE = {"&": "and", "|": "or", "^": "xor"}


class ExpressionLowering(BitLowering):
    """Lowers expressions in one scope, and computes constants."""

    def value(self, expr: Expr, shape: Shape) -> Expr:
        """The value of an expression in a shape."""
        own = self.shape(expr)
        if isinstance(shape, tuple):
            return self._symbol(expr, own, shape)
        if not isinstance(own, tuple):
            return self.bits(expr, max(own, shape), shape)
        value = self.enumerated(expr)  # its position in its type is the number
        if isinstance(value, Constant) and isinstance(value.value, str):
            return constant(own.index(value.value), shape)
        return first_of([(equal(value, Constant(v)), constant(n, shape)) for n, v in enumerate(own)], constant(0, shape))

    def _symbol(self, expr: Expr, own: Shape, shape: tuple[str, ...]) -> Expr:
        if isinstance(own, tuple):
            return self.enumerated(expr)
        number = number_of(self.bits(expr, own, own))
        if number is None:
            width = max(1, (len(shape) - 1).bit_length())
            code = self.bits(expr, max(own, width), width)
            branches = [(equal(code, constant(n, width)), Constant(value)) for n, value in enumerate(shape[:-1])]
            return first_of(branches, Constant(shape[-1]))
        if number >= len(shape):
            raise TypeProblem(f"{number} is not a value of {{{', '.join(shape[:4])}}}", expr.span)
        return Constant(shape[number])

    def enumerated(self, expr: Expr) -> Expr:
        """An expression of an enumerated type."""
        if isinstance(expr, Name):
            fixed = self.fixed(expr.name)
            return self.read(self.signal(expr).name) if fixed is None else fixed
        if isinstance(expr, Constant):
            return expr
        shape = self.shape(expr)
        match expr:
            case Apply("?:", (condition, then, otherwise)):
                return choice(self.condition(condition), self.value(then, shape), self.value(otherwise, shape))
            case Apply("$ND", args):
                return self.choose([self.value(arg, shape) for arg in args], shape, expr.span)
            case Apply("call", _):
                return self.call(expr)
            case Apply("[]", (base, index)) if (signal := self.array(base)) is not None:
                return self._element(signal, index)
        raise TypeProblem("this cannot be a value of an enumerated type", expr.span)

    def bits(self, expr: Expr, context: int, needed: int) -> Expr:
        """The `needed` last bits of an expression that is evaluated in a context."""
        if isinstance(expr, Constant):
            number = number_of(expr)
            if number is None:
                raise TypeProblem(f"a number is needed here, not `{expr.value}`", expr.span)
            return constant(number, needed)
        if isinstance(expr, Name):
            return self._name(expr, needed)
        special = _SPECIAL.get(expr.op)
        if special is not None:
            return special(self, expr, context, needed)
        if expr.op in ONE_BIT:
            return resized(BitRow(self.truth(expr), 1), needed)
        match expr.op:
            case "$ND":
                return self.choose([self.bits(arg, context, needed) for arg in expr.args], needed, expr.span)
            case "pattern":  # digits that may be anything count as 0
                return constant(number_of(expr.args[0]) or 0, needed)
            case "{}":
                return resized(joined([self.whole(arg) for arg in expr.args]), needed)
            case "{{}}":
                self.shape(expr)
                return resized(joined([self.whole(expr.args[1])] * self.number(expr.args[0])), needed)
            case "call":
                return resized(BitRow(self.call(expr), self.width(expr)), needed)
        return self._operation(expr, context, needed)

    def _name(self, name: Name, needed: int) -> Expr:
        fixed = self.fixed(name.name)
        if fixed is not None:
            return self.bits(fixed, needed, needed)
        signal = self.signal(name)
        if signal.is_array:
            message = f"`{name.name}` is an array: only its elements have values"
            raise TypeProblem(message, name.span, hint=f"index it: {name.name}[0]")
        if isinstance(signal.shape, tuple):
            raise TypeProblem(f"a number is needed here, `{name.name}` is one of {{{', '.join(signal.shape[:4])}}}", name.span)
        return resized(BitRow(self.read(signal.name), signal.width), needed)

    def _operation(self, expr: Apply, context: int, needed: int) -> Expr:
        op = expr.op
        operands = [self.bits(arg, context, needed) for arg in expr.args]
        if op in _BITWISE:
            return binary(_BITWISE[op], operands[0], operands[1], needed)
        if op in ("~&", "~|", "~^"):
            return complement(BitRow(binary(_BITWISE[op[1]], operands[0], operands[1], needed), needed))
        if op in ("+", "-", "*"):
            return binary(op, operands[0], operands[1], needed)
        if op == "u-":
            return binary("-", constant(0, needed), operands[0], needed)
        if op == "u~":
            return complement(BitRow(operands[0], needed))
        if op == "u+":
            return operands[0]
        raise Unsupported(f"`{op.removeprefix('u')}` is not handled", expr.span)

    def _conditional(self, expr: Apply, context: int, needed: int) -> Expr:
        condition = self.condition(expr.args[0])
        if isinstance(condition, Constant):
            return self.bits(expr.args[1 if condition == TRUE else 2], context, needed)
        return choice(condition, self.bits(expr.args[1], context, needed), self.bits(expr.args[2], context, needed))

    def _shift(self, expr: Apply, context: int, needed: int) -> Expr:
        amount = self.whole(expr.args[1])
        by = number_of(amount.expr)
        left = expr.op in ("<<", "<<<")
        width = needed if left else min(context, self.most(expr.args[0], context))
        row = BitRow(self.bits(expr.args[0], context, width), width)
        if by is not None:
            if by >= width:
                return constant(0, needed)
            if by == 0:
                return resized(row, needed)
            if left:
                return joined([BitRow(part(row, width - 1 - by, 0), width - by), BitRow(constant(0, by), by)]).expr
            return resized(BitRow(part(row, width - 1, by), width - by), needed)
        size = min(amount.width, width.bit_length())  # enough for an amount up to the width
        limit = constant(width, amount.width)
        inside = TRUE if (1 << amount.width) - 1 <= width else less(amount.expr, limit, amount.width, or_equal=True)
        distance = resized(amount, size)
        shifted = Apply("<<" if left else ">>", (word(row), word(BitRow(distance, size))))
        result: Expr = shifted if width > 1 else Apply("bool", (shifted,))
        return resized(BitRow(choice(inside, result, constant(0, width)), width), needed)

    def _division(self, expr: Apply, context: int, needed: int) -> Expr:
        width = min(context, max(self.most(arg, context) for arg in expr.args))
        dividend, divisor = (self.bits(arg, context, width) for arg in expr.args)
        a, b = number_of(dividend), number_of(divisor)
        if b == 0:
            raise ModelProblem("a division by 0", expr.span)
        if a is not None and b is not None:
            return constant(a // b if expr.op == "/" else a % b, needed)
        if b is not None and b & (b - 1) == 0:  # a power of 2 moves or cuts off bits
            row, low = BitRow(dividend, width), b.bit_length() - 1
            if expr.op == "/":
                return resized(BitRow(part(row, width - 1, low), width - low), needed)
            return constant(0, needed) if low == 0 else resized(BitRow(part(row, low - 1, 0), low), needed)
        if width == 1:
            return resized(BitRow(dividend if expr.op == "/" else constant(0, 1), 1), needed)
        result: Expr = Apply("/" if expr.op == "/" else "mod", (dividend, divisor))
        if b is None:
            result = choice(is_not_zero(BitRow(divisor, width)), result, constant(0, width))
        return resized(BitRow(result, width), needed)

    def _power(self, expr: Apply, context: int, needed: int) -> Expr:
        exponent = self.number(expr.args[1])
        if exponent < 0:
            raise ModelProblem(f"a power with the exponent {exponent}", expr.args[1].span, hint="exponents must be at least 0")
        return constant(pow(self.number(expr.args[0]), exponent, 1 << needed), needed)

    # -- parts -------------------------------------------------------------------------------------------------------------

    def _element(self, signal: VerilogSignal, index: Expr) -> Expr:
        """An element of an array; outside its bounds, the first value of its type."""
        number = self.known(index)
        if number is not None:
            if number not in signal.indices:
                return first_value(signal.shape)
            return self.read(signal.element(number))
        row = self.whole(index)
        reached = [i for i in signal.indices if 0 <= i < 1 << row.width]
        if not reached:
            return first_value(signal.shape)
        branches = [(equal(row.expr, constant(i, row.width)), self.read(signal.element(i))) for i in reached]
        return first_of(branches, branches.pop()[1] if len(reached) == 1 << row.width else first_value(signal.shape))

    def row(self, expr: Expr) -> tuple[BitRow, VerilogSignal, Callable[[int], int]]:
        """The operand of an index of bits: its value, its signal, and a function from indices to bits."""
        if isinstance(expr, Apply) and expr.op == "[]" and (array := self.array(expr.args[0])) is not None:
            if isinstance(array.shape, tuple):
                raise TypeProblem("values of enumerated types have no bits", expr.span)
            return BitRow(self._element(array, expr.args[1]), array.width), array, array.bit
        if not isinstance(expr, Name):
            raise Unsupported("bits are selected from signals and elements of arrays only", expr.span)
        signal = self.signal(expr)
        if signal.is_array or isinstance(signal.shape, tuple):
            raise TypeProblem(f"`{expr.name}` has no bits", expr.span)
        return BitRow(self.read(signal.name), signal.width), signal, signal.bit

    def _index(self, expr: Apply, context: int, needed: int) -> Expr:
        base, index = expr.args
        array = self.array(base)
        if array is not None:
            if isinstance(array.shape, tuple):
                raise TypeProblem("a number is needed here, this is a value of an enumerated type", expr.span)
            return resized(BitRow(self._element(array, index), array.width), needed)
        if isinstance(base, Name) and (fixed := self.fixed(base.name)) is not None:
            at = self.number(index)
            return constant((number_of(fixed) or 0) >> at if at >= 0 else 0, needed)
        row, signal, bit_of = self.row(base)
        number = self.known(index)
        if number is not None:
            at = bit_of(number)
            return resized(BitRow(self._selected(signal, row, at, at), 1), needed) if 0 <= at < row.width else constant(0, needed)
        by = self.whole(index)
        indices = [(i, bit_of(i)) for i in range(1 << min(by.width, 20)) if 0 <= bit_of(i) < row.width]
        branches = [(equal(by.expr, constant(i, by.width)), part(row, at, at)) for i, at in indices]
        bit = first_of(branches, branches.pop()[1] if len(indices) == 1 << by.width else constant(0, 1))
        return resized(BitRow(bit, 1), needed)

    def bounds(self, expr: Apply, signal: VerilogSignal, width: int) -> tuple[int, int]:
        """The highest and the lowest bit that `row[left:right]` selects from a row of a width."""
        high, low = signal.bit(self.number(expr.args[1])), signal.bit(self.number(expr.args[2]))
        if not 0 <= low <= high < width:
            hint = f"its bits are [{signal.left}:{signal.right}]"
            raise ModelProblem("this part is outside the signal", expr.span, hint=hint)
        return high, low

    def _part(self, expr: Apply, context: int, needed: int) -> Expr:
        row, signal, _ = self.row(expr.args[0])
        high, low = self.bounds(expr, signal, row.width)
        return resized(BitRow(self._selected(signal, row, high, low), high - low + 1), needed)

    def _selected(self, signal: VerilogSignal, row: BitRow, high: int, low: int) -> Expr:
        """Bits of a row, taken from pieces of the signal that have sources, if there are any."""
        if not isinstance(row.expr, Name) or row.expr.name != signal.name:
            return part(row, high, low)
        rows: list[BitRow] = []
        for piece in signal.pieces:
            top, bottom = min(high, piece.high), max(low, piece.low)
            if bottom <= top:
                whole = BitRow(Name(piece.name), piece.high - piece.low + 1)
                rows.append(BitRow(part(whole, top - piece.low, bottom - piece.low), top - bottom + 1))
        complete = sum(piece.width for piece in rows) == high - low + 1
        return joined(rows).expr if complete else part(row, high, low)


_SPECIAL: dict[str, Callable[[ExpressionLowering, Apply, int, int], Expr]] = {
    "?:": ExpressionLowering._conditional,
    "<<": ExpressionLowering._shift,
    "<<<": ExpressionLowering._shift,
    ">>": ExpressionLowering._shift,
    ">>>": ExpressionLowering._shift,
    "/": ExpressionLowering._division,
    "%": ExpressionLowering._division,
    "**": ExpressionLowering._power,
    "[]": ExpressionLowering._index,
    "[:]": ExpressionLowering._part,
}
