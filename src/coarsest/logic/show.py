"""Expressions as SMV text, with no more brackets than parsing needs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from coarsest.logic.expr import Apply, Constant, Expr, Name, Word, subexpressions
from coarsest.logic.operators import CONDITIONAL, INFIX, POSTFIX, PREFIX, SYMBOL_OF, TEMPORAL
from coarsest.logic.reals import show_real
from coarsest.logic.temporal_operators import CTL_UNARY, PATH_QUANTIFIERS

_ATOM: Final = POSTFIX + 1
_UNARY_LTL = frozenset({"X", "Y", "Z", "G", "F", "H", "O"})
_BINARY_LTL = frozenset({"U", "V", "S", "T"})
_BOUNDED_LTL = {"BG": "G", "BF": "F", "BH": "H", "BO": "O"}


def show(expr: Expr) -> str:
    """SMV text that parses back to an equal expression.

    >>> from coarsest.logic.parse import parse_expression
    >>> show(parse_expression("(a -> b) -> (c -> (d = 0 & AG (x)))"))
    '(a -> b) -> c -> d = 0 & AG x'
    """
    return _show(expr)[0]


def _show(expr: Expr) -> tuple[str, int]:
    """The text, and the level of its outermost operator."""
    if isinstance(expr, Name):
        return expr.name, _ATOM
    if isinstance(expr, Constant):
        return _constant(expr)
    op, args = expr.op, expr.args
    symbol = SYMBOL_OF.get(op)
    if symbol is not None and op != "?:":
        return _infix(symbol, args)
    if op in CTL_UNARY or op in _UNARY_LTL:
        return f"{op} {_bracketed(args[0], TEMPORAL)}", TEMPORAL
    if op in PATH_QUANTIFIERS:
        return f"{op} ({_show(args[0])[0]})", TEMPORAL
    return _SPECIAL.get(op, _function)(expr)


def _constant(constant: Constant) -> tuple[str, int]:
    value = constant.value
    if isinstance(value, bool):
        return ("TRUE" if value else "FALSE"), _ATOM
    if isinstance(value, Fraction):
        return show_real(value), PREFIX if value < 0 else _ATOM
    if (isinstance(value, int) and value < 0) or (isinstance(value, Word) and value.value < 0):
        return str(value), PREFIX
    return str(value), _ATOM


def _bracketed(expr: Expr, least: int) -> str:
    text, level = _show(expr)
    return text if level >= least else f"({text})"


def _infix(symbol: str, args: tuple[Expr, ...]) -> tuple[str, int]:
    level, right, op = INFIX[symbol]
    first = args[0]
    # The parser joins chains to the left, so an equal operator there needs brackets; for `->` this holds on the right.
    merges = right == level or (op in ("and", "or") and isinstance(first, Apply) and first.op == op)
    parts = [_bracketed(first, level + merges)]
    parts.extend(_bracketed(arg, right) for arg in args[1:])
    if symbol == "..":
        return "..".join(parts), level
    return f" {symbol} ".join(parts), level


def _minus(expr: Apply) -> tuple[str, int]:
    operand = _bracketed(expr.args[0], PREFIX)
    if isinstance(expr.args[0], Constant) or operand.startswith("-"):  # `-3` is a number and `--` begins a comment
        operand = f"({operand})"
    return "-" + operand, PREFIX


def _conditional(expr: Apply) -> tuple[str, int]:
    condition, then, otherwise = expr.args
    text = f"{_bracketed(condition, CONDITIONAL + 1)} ? {show(then)} : {_bracketed(otherwise, CONDITIONAL)}"
    return text, CONDITIONAL


def _case(expr: Apply) -> tuple[str, int]:
    pairs = zip(expr.args[::2], expr.args[1::2])
    return "case " + " ".join(f"{show(condition)} : {show(value)};" for condition, value in pairs) + " esac", _ATOM


def _bits(expr: Apply) -> tuple[str, int]:
    word, high, low = expr.args
    return f"{_bracketed(word, POSTFIX)}[{show(high)} : {show(low)}]", _ATOM


def _bounded(expr: Apply) -> tuple[str, int]:
    low, high, formula = expr.args
    operand = _bracketed(formula, TEMPORAL)
    if expr.op in _BOUNDED_LTL:
        return f"{_BOUNDED_LTL[expr.op]} [{show(low)}, {show(high)}] {operand}", TEMPORAL
    return f"{expr.op} {show(low)}..{show(high)} {operand}", TEMPORAL


def _until(expr: Apply) -> tuple[str, int]:
    left, right = map(_operand_of_until, expr.args)
    return f"{expr.op[0]} [{left} U {right}]", TEMPORAL


def _operand_of_until(expr: Expr) -> str:
    """An operand in A [p U q], where the first U without brackets is the one in the middle."""
    linear = any(isinstance(part, Apply) and part.op in _BINARY_LTL for part in subexpressions(expr))
    return f"({show(expr)})" if linear else show(expr)


def _bounded_until(expr: Apply) -> tuple[str, int]:
    low, high, left, right = map(_operand_of_until, expr.args)
    return f"{expr.op[0]} [{left} BU {low}..{high} {right}]", TEMPORAL


def _function(expr: Apply) -> tuple[str, int]:
    return f"{expr.op}({', '.join(map(show, expr.args))})", _ATOM


_SPECIAL: dict[str, Callable[[Apply], tuple[str, int]]] = {
    "not": lambda expr: ("!" + _bracketed(expr.args[0], PREFIX), PREFIX),
    "neg": _minus,
    "?:": _conditional,
    "set": lambda expr: ("{" + ", ".join(map(show, expr.args)) + "}", _ATOM),
    "case": _case,
    "bits": _bits,
    "index": lambda expr: (f"{_bracketed(expr.args[0], POSTFIX)}[{show(expr.args[1])}]", _ATOM),
    ".": lambda expr: (f"{_bracketed(expr.args[0], POSTFIX)}.{show(expr.args[1])}", _ATOM),
    **dict.fromkeys(("BG", "BF", "BH", "BO", "ABF", "ABG", "EBF", "EBG"), _bounded),
    **dict.fromkeys(("AU", "EU"), _until),
    **dict.fromkeys(("ABU", "EBU"), _bounded_until),
    **dict.fromkeys(("MIN", "MAX"), lambda expr: (f"{expr.op} [{show(expr.args[0])}, {show(expr.args[1])}]", _ATOM)),
}
