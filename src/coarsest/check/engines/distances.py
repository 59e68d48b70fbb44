"""COMPUTE MIN and MAX: a number instead of a verdict."""

from __future__ import annotations

from coarsest.check.questions.finding import Computed, Finding
from coarsest.check.questions.question import Quantity, Question
from coarsest.check.setting.session import Session
from coarsest.logic.expr import Apply
from coarsest.search.quantities import fewest_steps, most_steps


def decide(question: Question[Quantity], session: Session) -> Finding:
    formula = question.claim.formula
    assert isinstance(formula, Apply)
    setting = session.setting([formula])
    checker, space = setting.ctl, setting.arena.space
    start, goal = (checker.satisfying(arg) & checker.fair for arg in formula.args)
    if not start:
        unfair = checker.satisfying(formula.args[0])
        where = "no fair path starts in a reachable state with" if unfair else "no reachable state has"
        return Computed("undefined", f"{where} {session.show(formula.args[0])}")
    if formula.op == "MIN":
        steps, which, without = fewest_steps(space, session.run, start, goal), "shortest", "no path leads there"
    else:
        steps, which, without = most_steps(space, session.run, start, goal, checker.fair), "longest", "some path never gets there"
    if steps is None:
        return Computed("infinity", without)
    return Computed(steps, f"the {which} path takes {steps} step{'s' * (steps != 1)}")
