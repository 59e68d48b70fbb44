"""LTL and PSL properties: the verdict, and a lasso where it fails."""

from __future__ import annotations

from collections.abc import Callable

from coarsest.automata.automaton import Automaton
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.check.certify.certify import certify_linear
from coarsest.check.decide.decide_ctl import enumerated_states
from coarsest.check.decide.explain import Explainer
from coarsest.check.products.ltl import Product, automaton_if_small, automaton_product, tableau_product, violation_in_product
from coarsest.check.products.ltl_partitioned import violation_by_partition
from coarsest.check.products.ltl_safety import insist_safety, violating_prefix
from coarsest.check.setting.arena import Set
from coarsest.check.setting.context import MOST_STRENGTHENINGS, Context, Decision, Setting
from coarsest.check.setting.hollow import warn_of_dead_ends, warn_of_unfair_start
from coarsest.check.setting.traces import TraceMaker
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.branching.ctl import negate
from coarsest.logic.branching.ltl_to_ctl import deterministic_as_ctl
from coarsest.logic.expr import Expr
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.model.machine import PropertyKind
from coarsest.model.parts.promote_inputs import inputs_mentioned
from coarsest.model.trace import Trace
from coarsest.search.witness import Path

MOST_VERTICES_PARTITIONED = 300
"""Larger automata are encoded in BDD variables instead of splitting the sets. Up to 256 vertices, as far as was measured,
splitting is faster (docs/decisions/0005-partitioned-by-default.md, benchmarks/ltl_engines.py)."""

MOST_STEPS_FOR_VACUITY = 3000
"""Vacuity of a formula that needs a product is looked into only if the formula itself took fewer steps than this."""

Counterexample = Callable[[], Trace]
"""There is one, and this finds it: that there is one is often all that is asked."""


def decide_ltl(context: Context, formula: Expr) -> Decision:
    """The verdict on an LTL formula over the fair paths from the initial states."""
    from_expr(formula)  # refuses what is not LTL
    setting = context.setting([formula])
    warn_of_dead_ends(context, setting)
    method = context.options.ltl_method
    before = sum(context.run.steps.values())
    # A counterexample is joined from pieces that may differ in their inputs: formulas about inputs go another way.
    about_inputs = bool(inputs_mentioned(context.machine, [formula]))
    as_ctl = None if method != "auto" or about_inputs or context.options.safety else deterministic_as_ctl(formula)
    if context.options.safety:
        insist_safety(formula, method, context.run)
    counterexample = _by_ctl(setting, as_ctl) if as_ctl is not None else _by_automaton(context, setting, formula)
    if counterexample is not None:
        return refuted(context, setting, counterexample(), formula)

    def still_holds(stronger: Expr) -> bool:
        branching = deterministic_as_ctl(stronger) if as_ctl is not None else None
        if branching is not None:
            return not _violating(setting, branching)
        return _by_automaton(context, setting, stronger) is None

    cheap = as_ctl is not None or sum(context.run.steps.values()) - before < MOST_STEPS_FOR_VACUITY
    most = MOST_STRENGTHENINGS if as_ctl is not None else 4
    warnings = context.vacuity(formula, still_holds, most=most) if cheap else ()
    return holding(context, setting, PropertyKind.LTL, formula, warnings)


def holding(context: Context, setting: Setting, kind: PropertyKind, formula: Expr, warnings: tuple[str, ...]) -> Decision:
    """The formula holds: on all states one by one if they are few, or by a certificate."""
    warn_of_unfair_start(context, setting)
    enumerated = enumerated_states(context, setting, kind, formula, holds=True)
    certified = certify_linear(context, setting, kind, formula, needed=enumerated is None)
    confirmation = enumerated or certified.confirmed
    verdict = Holds(confirmation, proof=certified.certificate)
    return Decision(verdict, confirmation is not None, warnings, doubt=certified.doubt)


