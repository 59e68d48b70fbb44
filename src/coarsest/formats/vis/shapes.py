"""The widths of Verilog expressions, the values of constant expressions, and the meanings of names."""

from __future__ import annotations

from abc import ABC, abstractmethod

from coarsest.errors import ModelProblem, NameProblem, TypeProblem, Unsupported
from coarsest.formats.vis.bits import Shape, number_of
from coarsest.formats.vis.parsing.expressions import UNSIZED
from coarsest.formats.vis.parsing.syntax import VerilogSource
from coarsest.formats.vis.scope import VerilogScope, VerilogSignal
from coarsest.logic.expr import Apply, Constant, Expr, Name, Word
from coarsest.logic.words import WIDEST_WORD
from coarsest.text import Span
from coarsest.text.near import nearest

ONE_BIT = frozenset(
    ("u!", "u&", "u|", "u^", "u~&", "u~|", "u~^", "&&", "||", "==", "!=", "===", "!==", "<", "<=", ">", ">=")
)
_SHIFTS = frozenset(("<<", ">>", "<<<", ">>>", "**"))


class Shapes(ABC):
    """Expressions in one scope. `read` gives the current value of an element of a signal, `choose` a free value of a shape."""

    def __init__(self, scope: VerilogScope, design: VerilogSource) -> None:
        self.scope = scope
        self.design = design
        self.symbols = design.symbols

    def read(self, element: str) -> Expr:
        return Name(element)

    @abstractmethod
    def bits(self, expr: Expr, context: int, needed: int) -> Expr:
        """The `needed` last bits of an expression that is evaluated in a context."""

    def choose(self, values: list[Expr], shape: Shape, span: Span | None) -> Expr:
        raise Unsupported("a free choice cannot stand in a constant", span)

    def call(self, expr: Apply) -> Expr:
        raise Unsupported("a function cannot be called in a constant", expr.span)

    def signal(self, name: Name) -> VerilogSignal:
        signal = self.scope.signal(name.name)
        if signal is None:
            close = nearest(name.name, [*self.scope.names(), *self.symbols])
            hint = f"did you mean `{close[0]}`?" if close else "declare it as wire or reg"
            raise NameProblem(f"`{name.name}` is not declared in module `{self.scope.module.name}`", name.span, hint=hint)
        return signal

    def fixed(self, name: str) -> Constant | None:
        """The constant with this name: a parameter, or a value of an enumerated type."""
        if self.scope.signal(name) is not None:
            return None
        value = self.scope.constant(name)
        return value if value is not None or name not in self.symbols else Constant(name)

    # -- shapes ------------------------------------------------------------------------------------------------------------

    def shape(self, expr: Expr) -> Shape:
        """The width of an expression by itself, or its enumerated type."""
        if isinstance(expr, Constant):
            return self._shape_of_constant(expr)
        if isinstance(expr, Name):
            value = self.fixed(expr.name)
            return self.signal(expr).shape if value is None else self._shape_of_constant(value)
        op, args = expr.op, expr.args
        if op in ONE_BIT:
            return 1
        if op == "pattern":
            return self._shape_of_constant(args[1])
        if op == "{}":
            return self._total(sum(self.width(arg) for arg in args), expr.span)
        if op == "{{}}":
            return self._total(self.number(args[0]) * self.width(args[1]), expr.span)
        if op == "[]":
            signal = self.array(args[0])
            return signal.shape if signal is not None else 1
        if op == "[:]":
            return self._total(abs(self.number(args[1]) - self.number(args[2])) + 1, expr.span)
        if op == "call":
            return self.result(expr).shape
        if op in _SHIFTS:
            return self.shape(args[0])
        return self._common([self.shape(arg) for arg in (args[1:] if op == "?:" else args)], expr)

    def result(self, call: Apply) -> VerilogSignal:
        raise Unsupported("a function cannot be called in a constant", call.span)

    def _shape_of_constant(self, expr: Expr) -> Shape:
        value = expr.value if isinstance(expr, Constant) else None
        if isinstance(value, str):
            return self.symbols[value]
        return value.width if isinstance(value, Word) else max(UNSIZED, int(value or 0).bit_length())

    @staticmethod
    def _total(width: int, span: Span | None) -> int:
        if not 1 <= width <= WIDEST_WORD:
            raise ModelProblem(f"a row of {width} bits", span, hint=f"the width must be from 1 to {WIDEST_WORD}")
        return width

    @staticmethod
    def _common(shapes: list[Shape], expr: Apply) -> Shape:
        types = [shape for shape in shapes if isinstance(shape, tuple)]
        if types and expr.op not in ("?:", "$ND"):
            shown = expr.op.removeprefix("u")
            raise TypeProblem(f"`{shown}` needs numbers, found a value of {{{', '.join(types[0][:4])}}}", expr.span)
        return types[0] if types else max(shape for shape in shapes if isinstance(shape, int))

    def width(self, expr: Expr) -> int:
        shape = self.shape(expr)
        if isinstance(shape, tuple):
            raise TypeProblem(f"a number is needed here, this is one of {{{', '.join(shape[:4])}}}", expr.span)
        return shape

    # -- numbers -----------------------------------------------------------------------------------------------------------

    def number(self, expr: Expr) -> int:
        """The value of an expression that must be constant; it may be negative."""
        value = self.known(expr)
        if value is None:
            raise ModelProblem("this must be a constant number", expr.span, hint="use numbers and parameters")
        return value

    def known(self, expr: Expr) -> int | None:
        """The value of an expression if it is a constant number."""
        if isinstance(expr, Constant) and expr.value.__class__ is int:
            assert isinstance(expr.value, int)
            return expr.value
        if isinstance(expr, Name) and (fixed := self.fixed(expr.name)) is not None:
            return number_of(fixed)
        if isinstance(expr, Apply) and expr.op in ("+", "-", "*", "u-", "u+"):
            numbers = [self.known(arg) for arg in expr.args]
            if any(number is None for number in numbers):
                return None
            a, b = [0, *(number or 0 for number in numbers)][-2:]
            return a * b if expr.op == "*" else a - b if expr.op.endswith("-") else a + b
        width = self.shape(expr)
        return None if isinstance(width, tuple) else number_of(self.bits(expr, width, width))

    def most(self, expr: Expr, context: int) -> int:
        """A number of bits that is enough for the value of an expression in a context."""
        if isinstance(expr, Constant | Name) and (number := self.known_constant(expr)) is not None:
            return min(context, max(1, number.bit_length()))
        if not isinstance(expr, Apply):
            return min(context, self.width(expr))
        sizes = [self.most(arg, context) for arg in expr.args] if expr.op in ("+", "*", "&", "|", "^", "/", "%") else []
        match expr.op:
            case "+":
                return min(context, max(sizes) + 1)
            case "*":
                return min(context, sum(sizes))
            case "&":
                return min(sizes)
            case "|" | "^" | "/" | "%":
                return max(sizes)
            case "?:" | "$ND":
                return max(self.most(arg, context) for arg in expr.args[expr.op == "?:" :])
            case ">>" | ">>>":
                return self.most(expr.args[0], context)
            case "-" | "u-" | "u~" | "~&" | "~|" | "~^" | "<<" | "<<<":
                return context
        return min(context, self.width(expr))

    def known_constant(self, expr: Expr) -> int | None:
        fixed = expr if isinstance(expr, Constant) else self.fixed(expr.name) if isinstance(expr, Name) else None
        return None if fixed is None else number_of(fixed)

    def is_signed(self, expr: Expr) -> bool:
        """May an expression be negative? Integers may, and so may expressions of integers and plain numbers only."""
        if isinstance(expr, Constant):
            return expr.value.__class__ is int
        if isinstance(expr, Name):
            fixed = self.fixed(expr.name)
            return "integer" in self.signal(expr).words if fixed is None else fixed.value.__class__ is int
        return expr.op in ("+", "-", "*", "u-", "u+") and all(map(self.is_signed, expr.args))

    def array(self, expr: Expr) -> VerilogSignal | None:
        """The array with this name, if there is one."""
        if not isinstance(expr, Name) or self.fixed(expr.name) is not None:
            return None
        signal = self.signal(expr)
        return signal if signal.is_array else None
