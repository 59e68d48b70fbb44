"""LTL formulas that are equivalent to CTL formulas, so that the faster fixpoints of CTL decide them.

Reference: Maidl 2000, "The common fragment of CTL and LTL": deterministic formulas are equivalent to themselves with an A
           before every temporal operator.
Symbols:   deterministic formulas, with p propositional:
           p | φ ∧ ψ | X φ | (p ∧ φ) ∨ (¬p ∧ ψ) | (p ∧ φ) U (¬p ∧ ψ) | (p ∧ φ) W (¬p ∧ ψ).
Invariant: if a formula is returned, it holds in a state exactly when the given one holds on all fair paths from there.
Deviates:  φ ∨ p is (¬p ∧ φ) ∨ (p ∧ TRUE), G φ is (TRUE ∧ φ) W (FALSE), F p is (¬p ∧ TRUE) U (p ∧ TRUE). The equivalence only
           needs that suffixes of paths, and paths with prefixes before them, are paths: so it holds over fair paths, too.
Cost:      linear.
"""

from __future__ import annotations

from coarsest.logic.branching.ctl import is_temporal, negate
from coarsest.logic.expr import Apply, Expr


def deterministic_as_ctl(formula: Expr) -> Expr | None:
    """The equivalent CTL formula of a deterministic LTL formula; None if the formula is not recognised as one."""
    return _translate(formula, negated=False)


LINEAR = {"AX": "X", "AG": "G", "AF": "F", "AU": "U"}


def deterministic_as_ltl(formula: Expr) -> Expr | None:
    """The equivalent LTL formula of a CTL formula, if that is a deterministic one with an A before every temporal operator."""
    linear = without_quantifiers(formula)
    return None if linear is None or _translate(linear, negated=False) is None else linear


def without_quantifiers(formula: Expr) -> Expr | None:
    """The formula of LTL without the A before each operator; None if an operator is about some paths, or negated."""
    if not is_temporal(formula):
        return formula
    assert isinstance(formula, Apply)
    op, args = formula.op, formula.args
    if not (op in LINEAR or op in ("and", "or") or (op == "implies" and not is_temporal(args[0]))):
        return None
    parts = [without_quantifiers(arg) for arg in args]
    linear = tuple(part for part in parts if part is not None)
    return Apply(LINEAR.get(op, op), linear, formula.span) if len(linear) == len(args) else None


def _translate(formula: Expr, *, negated: bool) -> Expr | None:
    if not is_temporal(formula):
        return negate(formula) if negated else formula
    assert isinstance(formula, Apply)
    op, args = formula.op, formula.args
    match op:
        case "not":
            return _translate(args[0], negated=not negated)
        case "X":
            return _under("AX", formula, args[0], negated=negated)
        case "G" | "F":
            if (op == "G") != negated:
                return _under("AG", formula, args[0], negated=negated)
            # F p, for propositional p; F F p is F p
            inner = args[0]
            while isinstance(inner, Apply) and inner.op == op:
                inner = inner.args[0]
            return None if is_temporal(inner) else Apply("AF", (negate(inner) if negated else inner,), formula.span)
        case "implies":
            return _translate(Apply("or", (negate(args[0]), args[1]), formula.span), negated=negated)
        case "and" | "or":
            return _joined(formula, conjunctive=(op == "and") != negated, negated=negated)
        case "U" if not negated and not is_temporal(args[0]) and not is_temporal(args[1]):
            return Apply("AU", args, formula.span)  # p U q is (¬q ∧ p) U (q)
    return None


def _under(quantified: str, formula: Apply, inner: Expr, *, negated: bool) -> Expr | None:
    translated = _translate(inner, negated=negated)
    return None if translated is None else Apply(quantified, (translated,), formula.span)


def _joined(formula: Apply, *, conjunctive: bool, negated: bool) -> Expr | None:
    """A conjunction of deterministic formulas, or a disjunction with at most one temporal part."""
    parts = [_translate(arg, negated=negated) for arg in formula.args]
    if any(part is None for part in parts):
        return None
    translated = tuple(part for part in parts if part is not None)
    if conjunctive:
        return Apply("and", translated, formula.span)
    if sum(is_temporal(arg) for arg in formula.args) > 1:
        return None
    return Apply("or", translated, formula.span)
