"""Sequences as text that the PSL parser reads back."""

from __future__ import annotations

from coarsest.logic.expr import Apply, Expr, Name
from coarsest.logic.psl.sere import (
    Concatenation,
    Conjunction,
    Empty,
    Fusion,
    Goto,
    Intersection,
    Occurrences,
    Repetition,
    Sere,
    StateCondition,
    Union,
    Within,
)
from coarsest.logic.show import show


def show_sere(sere: Sere) -> str:
    """The text between the braces."""
    match sere:
        case Empty():
            return "[*0]"
        case StateCondition():
            return show_operand(sere.condition)
        case Concatenation():
            return f"{_item(sere.first)}; {show_sere(sere.then)}"
        case Fusion():
            return f"{_braced(sere.first)} : {_right(sere, sere.then)}"
        case Union():
            return f"{_braced(sere.one)} | {_right(sere, sere.other)}"
        case Intersection():
            return f"{_braced(sere.one)} && {_right(sere, sere.other)}"
        case Conjunction():
            return f"{_braced(sere.one)} & {_braced(sere.other)}"
        case Within():
            return f"{_braced(sere.inner)} within {_braced(sere.outer)}"
        case Repetition():
            return _item(sere.body, repeated=True) + show_times("*", sere.least, sere.most)
        case Goto():
            return show_operand(sere.condition) + show_times("->", sere.least, sere.most)
        case Occurrences():
            return show_operand(sere.condition) + show_times("=", sere.least, sere.most)


def _braced(sere: Sere) -> str:
    return "{" + show_sere(sere) + "}"


def _right(whole: Sere, part: Sere) -> str:
    # Chains lean to the right, but infix operators are read to the left: the construction turns them round again.
    return show_sere(part) if part.__class__ is whole.__class__ else _braced(part)


def _item(sere: Sere, *, repeated: bool = False) -> str:
    plain = isinstance(sere, StateCondition) or (isinstance(sere, Empty | Repetition | Goto | Occurrences) and not repeated)
    return show_sere(sere) if plain else _braced(sere)


def show_times(mark: str, least: int, most: int | None) -> str:
    """How often: `mark` is `*`, `->` or `=`; None is without end."""
    if mark == "*" and most is None and least < 2:
        return "[+]" if least else "[*]"
    if mark == "->" and least == most == 1:
        return "[->]"
    if least == most:
        return f"[{mark}{least}]"
    return f"[{mark}{least}:{'inf' if most is None else most}]"


def show_operand(expr: Expr) -> str:
    """A condition as operand: in brackets unless it is a name or a constant.

    PSL and SMV disagree on how tightly operators bind, so that every operator within has its brackets too.
    """
    if isinstance(expr, Apply) or show(expr).startswith("-"):
        return f"({show_condition(expr)})"
    return show(expr)


def show_condition(expr: Expr) -> str:
    """A condition with brackets around every operand, which has the same meaning in PSL and in SMV.

    >>> show_condition(Apply("and", (Name("a"), Apply("in", (Name("x"), Name("y"))))))
    'a & (x in y)'
    """
    if isinstance(expr, Apply):
        return show(Apply(expr.op, tuple(Name(show_operand(arg)) for arg in expr.args)))
    return show(expr)
