"""CTL formulas in the form that certificates prove: negations only before conditions, and six temporal operators.

    AX p   EX p   AU p q   EU p q   EG p   AR p q       AR is the dual of EU; the dual of AU is EG or EU
    complement p                                        a condition that is false

The other operators are expressed by these; bounded operators are unfolded, step by step.
"""

from __future__ import annotations

from collections.abc import Iterator

from coarsest import tuning
from coarsest.evidence.effort import NotConfirmed
from coarsest.logic.branching.ctl import bounds, is_temporal
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, subexpressions
from coarsest.logic.temporal_operators import CTL_BOUNDED

COMPLEMENT = "complement"

QUANTIFIED = frozenset({"AX", "EX", "AU", "EU", "EG", "AR"})


def normal(formula: Expr, *, negated: bool = False) -> Expr:
    """The formula, or its negation, with the operators of certificates.

    >>> from coarsest.logic.parse import parse_expression
    >>> normal(parse_expression("AG p")) == Apply("AR", (FALSE, parse_expression("p")))
    True
    """
    if not is_temporal(formula):
        return _not(formula) if negated else formula
    assert isinstance(formula, Apply)
    op, args = formula.op, formula.args
    if op in CTL_BOUNDED:
        return normal(_unfolded(formula), negated=negated)
    match op:
        case "not":
            return normal(args[0], negated=not negated)
        case "and" | "or":
            return Apply("or" if (op == "or") != negated else "and", tuple(normal(arg, negated=negated) for arg in args))
        case "implies":
            return normal(Apply("or", (_not(args[0]), args[1])), negated=negated)
        case "iff" | "xnor" | "xor":
            p, q = args
            same = (op != "xor") != negated
            cases = (Apply("and", (normal(p, negated=no), normal(q, negated=no == same))) for no in (False, True))
            return Apply("or", tuple(cases))
        case "AF" | "EF":
            return _quantified(f"{op[0]}U", (TRUE, args[0]), negated=negated)
        case "AG":
            p = normal(args[0], negated=negated)
            return Apply("EU", (TRUE, p)) if negated else Apply("AR", (FALSE, p))
    return _quantified(op, args, negated=negated)


def _quantified(op: str, args: tuple[Expr, ...], *, negated: bool) -> Expr:
    parts = [normal(arg, negated=negated) for arg in args]
    match op, parts:
        case ("AX" | "EX"), [p]:
            return Apply(("E" if (op == "EX") != negated else "A") + "X", (p,))
        case "EG", [p]:
            return Apply("AU", (TRUE, p)) if negated else Apply("EG", (p,))
        case "EU", [p, q]:
            return Apply("AR" if negated else "EU", (p, q))
        case "AU", [p, q]:
            if not negated:
                return Apply("AU", (p, q))
            return Apply("or", (Apply("EG", (q,)), Apply("EU", (q, Apply("and", (p, q))))))
    raise NotConfirmed(f"'{op}' occurs in the formula")


def _not(formula: Expr) -> Expr:
    """The formula is not true. This is not `not p`: if p is a choice, both `p` and `not p` can be true."""
    if formula in (TRUE, FALSE):
        return FALSE if formula == TRUE else TRUE
    if is_temporal(formula):
        return Apply("not", (formula,))
    return formula.args[0] if isinstance(formula, Apply) and formula.op == COMPLEMENT else Apply(COMPLEMENT, (formula,))


def _unfolded(formula: Apply) -> Expr:
    """A bounded operator, step by step. E[FALSE U p] says that p is true now and a fair path begins here."""
    low, high = bounds(formula)
    if high > tuning.CERTIFICATE_STEPS_UNFOLDED:
        raise NotConfirmed(f"a bound of more than {tuning.CERTIFICATE_STEPS_UNFOLDED} steps occurs in the formula")
    op, args = formula.op, formula.args[2:]
    if op in ("ABF", "ABG"):
        dual = Apply({"ABF": "EBG", "ABG": "EBF"}[op], (*formula.args[:2], _not(args[0])))
        return Apply("not", (_unfolded(dual),))
    if op == "ABU":
        return Apply("not", (_avoiding(args[0], args[1], low, high),))
    p, q = (TRUE, args[0]) if op == "EBF" else (args[0], args[-1])
    result: Expr = _now(q)
    for position in range(high - 1, -1, -1):
        later = Apply("EX", (result,))
        inside = position >= low
        if op == "EBG":
            result = Apply("and", (p, later)) if inside else later
        else:
            result = Apply("and", (p, later)) if p != TRUE else later
            result = Apply("or", (_now(q), result)) if inside else result
    return result


def _avoiding(p: Expr, q: Expr, low: int, high: int) -> Expr:
    """There is a fair path on which q is never true between the bounds while p lasts."""
    not_p, not_q = _not(p), _not(q)
    result = _now(not_q)
    for position in range(high - 1, -1, -1):
        result = Apply("or", (_now(not_p), Apply("EX", (result,))))
        result = Apply("and", (not_q, result)) if position >= low else result
    return result


def _now(p: Expr) -> Expr:
    return Apply("EU", (FALSE, p))


def require_provable(formula: Expr, *, about_inputs: bool) -> None:
    """Raise NotConfirmed if certificates cannot prove the formula: an unfolded bounded operator forgets the inputs."""
    bounded = any(isinstance(part, Apply) and part.op in CTL_BOUNDED for part in subexpressions(formula))
    if bounded and about_inputs:
        raise NotConfirmed("the formula has bounded operators, and it or fairness is about inputs")


def parts_to_prove(formula: Expr) -> list[Expr]:
    """The parts of a normal formula that begin with a path quantifier, inner ones first, equal ones once."""
    return list(dict.fromkeys(_quantified_parts(formula)))


def _quantified_parts(formula: Expr) -> Iterator[Expr]:
    if isinstance(formula, Apply) and not is_condition(formula):
        for arg in formula.args if formula.op != COMPLEMENT else ():
            yield from _quantified_parts(arg)
        if formula.op in QUANTIFIED:
            yield formula


def is_condition(formula: Expr) -> bool:
    """Is a normal formula one expression of the model?"""
    if not isinstance(formula, Apply):
        return True
    return formula.op not in QUANTIFIED and formula.op != COMPLEMENT and all(map(is_condition, formula.args))
