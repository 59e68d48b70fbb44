"""CTL* properties: the verdict, and a lasso for the outermost path quantifier."""

from __future__ import annotations

from coarsest.check.decide.decide_ctl import enumerated_states
from coarsest.check.products.ctl_star import CtlStarOnStates
from coarsest.check.setting.context import Context, Decision
from coarsest.check.setting.hollow import warn_of_dead_ends, warn_of_unfair_start
from coarsest.check.setting.traces import TraceMaker
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.branching.ctl import negate
from coarsest.logic.branching.ctl_star import insist_state_formula, state_formulas
from coarsest.logic.expr import Apply, Expr
from coarsest.model.machine import PropertyKind
from coarsest.model.trace import Trace


def decide_ctl_star(context: Context, formula: Expr) -> Decision:
    """The verdict on a CTL* formula in the initial states."""
    insist_state_formula(formula)
    setting = context.setting([formula])
    warn_of_dead_ends(context, setting)
    warn_of_unfair_start(context, setting)
    checker = CtlStarOnStates(setting.arena, context.run, context.build, fair_algorithm=context.options.fair)
    if not setting.arena.first - checker.satisfying(formula):
        warnings = context.vacuity(formula, lambda stronger: setting.arena.first <= checker.satisfying(stronger), most=6)
        enumerated = enumerated_states(context, setting, PropertyKind.CTL_STAR, formula, holds=True)
        doubt = "" if enumerated or not context.options.confirms else "there are no certificates of CTL*"
        return Decision(Holds(enumerated), enumerated is not None, warnings, doubt=doubt)
    match formula:
        case Apply("A", (path_formula,)):
            found = checker.lasso(negate(path_formula))
        case _:
            found = None
    trace: Trace | None = None
    confirmed = False
    if found is not None and isinstance(formula, Apply):
        product, path = found
        trace = TraceMaker(context.machine, product, setting.inputs)(path)
        linear = formula.args[0] if not state_formulas(formula.args[0]) else None
        if context.options.confirms:
            confirm_lasso(setting.as_trace.machine, trace, linear)
            confirmed = linear is not None
    confirmed = confirmed or enumerated_states(context, setting, PropertyKind.CTL_STAR, formula, holds=False) is not None
    return Decision(Fails(trace), confirmed)
