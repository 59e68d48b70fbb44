"""The formula that a certificate of a linear property proves: of LTL, or an equivalent LTL formula for a formula of PSL."""

from __future__ import annotations

from coarsest import tuning
from coarsest.errors import LimitExceeded
from coarsest.evidence.effort import NotConfirmed
from coarsest.logic.expr import Expr
from coarsest.model.machine import Property
from coarsest.run import Limits, Run


def linear_formula(claim: Property) -> Expr:
    """A formula of LTL; raises NotConfirmed if LTL cannot express a sequence."""
    if claim.kind.is_ltl:
        return claim.formula
    from coarsest.automata.psl.psl_to_ltl import psl_to_ltl
    from coarsest.logic.psl.psl_from_expr import psl_from_expr

    try:
        linear = psl_to_ltl(psl_from_expr(claim.formula), Run(Limits(steps=tuning.CERTIFICATE_FORMULA_PARTS)))
    except LimitExceeded:
        raise NotConfirmed("its sequences become large as formulas of LTL") from None
    if linear is None:
        raise NotConfirmed("it has a sequence that cannot be written in LTL")
    size: dict[int, int] = {}  # as trees
    for part in linear.subformulas():
        size[part.number] = 1 + sum(size[arg.number] for arg in part.args)
    if size[linear.number] > tuning.CERTIFICATE_FORMULA_PARTS:
        raise NotConfirmed("its sequences become large as formulas of LTL")
    return linear.to_expr()
