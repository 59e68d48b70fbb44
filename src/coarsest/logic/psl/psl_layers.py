"""The two layers of PSL: the optional branching one (OBE), which is CTL, and the linear one (FL).

A formula with operators of CTL and none of the linear layer is CTL. Where the two are mixed, as in the RCTL formula
`AG ({r} (AX p))`, the universal operators of CTL are read as linear ones wherever this is the same: a path quantifier A that
stands under nothing but A, `&`, `{r} |->` and implications from conditions can be drawn to the front.

Reference: Beer, Ben-David, Landver, On-the-fly model checking of RCTL formulas, 1998;
           Maidl, The common fragment of CTL and LTL, 2000.
Symbols:   none.
Invariant: a model satisfies the formula read as a branching one iff all its paths satisfy the linear one.
Deviates:  A[p U q] and AF q for conditions p and q only.
Cost:      linear.
"""

from __future__ import annotations

from coarsest.errors import Unsupported
from coarsest.logic.expr import Apply, Expr, subexpressions
from coarsest.logic.psl.sere_from_expr import is_boolean
from coarsest.logic.temporal_operators import CTL_OPERATORS, LTL_OPERATORS, PSL_OPERATORS

_LINEAR_OPERATORS = PSL_OPERATORS | LTL_OPERATORS
_LINEAR_NAME = {"AG": "always", "AX": "X", "AF": "F", "AU": "U"}


def is_branching(formula: Expr) -> bool:
    """Is it a formula of the branching layer, to be checked as CTL?

    >>> from coarsest.logic.expr import Name
    >>> is_branching(Apply("AG", (Apply("EF", (Name("a"),)),))), is_branching(Apply("always", (Name("a"),)))
    (True, False)
    """
    operators = _operators(formula)
    return bool(operators & CTL_OPERATORS) and not operators & _LINEAR_OPERATORS


def _operators(formula: Expr) -> set[str]:
    return {part.op for part in subexpressions(formula) if isinstance(part, Apply)}


def without_branching(formula: Expr) -> Expr:
    """The formula with its universal path quantifiers drawn to the front, and thereby left out."""
    if not isinstance(formula, Apply) or not _operators(formula) & CTL_OPERATORS:
        return formula
    op, args = formula.op, formula.args
    if op in ("AG", "AX") or (op in ("AF", "AU") and all(map(is_boolean, args))):
        return Apply(_LINEAR_NAME[op], tuple(map(without_branching, args)), formula.span)
    passes = op in ("and", "always", "G", "X", "next[]", "next_a", "next_a!")
    passes = passes or (op == "implies" and is_boolean(args[0]))
    passes = passes or (op == "or" and sum(not is_boolean(arg) for arg in args) <= 1)
    passes = passes or op in ("|->", "|=>")
    if passes:
        return Apply(op, tuple(map(without_branching, args)), formula.span)
    if op in CTL_OPERATORS:
        message = f"the branching operator {op} inside a linear formula"
        hint = "AG and AX may be mixed with sequences; check other formulas of CTL by themselves, with SPEC"
        raise Unsupported(message, formula.span, hint=hint)
    inner = next(part for part in subexpressions(formula) if isinstance(part, Apply) and part.op in CTL_OPERATORS)
    hint = "AG and AX may stand under `&`, `always`, `{r} |->` and implications from conditions"
    raise Unsupported(f"the branching operator {inner.op} under `{op}`", inner.span or formula.span, hint=hint)
