"""Conditions that every violation of a linear formula needs infinitely often, by its outermost operators."""

from __future__ import annotations

from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import Apply, Expr


def recurrences(formula: Expr) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """Conditions that are true infinitely often on every path that violates a formula, and the rest of the violation.

    A path violates the formula if and only if it meets all the conditions for ever, and violates all the formulas.

    >>> from coarsest.logic.parse import parse_expression
    >>> from coarsest.logic.show import show
    >>> again, others = recurrences(parse_expression("G F p -> (F G q | G (r -> F s))"))
    >>> [show(part) for part in again], [show(part) for part in others]
    (['p', '!q'], ['G (r -> F s)'])
    """
    again: list[Expr] = []
    others: list[Expr] = []
    waiting = [(formula, False)]
    while waiting:
        part, asserted = waiting.pop()
        match part:
            case Apply("not", (p,)):
                waiting.append((p, not asserted))
            case Apply("and" | "or" as op, args) if asserted == (op == "and"):
                waiting += [(arg, asserted) for arg in reversed(args)]
            case Apply("implies", (p, q)) if not asserted:
                waiting += [(q, False), (p, True)]
            case Apply("G", (Apply("F", (p,)),)) if asserted and not is_temporal(p):
                again.append(p)
            case Apply("F", (Apply("G", (p,)),)) if not asserted and not is_temporal(p):
                again.append(p.args[0] if isinstance(p, Apply) and p.op == "not" else Apply("not", (p,)))
            case _:
                others.append(Apply("not", (part,)) if asserted else part)
    return tuple(again), tuple(others)
