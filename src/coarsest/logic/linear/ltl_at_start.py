"""What a formula says in the first position of a word, where nothing lies in the past."""

from __future__ import annotations

from coarsest.logic.linear.ltl import PAST, Ltl


def at_start(formula: Ltl) -> Ltl:
    """A formula with the same truth in the first position (not in others), without past operators outside of future ones.

    >>> from coarsest.logic.linear.ltl_from_expr import from_expr
    >>> from coarsest.logic.parse import parse_expression
    >>> print(at_start(from_expr(parse_expression("O p & G (q -> O p) & Z r"))))
    p & G (!q | O p)
    """
    table = formula.table
    if not formula.traits & PAST:
        return formula
    match formula.op:
        case "and" | "or":
            return table.make(formula.op, tuple(at_start(arg) for arg in formula.args))
        case "Y":
            return table.false
        case "Z":
            return table.true
        case "S" | "T":
            return at_start(formula.args[1])
    return formula