def _by_automaton(context: Context, setting: Setting, formula: Expr) -> Counterexample | None:
    """A fair path on which the formula is false."""
    options, method, violation = context.options, context.options.ltl_method, from_expr(formula).negation
    if method in ("automaton", "partitioned"):
        return accepted(context, setting, ltl_to_buchi(violation, context.run))
    automaton = automaton_if_small(violation, context.run) if method == "auto" else None
    if automaton is not None:
        return accepted(context, setting, automaton)
    # What shows bad prefixes is the normal form; without need, the formula stays as it is written.
    watched = violation if options.safety and violation.is_syntactic_guarantee else negate(formula)
    place = options.property_variables
    return _by_product(context, setting, tableau_product(setting.machine, watched, context.build, context.run, place=place))


def accepted(context: Context, setting: Setting, automaton: Automaton) -> Counterexample | None:
    """A fair path of the machine that the automaton accepts."""
    options, method = context.options, context.options.ltl_method
    if method == "automaton" or (method == "auto" and automaton.states > MOST_VERTICES_PARTITIONED):
        product = automaton_product(
            setting.machine, automaton, context.build, context.run, place=options.property_variables, encoding=options.encoding
        )
        return _by_product(context, setting, product)
    found = violation_by_partition(
        setting.arena, automaton, context.run, lambda: setting.ctl.fair, fair_algorithm=options.fair
    )
    return None if found is None else lambda: setting.as_trace(found())


def _by_ctl(setting: Setting, formula: Expr) -> Counterexample | None:
    """A deterministic formula: its refutation as a CTL formula is a single path."""
    violating = _violating(setting, formula)

    def trace() -> Trace:
        explanation = Explainer(setting.ctl, setting.as_trace).explain(setting.arena.base.pick(violating), formula)
        found = explanation.longest()
        if found.loop is not None:
            return found
        last = {**found.states[-1], **{v.name: next(v.type.values()) for v in setting.arena.inputs}}
        return _continued(setting, found, setting.arena.forget(setting.arena.base.state(last)))

    return trace if violating else None


def _violating(setting: Setting, formula: Expr) -> Set:
    """The initial states from which a fair path violates the formula: where no fair path starts, none does."""
    arena, checker = setting.arena, setting.ctl
    if checker.holds_from(arena.start, formula):
        return arena.base.empty
    return (arena.start - checker.satisfying(formula)) & checker.fair


def _continued(setting: Setting, trace: Trace, here: Set) -> Trace:
    """A finite refutation that ends here, continued to a fair lasso."""
    from coarsest.evidence.explanation import join
    from coarsest.search.fair_states import fair_hull
    from coarsest.search.witness import fair_lasso

    arena = setting.arena
    space = arena.space
    hull = fair_hull(space, arena.run, space.states)
    rest = setting.as_trace(fair_lasso(space, arena.run, here & setting.ctl.fair, space.states, hull))
    return join(trace, rest)


def _by_product(context: Context, setting: Setting, product: Product) -> Counterexample | None:
    """A lasso in the product; under `--safety` a path to a bad state, where the product has any, and on."""
    context.spaces.account_for(product.space)
    as_trace = TraceMaker(context.machine, product.space, setting.inputs)
    if context.options.safety and product.bad is not None:
        prefix = violating_prefix(product, setting.arena, setting.ctl.fair, context.run)
        return None if prefix is None else lambda: _prefix_continued(setting, product, as_trace, prefix())
    lasso = violation_in_product(product, setting.arena, context.run, fair_algorithm=context.options.fair)
    return None if lasso is None else lambda: as_trace(lasso())


def _prefix_continued(setting: Setting, product: Product, as_trace: TraceMaker, prefix: Path[Set]) -> Trace:
    """A path of the product to a bad state, and on from there: with the inputs of that state, which may be what is bad."""
    system = setting.arena.base
    last = product.space.describe(prefix.states[-1])
    here = system.state({name: value for name, value in last.items() if name in system.machine.variables})
    return _continued(setting, as_trace(prefix), here)


def refuted(context: Context, setting: Setting, trace: Trace, formula: Expr | None) -> Decision:
    if context.options.confirms:
        confirm_lasso(setting.as_trace.machine, trace, formula)
    return Decision(Fails(trace), context.options.confirms)
