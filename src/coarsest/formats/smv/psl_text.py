"""Formulas of PSL as text, with brackets everywhere: only the boolean parts use precedence."""

from __future__ import annotations

from collections.abc import Callable

from coarsest.errors import Unsupported
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.psl.show_sere import show_times
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import CTL_UNARY, PSL_OPERATORS

_CONNECTIVES = {"and": "&", "or": "|", "xor": "xor", "xnor": "xnor", "implies": "->", "iff": "<->"}


def psl_text(formula: Expr) -> str:
    """PSL text that parses back to an equal formula, except for brackets around chains of `&` and `|`.

    >>> from coarsest.logic.expr import Name
    >>> psl_text(Apply("always", (Apply("|=>", (Apply("sere", (Name("a"),)), Name("b"))),)))
    'always ({a} |=> (b))'
    """
    if not isinstance(formula, Apply):
        return show(formula)
    op = formula.op
    if op in CTL_UNARY or op in ("X", "G", "F", "always", "never", "eventually!"):
        return f"{op} {_operand(formula.args[0])}"
    if op in PSL_OPERATORS or op == "U":
        return _SHOW.get(op.rstrip("!_"), _infix)(formula)
    if op in _CONNECTIVES:
        return f" {_CONNECTIVES[op]} ".join(f"({psl_text(arg)})" for arg in formula.args)
    if op == "not":
        return f"!({psl_text(formula.args[0])})"
    return show(formula)


def _operand(formula: Expr) -> str:
    """A formula in brackets, except for sequences: NuSMV does not accept brackets around them."""
    shown = psl_text(formula)
    return shown if isinstance(formula, Apply) and formula.op == "sere" else f"({shown})"


def _infix(formula: Apply) -> str:
    return f"({psl_text(formula.args[0])}) {formula.op} ({psl_text(formula.args[1])})"


def _suffix_implication(formula: Apply) -> str:
    sequence, consequence = formula.args
    right = _operand(consequence)
    return f"{psl_text(sequence)} {formula.op.rstrip('!')} {right}" + ("!" if formula.op.endswith("!") else "")


def _in_brackets(formula: Apply) -> str:
    return f"[({psl_text(formula.args[0])}) {formula.op} ({psl_text(formula.args[1])})]"


def _sequence(formula: Apply) -> str:
    inner = formula.args[0]
    parts = inner.args if isinstance(inner, Apply) and inner.op == ";" else (inner,)
    return "{" + "; ".join(map(_item, parts)) + "}" + formula.op.removeprefix("sere")


def _item(part: Expr) -> str:
    if isinstance(part, Apply) and part.op in (":", "&&", "&", "|", "within"):
        return f"{_item(part.args[0])} {part.op} {_item(part.args[1])}"
    if isinstance(part, Apply) and part.op in ("[*]", "[=]", "[->]"):
        bounds = [show(bound) for bound in part.args[1:]]
        if not all(bound.isdecimal() for bound in bounds):  # checking the formula will raise an error
            return f"{_item(part.args[0])}[{part.op[1:-1]}{':'.join(dict.fromkeys(bounds))}]"
        least, *most = map(int, bounds)
        return _item(part.args[0]) + show_times(part.op[1:-1], least, most[0] if most else None)
    return psl_text(part)


def _next_range(formula: Apply) -> str:
    op = formula.op.replace("[]", "")
    *before, inner = formula.args
    condition = f"({psl_text(before.pop(0))})" if "event" in op else ""
    bounds = f"[{':'.join(map(show, before))}]" if before else ""
    return f"{op}{condition}{bounds} ({psl_text(inner)})"


def _within(formula: Apply) -> str:
    *limits, sequence = map(psl_text, formula.args)
    return f"{formula.op} ({', '.join(limits)}) {sequence}"


def _too_many(formula: Apply) -> str:
    raise Unsupported("a formula with too many instances cannot be written", formula.span)


_SHOW: dict[str, Callable[[Apply], str]] = {
    "|->": _suffix_implication,
    "|=>": _suffix_implication,
    "U": _in_brackets,
    "W": _in_brackets,
    "sere": _sequence,
    "forall": _too_many,
    "within": _within,
    "whilenot": _within,
    **dict.fromkeys(("next[]", "next_a", "next_e", "next_event", "next_event[]", "next_event_a", "next_event_e"), _next_range),
}
