"""Linear formulas on the product with the automaton of the violations, encoded in variables."""

from __future__ import annotations

from coarsest.check.products.lassos import violation_beside
from coarsest.check.products.ltl import automaton_product
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Linear, Question
from coarsest.check.setting.workshop import Workshop
from coarsest.options.engines import BesideTheModel, Encoding


def objection(question: Question[Linear], shop: Workshop) -> str:
    return "" if shop.spaces.carrier == "bdd" else "the variables of an automaton are beside those of the model in BDDs alone"


def decide(question: Question[Linear], shop: Workshop) -> Finding:
    setting, options = shop.setting(question.claim.roots), shop.options
    product = automaton_product(
        setting.machine, question.claim.violating(), shop.build, shop.run,
        place=options.of(BesideTheModel).property_variables, encoding=options.of(Encoding).encoding,
    )  # fmt: skip
    return violation_beside(product, shop, setting)
