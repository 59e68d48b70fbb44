"""CTL and CTL-like properties: the verdict, and a tree of reasons."""

from __future__ import annotations

from coarsest.check.context import Context, Setting
from coarsest.check.explain import Explainer
from coarsest.evidence.confirm_explanation import confirm_explanation
from coarsest.evidence.verdict import Fails, Holds, Verdict
from coarsest.logic.ctl import insist_ctl
from coarsest.logic.expr import Expr


def decide_ctl(context: Context, formula: Expr) -> tuple[Verdict, bool]:
    """The verdict on a CTL formula in the initial states, and whether its evidence was confirmed."""
    insist_ctl(formula)
    setting = context.setting([formula])
    return decide_in(context, setting, formula)


def decide_in(context: Context, setting: Setting, formula: Expr) -> tuple[Verdict, bool]:
    for warning in setting.arena.warnings():
        context.warn(warning)
    arena, checker = setting.arena, setting.ctl
    violating = arena.start - checker.satisfying(formula)
    explainer = Explainer(checker, setting.as_trace)
    if violating:
        explanation = explainer.explain(arena.base.pick(violating), formula)
    elif arena.start:
        explanation = explainer.explain(arena.base.pick(arena.start), formula)
    else:
        return Holds(), True
    confirmed = False
    if context.options.confirm:
        confirm_explanation(setting.as_trace.machine, explanation)
        confirmed = all(part.complete for part in explanation.walk())
    if violating:
        return Fails(explanation.longest(), explanation), confirmed
    single = arena.base.count(arena.forget(arena.start)) == 1 or not explanation.complete
    return Holds(None, explanation if single or _shows_a_path(explanation) else None), confirmed and single


def _shows_a_path(explanation: object) -> bool:
    from coarsest.evidence.explanation import Explanation

    return isinstance(explanation, Explanation) and any(len(part.trace) > 1 for part in explanation.walk())
