"""Linear formulas on the product with the automaton of the violations, encoded in variables."""

from __future__ import annotations

from coarsest.check.products.lassos import violation_beside
from coarsest.check.products.ltl import automaton_product
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Linear, Question
from coarsest.check.setting.session import Session
from coarsest.options.engines import BesideTheModel, Encoding


def objection(question: Question[Linear], session: Session) -> str:
    return "" if session.spaces.carrier == "bdd" else "the variables of an automaton are beside those of the model in BDDs alone"


def decide(question: Question[Linear], session: Session) -> Finding:
    setting, options = session.setting(question.claim.roots), session.options
    product = automaton_product(
        setting.machine, question.claim.violating(), session.build, session.run,
        place=options.of(BesideTheModel).property_variables, encoding=options.of(Encoding).encoding,
    )  # fmt: skip
    return violation_beside(product, session, setting)
