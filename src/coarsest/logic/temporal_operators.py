"""The names of temporal operators in expressions, and their arguments.

    CTL    AX EX AF EF AG EG (p)            AU EU (p, q)
           ABF ABG EBF EBG (low, high, p)   ABU EBU (low, high, p, q)        between two numbers of steps, both included
    LTL    X G F (p)                        U V (p, q)                       V is release
           Y Z H O (p)                      S T (p, q)                       the past: T is the dual of S, Z of Y
           BG BF BH BO (low, high, p)                                        G [low, high] p and so on
    CTL*   A E (p)                          on all paths, on some path: p is a linear formula, with state formulas in it
    COMPUTE  MIN MAX (p, q)                                                  shortest, longest path from p to q
    PSL    always never eventually! (f)     W until before abort @ (f, g)    until and before also strong (!) and inclusive (_)
           next[] (n, f)    next_a next_e (low, high, f)    next_event (b, f)    next_event[] (b, n, f)
           next_event_a next_event_e (b, low, high, f)      all also strong (!);  next and X are X
           |-> |=> (r, f)   within (r, b, s)    whilenot (b, s)    sere (r)      also strong (!)
           forall (f)                                              one of very many instances: others are written out
    SERE   ; (r, s, …)  : && & | within (r, s)     [*] [=] [->] (r, low[, high]) a number of times; without high, without limit
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from coarsest.errors import TypeProblem, Unsupported
from coarsest.logic.expr import Apply, Constant, Expr, subexpressions

LARGEST_BOUND: Final = 1000
"""Bounded operators are unfolded step by step; larger bounds would make huge formulas."""

CTL_UNARY = frozenset({"AX", "EX", "AF", "EF", "AG", "EG"})
CTL_BINARY = frozenset({"AU", "EU"})
CTL_BOUNDED = frozenset({"ABF", "ABG", "EBF", "EBG", "ABU", "EBU"})
CTL_OPERATORS = CTL_UNARY | CTL_BINARY | CTL_BOUNDED

LTL_FUTURE = frozenset({"X", "G", "F", "U", "V", "BG", "BF"})
LTL_PAST = frozenset({"Y", "Z", "H", "O", "S", "T", "BH", "BO"})
LTL_OPERATORS = LTL_FUTURE | LTL_PAST

PATH_QUANTIFIERS = frozenset({"A", "E"})

COMPUTE_OPERATORS = frozenset({"MIN", "MAX"})

SERE_OPERATORS = frozenset({"sere", ";", ":", "&&", "&", "|", "[*]", "[=]", "[->]"})
PSL_OPERATORS = SERE_OPERATORS | frozenset(
    word + strength
    for words, strengths in (
        ("always never abort @ W next[] forall", ("",)),
        ("eventually sere", ("!",)),
        ("until before within whilenot", ("", "!", "_", "!_")),
        ("next_a next_e next_event next_event[] next_event_a next_event_e", ("", "!")),
        ("|-> |=>", ("", "!")),
    )
    for word in words.split()
    for strength in strengths
)

TEMPORAL_OPERATORS = CTL_OPERATORS | LTL_OPERATORS | PATH_QUANTIFIERS | COMPUTE_OPERATORS


_TEMPORAL = TEMPORAL_OPERATORS | PSL_OPERATORS


def boolean_parts(formula: Expr) -> list[Expr]:
    """The largest parts without temporal operators, without repetition, from left to right, except bounds and constants. Their
    values decide the formula."""
    return list(dict.fromkeys(_parts(formula)))


def _parts(formula: Expr) -> Iterator[Expr]:
    if isinstance(formula, Apply) and any(isinstance(part, Apply) and part.op in _TEMPORAL for part in subexpressions(formula)):
        for part in formula.args:
            yield from _parts(part)
    elif not isinstance(formula, Constant):
        yield formula


def bound_of(expr: Expr) -> int:
    """The bound of an operator, which is unfolded that many times, so it must not be large."""
    value = expr.value if isinstance(expr, Constant) else None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeProblem("a bound is a number, 0 or more", expr.span)
    if value > LARGEST_BOUND:
        raise Unsupported(f"the bound {value} is larger than {LARGEST_BOUND}", expr.span)
    return value
