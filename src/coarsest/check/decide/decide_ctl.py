"""CTL and CTL-like properties: the verdict, and a tree of reasons."""

from __future__ import annotations

from coarsest.check.certify.certify import certify_ctl
from coarsest.check.decide.explain import Explainer
from coarsest.check.setting.arena import Set
from coarsest.check.setting.context import Context, Decision, Setting
from coarsest.check.setting.hollow import warn_of_dead_ends, warn_of_unfair_start
from coarsest.evidence.enumeration.by_enumeration import DEFAULT_BOUNDS, Enumerated
from coarsest.evidence.explanation import Explanation
from coarsest.evidence.replay.confirm_explanation import confirm_explanation
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.branching.ctl import insist_ctl
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.temporal_operators import CTL_OPERATORS
from coarsest.model.machine import Machine, PropertyKind
from coarsest.model.parts.promote_inputs import inputs_mentioned

NOT_FOLLOWED = "it was replayed, but not whether a fair path goes on from its end"


def decide_ctl(context: Context, formula: Expr) -> Decision:
    """The verdict on a CTL formula in the initial states."""
    insist_ctl(formula)
    setting = context.setting([formula])
    warn_of_dead_ends(context, setting)
    warn_of_unfair_start(context, setting)
    arena, checker = setting.arena, setting.ctl
    explainer = Explainer(checker, setting.as_trace)
    violating = None if checker.holds_from(arena.first, formula) else arena.first - checker.satisfying(formula)
    if violating is not None:
        explanation = explainer.explain(arena.base.pick(violating), formula)
    elif arena.first:
        explanation = explainer.explain(arena.base.pick(arena.first), formula)
    else:
        certified = certify_ctl(context, setting, formula, needed=False)
        return Decision(Holds(proof=certified.certificate), confirmed=True)
    confirmed = False
    about_inputs = bool(inputs_mentioned(context.machine, [formula]))  # whose values in its last state a path does not tell
    if context.options.confirms and not about_inputs:
        confirm_explanation(setting.as_trace.machine, explanation)
        confirmed = all(part.complete and not _ends(context.machine, part) for part in explanation.walk())
    if violating is not None:
        confirmed = confirmed or enumerated_states(context, setting, PropertyKind.CTL, formula, holds=False) is not None
        ends = not confirmed and context.options.confirms and any(_ends(context.machine, part) for part in explanation.walk())
        return Decision(Fails(explanation.longest(), explanation), confirmed, doubt=NOT_FOLLOWED if ends else "")
    # What is shown for one initial state is evidence for all only if there are no others.
    single = arena.base.count(arena.forget(arena.first)) == 1
    warnings = context.vacuity(formula, lambda stronger: checker.holds_from(arena.first, stronger))
    enumerated = enumerated_states(context, setting, PropertyKind.CTL, formula, holds=True)
    confirmed = enumerated is not None or (confirmed and single)
    certified = certify_ctl(context, setting, formula, needed=not confirmed)
    verdict = Holds(enumerated or certified.confirmed, explanation, certified.certificate)
    return Decision(verdict, confirmed or certified.confirmed is not None, warnings, doubt=certified.doubt)


def _ends(machine: Machine, claim: Explanation) -> bool:
    """Does a path end that shows something only if a fair one goes on from there?"""
    if not (machine.justice or machine.compassion) or claim.trace.loop is not None:
        return False
    return isinstance(claim.formula, Apply) and claim.formula.op in CTL_OPERATORS


def enumerated_states(context: Context, setting: Setting, kind: PropertyKind, formula: Expr, *, holds: bool) -> Enumerated | None:
    """The verdict confirmed on the states one by one, if that is wanted and they are few."""
    arena = setting.arena
    reached: Set | None = vars(arena).get("reached")  # where it is not known, finding it may cost more than giving up late
    if not context.options.confirms or (reached is not None and arena.base.count(reached) > DEFAULT_BOUNDS.states):
        return None
    return context.enumeration(setting.as_trace.machine).confirm(kind, formula, holds=holds)
