"""CTL by fixpoints over sets of states."""

from __future__ import annotations

from coarsest import tuning
from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Branching, Question
from coarsest.check.setting.everywhere import settled_first
from coarsest.check.setting.session import Session
from coarsest.logic.expr import Expr


def objection(question: Question[Branching], session: Session) -> str:
    return "" if question.claim.is_ctl else "it decides CTL, and this is CTL*"


def decide(question: Question[Branching], session: Session) -> Finding:
    formula = question.claim.formula
    setting = settled_first(session, session.setting([formula]), formula)
    arena, checker = setting.arena, setting.ctl

    def still_holds(stronger: Expr) -> bool:
        return checker.holds_from(arena.first, stronger)

    if still_holds(formula):
        if not arena.first:
            return Proved(still_holds=still_holds)
        explanation = session.evidence.unless_long(
            session.run,
            lambda: setting.explain(arena.first, formula),
            unasked=session.options.confirm != "always",
            at_least=tuning.EVIDENCE_WORK,
        )
        return Proved(explanation=explanation, still_holds=still_holds)
    explanation = setting.explain(arena.first - checker.satisfying(formula), formula)
    return Refuted(explanation.longest, explanation=explanation)
