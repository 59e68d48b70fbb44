"""CTL* by sets of states, and an automaton for each formula about paths."""

from __future__ import annotations

from coarsest.check.products.ctl_star import ctl_star_on
from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Branching, Question
from coarsest.check.setting.session import Session
from coarsest.logic.branching.ctl import negate
from coarsest.logic.expr import Apply, Expr
from coarsest.options.engines import FairStates


def objection(question: Question[Branching], session: Session) -> str:
    return "it decides CTL*, and CTL is written in another way" if question.claim.is_ctl else ""


def decide(question: Question[Branching], session: Session) -> Finding:
    formula = question.claim.formula
    setting = session.setting([formula])
    if setting.on_representatives is not None:
        holds, path = setting.on_representatives.ctl_star(formula)
        return Proved() if holds else Refuted(None if path is None else setting.trace(path))
    checker = ctl_star_on(setting.arena, session.run, session.build, fair_algorithm=session.options.of(FairStates).fair)

    def still_holds(stronger: Expr) -> bool:
        return bool(setting.arena.first <= checker.satisfying(stronger))

    if still_holds(formula):
        return Proved(still_holds=still_holds)
    match formula:
        case Apply("A", (path_formula,)):
            violation = checker.lasso(negate(path_formula))
            if violation is not None:
                product, path = violation
                return Refuted(setting.trace(path, product))
    return Refuted()
