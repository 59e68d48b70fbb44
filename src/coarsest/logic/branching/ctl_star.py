"""CTL*: path quantifiers before any linear formula, with state formulas anywhere in it.

`A (φ)` and `E (φ)` quantify over paths; φ is a linear formula whose atoms may be CTL* state formulas. The operators of CTL are a
quantifier and a linear operator: AG p is A (G p).
"""

from __future__ import annotations

from coarsest.errors import InputError, Unsupported
from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import Apply, Expr, subexpressions
from coarsest.logic.operators import BOOLEAN_CONNECTIVES
from coarsest.logic.temporal_operators import CTL_OPERATORS, LTL_OPERATORS, LTL_PAST, PATH_QUANTIFIERS


def is_ctl_star(formula: Expr) -> bool:
    """Does the formula have a path quantifier of its own?"""
    return any(isinstance(part, Apply) and part.op in PATH_QUANTIFIERS for part in subexpressions(formula))


def require_state_formula(formula: Expr) -> None:
    """Raise an InputError where a linear operator has no path quantifier above it."""
    if not is_temporal(formula):
        return
    assert isinstance(formula, Apply)
    if formula.op in LTL_OPERATORS:
        hint = f"put a path quantifier before it: `A ({formula.op} …)` or `E ({formula.op} …)`"
        raise InputError(f"'{formula.op}' speaks about one path, but no path is given here", formula.span, hint=hint)
    if formula.op in PATH_QUANTIFIERS:
        for state_formula in state_formulas(formula.args[0]):
            require_state_formula(state_formula)
    elif formula.op in CTL_OPERATORS or formula.op in BOOLEAN_CONNECTIVES:
        for part in formula.args:
            require_state_formula(part)
    else:
        raise InputError(f"a temporal formula cannot stand under '{formula.op}'", formula.span)


def state_formulas(path_formula: Expr) -> list[Expr]:
    """The largest parts of a path formula that are state formulas with path quantifiers in them."""
    if not is_temporal(path_formula):
        return []
    assert isinstance(path_formula, Apply)
    if path_formula.op in CTL_OPERATORS or path_formula.op in PATH_QUANTIFIERS:
        return [path_formula]
    if path_formula.op in LTL_PAST:
        raise Unsupported(f"'{path_formula.op}' looks into the past, which CTL* formulas cannot do here", path_formula.span)
    return [inner for part in path_formula.args for inner in state_formulas(part)]
