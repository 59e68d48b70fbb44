"""LTL on the product with a symbolic tableau of the negated formula."""

from __future__ import annotations

from coarsest.check.products.lassos import violation_beside
from coarsest.check.products.ltl import tableau_product
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Linear, Question
from coarsest.check.setting.session import Session
from coarsest.logic.branching.ctl import negate
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.options.engines import BesideTheModel


def objection(question: Question[Linear], session: Session) -> str:
    if session.spaces.carrier != "bdd":
        return "the variables of a tableau are beside those of the model in BDDs alone"
    return "" if question.claim.formula is not None else "a tableau is made from a formula of LTL, and this is not one"


def decide(question: Question[Linear], session: Session) -> Finding:
    formula, options = question.claim.formula, session.options
    assert formula is not None
    setting, violation = session.setting(question.claim.roots), from_expr(formula).negation
    # Only the normal form shows bad prefixes; otherwise, the formula stays as it is written.
    watched = violation if options.safety and violation.is_syntactic_guarantee else negate(formula)
    product = tableau_product(
        setting.machine, watched, session.build, session.run, place=options.of(BesideTheModel).property_variables
    )
    return violation_beside(product, session, setting)
