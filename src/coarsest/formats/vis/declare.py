"""Signals from declarations: several declarations of one name complete one another, as in `input x; wire [3:0] x;`."""

from __future__ import annotations

from collections.abc import Iterable

from coarsest.errors import ModelProblem, NameProblem, Unsupported
from coarsest.formats.vis.bits import Shape
from coarsest.formats.vis.lower import ExpressionLowering
from coarsest.formats.vis.parsing.expressions import UNSIZED
from coarsest.formats.vis.parsing.syntax import IndexRange, VerilogDeclaration
from coarsest.formats.vis.scope import VerilogScope, VerilogSignal
from coarsest.logic.expr import Constant, Expr, Word
from coarsest.logic.words import WIDEST_WORD
from coarsest.text import MOST_COUNTED


def declared_signals(scope: VerilogScope, declarations: Iterable[VerilogDeclaration], constants: ExpressionLowering) -> None:
    """Add the signals of a module, routine or block to its scope."""
    for declaration in declarations:
        if declaration.name in scope.constants:
            raise NameProblem(f"`{declaration.name}` is already a parameter", declaration.span)
        before = scope.signals.get(declaration.name)
        signal = _signal(scope, declaration, constants)
        if before is None:
            scope.signals[declaration.name] = signal
            continue
        if declaration.bounds is not None or declaration.type:
            before.shape, before.left, before.right = signal.shape, signal.left, signal.right
        if signal.is_array:
            before.is_array, before.first, before.last = True, signal.first, signal.last
        before.words |= signal.words


def _signal(scope: VerilogScope, declaration: VerilogDeclaration, constants: ExpressionLowering) -> VerilogSignal:
    words = declaration.words
    left, right = (UNSIZED - 1, 0) if "integer" in words else (0, 0)
    if declaration.bounds is not None:
        left, right = _numbers(declaration.bounds, constants)
    width = abs(left - right) + 1
    shape: Shape = constants.design.types[declaration.type] if declaration.type else width
    if width > WIDEST_WORD:
        raise ModelProblem(f"a signal of {width} bits", declaration.span, hint=f"the width must be from 1 to {WIDEST_WORD}")
    signal = VerilogSignal(f"{scope.prefix}{declaration.name}", shape, words, declaration.span, left, right)
    if declaration.array is not None:
        signal.is_array = True
        signal.first, signal.last = _numbers(declaration.array, constants)
        if signal.length > MOST_COUNTED:
            raise Unsupported(f"an array of {signal.length} elements", declaration.span)
    return signal


def _numbers(bounds: IndexRange, constants: ExpressionLowering) -> tuple[int, int]:
    return constants.number(bounds.left), constants.number(bounds.right)


def constant_value(value: Expr, constants: ExpressionLowering) -> Constant:
    """The value of a parameter: a number, or a value of an enumerated type."""
    shape = constants.shape(value)
    if isinstance(shape, tuple):
        symbol = constants.enumerated(value)
        if isinstance(symbol, Constant):
            return symbol
    elif isinstance(value, Constant):
        return value
    elif (number := constants.known(value)) is not None:
        if constants.is_signed(value):
            return Constant(number, value.span)
        return Constant(number if shape == 1 else Word(number & ((1 << shape) - 1), shape))
    raise ModelProblem("the value of a parameter must be constant", value.span)
