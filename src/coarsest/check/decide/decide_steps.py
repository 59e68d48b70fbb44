"""Deciding LTL about steps, `F x = next(x)`: on a machine that remembers what its steps were like."""

from __future__ import annotations

from msgspec.structs import replace

from coarsest.check.decide.decide_ltl import decide_ltl
from coarsest.check.setting.context import Context, Decision
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.logic.expr import Expr
from coarsest.model.machine import Property
from coarsest.model.parts.cone_of_influence import restrict_to
from coarsest.model.parts.watch import WATCH, with_steps_remembered
from coarsest.model.trace import Trace

MOST_STRENGTHENINGS = 4


def decide_about_steps(context: Context, claim: Property) -> Decision:
    """The verdict on an LTL formula with next() over the fair paths from the initial states."""
    decision = _on_remembered_steps(context, claim.formula)
    match decision.verdict:
        case Fails(Trace() as trace):
            own = _without_watches(trace)
            if context.options.confirms:
                variables = frozenset(own.states[0]).union(*own.inputs[:1])
                confirm_lasso(restrict_to(context.machine, variables), own, claim.formula)
            return replace(decision, verdict=Fails(own))
        case Holds(certificate):
            # A certificate for others would be about a machine that they do not have.
            decision = replace(decision, verdict=Holds(certificate), warnings=_vacuity(context, claim))
    return decision


def _on_remembered_steps(context: Context, formula: Expr, *, confirm: bool = True) -> Decision:
    machine, remembered = with_steps_remembered(context.machine, formula, context.watches)
    options = replace(context.options, vacuity=False, certificates=False)
    inner = Context(machine, context.build, options if confirm else replace(options, confirm="never"), context.run)
    inner.spaces = context.spaces
    if inner.setting([remembered]).arena.stuck:
        because = "next() in LTL needs a successor of every reachable state"
        return Decision(Unknown(f"{because} (an INVARSPEC with next() is about the steps that there are)"))
    decision = decide_ltl(inner, remembered)
    context.warn_as(inner)
    return decision


def _vacuity(context: Context, claim: Property) -> tuple[str, ...]:
    def still_holds(stronger: Expr) -> bool:
        return isinstance(_on_remembered_steps(context, stronger, confirm=False).verdict, Holds)

    return context.vacuity(claim.formula, still_holds, most=MOST_STRENGTHENINGS)


def _without_watches(trace: Trace) -> Trace:
    """The trace as one of the machine that remembers nothing."""
    states = tuple({name: value for name, value in state.items() if not name.startswith(WATCH)} for state in trace.states)
    return replace(trace, states=states)
