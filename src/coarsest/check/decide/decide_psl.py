"""Deciding properties of PSL: like LTL, by the automaton of the violations."""

from __future__ import annotations

from msgspec.structs import replace

from coarsest.automata.psl.psl_to_automaton import psl_to_automaton
from coarsest.check.decide.decide_ctl import enumerated_states
from coarsest.check.decide.decide_ltl import accepted, holding, refuted
from coarsest.check.setting.context import Context, Decision
from coarsest.check.setting.hollow import warn_of_dead_ends
from coarsest.evidence.replay.psl_on_lasso import confirm_false
from coarsest.logic.expr import Expr
from coarsest.logic.psl.psl import conditions
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import PropertyKind


def decide_psl(context: Context, formula: Expr) -> Decision:
    """The verdict on a PSL formula, by the automaton of its negation."""
    translated = psl_from_expr(formula)
    setting = context.setting(conditions(translated))
    warn_of_dead_ends(context, setting)
    automaton = psl_to_automaton(translated, negated=True, run=context.run)
    counterexample = accepted(context, setting, automaton)
    if counterexample is None:
        return holding(context, setting, PropertyKind.PSL, formula, ())
    trace = counterexample()
    decision = refuted(context, setting, trace, None)
    if decision.confirmed and not confirm_false(translated, trace, Interpreter(setting.as_trace.machine)):
        if enumerated_states(context, setting, PropertyKind.PSL, formula, holds=False):
            return decision
        return replace(decision, confirmed=False, doubt="the lasso was replayed, but 'abort' is not evaluated on it")
    return decision
