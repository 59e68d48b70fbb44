"""CTL and CTL*: from a formula to a question, to an engine, and from what it finds to a judged decision."""

from __future__ import annotations

from typing import Any

from coarsest import tuning
from coarsest.check.certify.certify import certify_ctl
from coarsest.check.certify.enumerated import on_all_states
from coarsest.check.questions.finding import Finding, Proved, Refuted, Undecided
from coarsest.check.questions.question import Branching, Question
from coarsest.check.setting.everywhere import settled_first
from coarsest.check.setting.model_warnings import warn_of_dead_ends, warn_of_unfair_start
from coarsest.check.setting.session import Decision, Session, Setting
from coarsest.evidence.confirmation import UNASKED, Confirmation, Replayed, Unconfirmed
from coarsest.evidence.explanation import Explanation
from coarsest.evidence.replay.confirm_explanation import confirm_explanation
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.logic.branching.ctl import require_ctl
from coarsest.logic.branching.ctl_star import require_state_formula, state_formulas
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.temporal_operators import CTL_OPERATORS
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.part import Part
from coarsest.model.parts.promote_inputs import inputs_mentioned
from coarsest.options.engines import BRANCHING, engine_for

NOT_LINEAR = "one path alone does not show it, and there are many states"
NOT_FOLLOWED = "it was replayed, but not whether a fair path goes on from its end"


def decide(session: Session, claim: Property) -> Decision:
    """The verdict on a formula in the initial states."""
    formula, of_ctl = claim.formula, claim.kind.is_ctl
    (require_ctl if of_ctl else require_state_formula)(formula)
    setting = session.setting([formula])
    engine = engine_for(BRANCHING, session.options.engine, "fixpoints" if of_ctl else "fixpoints-and-automata")
    if engine.name == "fixpoints" and of_ctl:
        setting = settled_first(session, setting, formula)
    warn_of_dead_ends(session, setting)
    warn_of_unfair_start(session, setting, needed=True)
    finding = engine.decide(Question(Part(setting.own), Branching(formula, of_ctl)), session)
    if isinstance(finding, Undecided):
        return Decision(Unknown(finding.because), facts=finding.facts)
    return (_judged if of_ctl else _judged_star)(session, setting, claim, finding)


# CTL


def _judged(session: Session, setting: Setting[Any], claim: Property, finding: Finding) -> Decision:
    """Evidence is a tree of reasons. About one of several initial states, or resting on fixpoints, it needs other judges, too."""
    formula = claim.formula
    assert isinstance(finding, Proved | Refuted)
    explanation = finding.explanation
    if explanation is None and not setting.arena.first:
        certified = certify_ctl(session, setting, claim, needed=False)
        return Decision(certified.holding(confirmation=Replayed()))
    _warn_of_added_step(session, setting, formula, finding)
    machine, confirms, confirmed = session.machine, session.options.confirms, False
    about_inputs = bool(inputs_mentioned(machine, [formula]))  # a path has no values of inputs in its last state
    if confirms and not about_inputs and explanation is not None:
        confirm_explanation(setting.own, explanation)
        confirmed = all(part.complete and not _ends(machine, part) for part in explanation.walk())
    confirmation: Confirmation
    if isinstance(finding, Refuted):
        assert explanation is not None
        replayed = Replayed() if confirmed else on_all_states(session, setting, claim, holds=False)
        confirmation = replayed or (Unconfirmed(why_no_proof(machine, explanation)) if confirms else UNASKED)
        return Decision(Fails(finding.trace, explanation, confirmation=confirmation))
    # What is shown for one initial state is evidence for all only if there are no others.
    single = setting.arena.base.count(setting.arena.forget(setting.arena.first)) == 1
    warnings = session.vacuity(formula, finding.still_holds)
    enumerated = on_all_states(session, setting, claim, holds=True)
    confirmed = confirmed and single
    certified = certify_ctl(session, setting, claim, needed=not (enumerated or confirmed))
    confirmation = enumerated or certified.confirmation
    if confirmed and isinstance(confirmation, Unconfirmed):
        confirmation = Replayed()
    return Decision(certified.holding(explanation=explanation, confirmation=confirmation), warnings)


def _warn_of_added_step(session: Session, setting: Setting[Any], formula: Expr, finding: Finding) -> None:
    """Warn where the verdict would be the opposite if states without successor had no step to themselves."""
    if session.options.deadlock == "ignore":
        return
    if session.evidence.unless_long(session.run, lambda: setting.ctl.added_step_matters(formula)):
        word = "holds" if isinstance(finding, Proved) else "fails"
        session.warn(f"{session.show(formula)} {word} only because of the step to itself that a state without successor is given")


def _ends(machine: Machine, claim: Explanation) -> bool:
    """Does the path of a claim end, so that it shows the claim only if a fair path goes on from there?"""
    if not (machine.justice or machine.compassion) or claim.trace.loop is not None:
        return False
    return isinstance(claim.formula, Apply) and claim.formula.op in CTL_OPERATORS


def why_no_proof(machine: Machine, explanation: Explanation) -> str:
    """Why an explanation that a formula is false is no proof by itself, although its paths can be replayed."""
    if any(_ends(machine, part) for part in explanation.walk()):
        return NOT_FOLLOWED
    if not explanation.complete:
        return "it rests on the fixpoint"
    if all(part.complete for part in explanation.walk()):
        return "a path has no inputs in its last state, and the formula mentions them"
    return "claims about all paths rest on the fixpoint"


# CTL*


def _judged_star(session: Session, setting: Setting[Any], claim: Property, finding: Finding) -> Decision:
    """Evidence is a lasso for the outermost quantifier, if that is about all paths, or all states one by one."""
    formula = claim.formula
    if isinstance(finding, Proved):
        warnings = session.vacuity(formula, finding.still_holds, most=tuning.PARTS_TRIED_FOR_VACUITY // 3)
        enumerated = on_all_states(session, setting, claim, holds=True)
        nobody = Unconfirmed("there are no certificates of CTL*") if session.options.confirms else UNASKED
        return Decision(Holds(confirmation=enumerated or nobody), warnings)
    assert isinstance(finding, Refuted)
    trace = None if finding.shown_by is None else finding.trace
    confirmed = False
    if trace is not None and isinstance(formula, Apply) and session.options.confirms:
        linear = formula.args[0] if not state_formulas(formula.args[0]) else None
        confirm_lasso(setting.own, trace, linear)
        confirmed = linear is not None
    replayed = Replayed() if confirmed else on_all_states(session, setting, claim, holds=False)
    nobody = Unconfirmed(NOT_LINEAR, reported=False) if session.options.confirms else UNASKED
    return Decision(Fails(trace, confirmation=replayed or nobody))
