"""CTL: formulas about the tree of paths that starts in a state.

A CTL formula is an expression whose temporal operators are AX EX AF EF AG EG AU EU and their bounded forms, below boolean
operators and one another only. Every temporal operator has a path quantifier.
"""

from __future__ import annotations

from coarsest.errors import InputError
from coarsest.logic.expr import Apply, Constant, Expr
from coarsest.logic.operators import BOOLEAN_CONNECTIVES
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import CTL_OPERATORS, LTL_OPERATORS, TEMPORAL_OPERATORS

_DUALS = (("AX", "EX"), ("AF", "EG"), ("AG", "EF"), ("ABF", "EBG"), ("ABG", "EBF"))
DUAL = {**dict(_DUALS), **{b: a for a, b in _DUALS}}
"""The dual of each operator: not (op p) is (dual op) (not p)."""


def is_temporal(expr: Expr) -> bool:
    """Does a temporal operator occur in the expression?"""
    visited: set[int] = set()
    waiting = [expr]
    while waiting:  # written out, because no other function is called as often
        part = waiting.pop()
        if isinstance(part, Apply) and id(part) not in visited:
            if part.op in TEMPORAL_OPERATORS:
                return True
            visited.add(id(part))
            waiting.extend(part.args)
    return False


def require_ctl(expr: Expr) -> None:
    """Raise an InputError at the first part that is not CTL."""
    if not is_temporal(expr):
        return
    assert isinstance(expr, Apply)
    if expr.op in CTL_OPERATORS:
        parts = expr.args[2:] if expr.op in ("ABF", "ABG", "EBF", "EBG", "ABU", "EBU") else expr.args
    elif expr.op in LTL_OPERATORS:
        hint = f"with a path quantifier it is CTL, for instance 'A{expr.op}'; a whole LTL formula goes under LTLSPEC"
        raise InputError(f"'{expr.op}' is an operator of LTL; this is a CTL formula", expr.span, hint=hint)
    elif expr.op in BOOLEAN_CONNECTIVES:
        parts = expr.args
    else:
        raise InputError(f"a temporal formula cannot stand under '{expr.op}'", expr.span, hint="only boolean operators may")
    for part in parts:
        require_ctl(part)


def bounds(expr: Apply) -> tuple[int, int]:
    """The two bounds of a bounded operator."""
    numbers = [arg.value for arg in expr.args[:2] if isinstance(arg, Constant) and arg.value.__class__ is int]
    match numbers:
        case [int(low), int(high)] if 0 <= low <= high:
            return low, high
        case [low, high]:
            raise InputError(f"the bounds {low}..{high} are empty or negative", expr.span)
    raise InputError(f"the bounds of '{show(expr)}' must be numbers", expr.span)


def negate(expr: Expr) -> Expr:
    """The negation, with a double negation removed."""
    return expr.args[0] if isinstance(expr, Apply) and expr.op == "not" else Apply("not", (expr,), expr.span)


def positive(expr: Expr, *, negated: bool = False) -> Expr:
    """The negation normal form, with negations before propositional formulas only."""
    if not is_temporal(expr):
        return negate(expr) if negated else expr
    assert isinstance(expr, Apply)
    op, args = expr.op, expr.args
    match op:
        case "not":
            return positive(args[0], negated=not negated)
        case "and" | "or":
            dual = {"and": "or", "or": "and"}[op] if negated else op
            return Apply(dual, tuple(positive(a, negated=negated) for a in args), expr.span)
        case "implies":
            return positive(Apply("or", (negate(args[0]), args[1]), expr.span), negated=negated)
        case "iff" | "xnor" | "xor":
            p, q = args
            same = (op != "xor") != negated
            first = Apply("and", (p, q if same else negate(q)), expr.span)
            second = Apply("and", (negate(p), negate(q) if same else q), expr.span)
            return positive(Apply("or", (first, second), expr.span))
        case "AU" | "EU" if negated:
            return _not_until(expr)
    if op in DUAL:
        *limits, p = args
        return Apply(DUAL[op] if negated else op, (*limits, positive(p, negated=negated)), expr.span)
    parts = tuple(a if isinstance(a, Constant) else positive(a) for a in args)
    result = Apply(op, parts, expr.span)
    return negate(result) if negated else result  # a negated bounded until remains


def _not_until(expr: Apply) -> Expr:
    """not A[p U q] is E[!q U !p & !q] | EG !q, and the same with the quantifiers exchanged."""
    p, q = (positive(a, negated=True) for a in expr.args)
    other = "E" if expr.op == "AU" else "A"
    if other == "A":  # !q for ever or !q until neither, on all paths: A does not distribute over that
        return negate(Apply("EU", tuple(positive(a) for a in expr.args), expr.span))
    neither = Apply("and", (p, q), expr.span)
    return Apply("or", (Apply("EU", (q, neither), expr.span), Apply("EG", (q,), expr.span)), expr.span)
