"""Invariants: from a property to a question, to an engine, and from what it finds to a decision that judges have confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from coarsest import tuning
from coarsest.check.certify.certificates import SetInvariant
from coarsest.check.certify.certify import UNASKED as CERTIFICATE_UNASKED
from coarsest.check.certify.certify import certify_clauses, certify_invariant
from coarsest.check.certify.enumerated import enumeration
from coarsest.check.questions.finding import Finding, Proved, Refuted, Settled, Undecided
from coarsest.check.questions.pose import all_invariants, question_of
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.model_warnings import warn_of_reached
from coarsest.check.setting.session import Decision, Session, is_never_true
from coarsest.check.strategy import attempts, with_attempt
from coarsest.evidence.confirmation import UNASKED, BySat, BySolver, Confirmation, Replayed, Unconfirmed
from coarsest.evidence.effort import SPENT_ON_CLAUSES, Effort, NotConfirmed
from coarsest.evidence.proof import AllPathsEnd, ClauseInvariant, FormulaInvariant, Induction, QuotientClasses, Stated
from coarsest.evidence.replay.replay import confirm_last_step, confirm_trace
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.logic.expr import Apply, Expr
from coarsest.model.machine import Machine, Property, invariant
from coarsest.model.parts.part import Part, cone
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.unbounded import unbounded_variables
from coarsest.options.engines import INVARIANTS, engine_asked_for, engine_named
from coarsest.phases import CLOCK, EVIDENCE
from coarsest.run import Statistic

if TYPE_CHECKING:
    from coarsest.check.invariants.joint_bmc import JointSearch

DEEPEST_INDUCTION = MappingProxyType({"bmc": 0, "k-induction": None})
"""Engines that decide all invariants at once, each with the longest induction that it tries; None if there is no limit."""


def decide(session: Session, claim: Property) -> Decision:
    """The verdict on a condition for every reachable state, or for every step from one."""
    stated = claim.formula
    if session.options.depth:
        return _within_depth(session, stated)
    if session.options.engine in DEEPEST_INDUCTION:
        deepest = DEEPEST_INDUCTION[session.options.engine]
        joint = session.once(session, "joint", lambda: all_invariants(session, session.run, stated, deepest_induction=deepest))
        if joint is not None:
            _look(session, joint, stated)
    if id(stated) in session.settled:
        settled, question = session.settled[id(stated)], None
    else:
        question = question_of(session, stated)
        settled = _settled(session, question)
    question = settled.question or question
    assert question is not None
    return judged(session, question, settled.finding)


def _within_depth(session: Session, stated: Expr) -> Decision:
    """The verdict as far as paths of up to `--depth` steps show it.

    Engines on bits look only at such paths. For the others a variable counts steps, and the condition need not hold beyond the
    bound, so that their searches end there.
    """
    depth, engine = session.options.depth, session.options.engine
    if engine in ("auto", *DEEPEST_INDUCTION) and not session.by_formulas:
        deepest = DEEPEST_INDUCTION.get(engine, tuning.STEPS_OF_A_SAT_PROBE // 4)
        search = partial(all_invariants, session, session.run, stated, deepest_induction=deepest)
        joint = session.once(session, "joint", search)
        if joint is not None:
            _look(session, joint, stated, most=depth + 1)
            settled = session.settled.get(id(stated))
            if settled is None or settled.question is None:
                return _none_so_deep(depth, {})
            return judged(session, settled.question, settled.finding)
    question = question_of(session, stated, depth=depth)
    finding = _settled(session, question).finding
    if isinstance(finding, Proved):
        return _none_so_deep(depth, finding.facts)
    if not is_about_steps(session.machine, stated):  # judges know nothing of the bound
        question = replace(question, claim=Invariant(stated, stated))
    return judged(session, question, finding)


def _none_so_deep(depth: int, facts: Mapping[str, Statistic]) -> Decision:
    because = f"no counterexample of up to {depth} step{'s' * (depth != 1)}"
    return Decision(Unknown(because, bound=depth), facts={**facts, "depth": depth})


def _look(session: Session, joint: JointSearch, stated: Expr, *, most: int | None = None) -> None:
    """Go on until a condition is decided, or deep enough; what was found out about others on the way is stored as well."""
    numbers = [number for number, question in enumerate(joint.questions) if question.claim.stated is stated]
    try:
        for number in numbers:
            joint.decide(number, most=most)
    finally:
        for number, finding in joint.findings.items():
            question = joint.questions[number]
            session.settled.setdefault(id(question.claim.stated), Settled(question, finding))


def _settled(session: Session, question: Question[Invariant]) -> Settled:
    """By the engine that was asked for, or by one attempt after the other."""
    asked = engine_asked_for(INVARIANTS, session.options.engine)
    machine, stated = question.part.machine, question.claim.stated
    if asked is not None:
        return Settled(None, asked.decide(question, session))
    if session.spaces.carrier != "bdd" or unbounded_variables(machine):
        engine = "both-ends" if session.by_formulas else "explore" if session.spaces.carrier == "explicit" else "forward"
        return Settled(None, engine_named(engine).decide(question, session))
    for number, attempt in enumerate(attempts(INVARIANTS, machine), 1):
        if attempt.way == "sat-probe":
            session.once(session, "sat probe", partial(_probe, session, stated, attempt.work))
            settled = session.settled.get(id(stated))
        else:
            decide = partial(engine_named(attempt.way).decide, question)
            if attempt.beside:
                from coarsest.check.composed.beside import with_companion

                settled = with_companion(stated, session, decide, work=attempt.work)
            else:
                settled = None
                with session.run.within(work=attempt.work):
                    settled = Settled(None, decide(session))
        if settled is not None:
            return replace(settled, finding=with_attempt(settled.finding, number, attempt))
    raise AssertionError("the last attempt has no budget")


def _probe(session: Session, stated: Expr, work: float) -> bool:
    """A short look by SAT at all invariants that are to be decided."""
    with session.run.within(work=work):
        joint = all_invariants(session, session.run, stated, deepest_induction=tuning.STEPS_OF_A_SAT_PROBE // 4)
        if joint is not None:
            for question in joint.questions:
                _look(session, joint, question.claim.stated, most=tuning.STEPS_OF_A_SAT_PROBE)
            joint.close()
    return True


# Judgement


def judged(session: Session, question: Question[Invariant], finding: Finding) -> Decision:
    """The decision, once judges that share nothing with the engine have looked at what it found."""
    if isinstance(finding, Undecided):
        return Decision(Unknown(finding.because), facts=finding.facts)
    if isinstance(finding, Refuted):
        trace = question.part.back(finding.trace)
        if session.options.confirms:
            claim = question.claim
            confirm_trace(session.machine, trace, violates=None if claim.is_about_steps else claim.stated)
            if claim.is_about_steps:
                confirm_last_step(session.machine, trace, violates=claim.stated)
        return Decision(Fails(trace, confirmation=session.by_replay), facts=finding.facts)
    assert isinstance(finding, Proved)
    reached = finding.reached
    if reached is not None:
        session.once(
            reached.space, "warned", lambda: warn_of_reached(session, reached.space, reached.states, exact=reached.exact)
        )
    decision = _confirmed(session, question, finding)
    return replace(decision, warnings=_vacuity(session, question, finding), facts=finding.facts)


def _confirmed(session: Session, question: Question[Invariant], finding: Proved) -> Decision:
    proof, claim, confirms = finding.proof, question.claim, session.options.confirms
    machine = question.whole
    match proof:
        case SetInvariant():
            believed = _by_states(session, question, proof) if confirms else None
            certified = certify_invariant(session, proof, question, needed=believed is None)
            return Decision(certified.holding(proof.described, confirmation=believed or certified.confirmation))
        case ClauseInvariant():
            certified = certify_clauses(session, proof, question, unasked=SPENT_ON_CLAUSES)
            return Decision(certified.holding(proof, confirmation=certified.confirmation))
        case FormulaInvariant():
            return Decision(Holds(proof, confirmation=_by_solver(session, machine, claim.good, proof)))
        case Induction() | AllPathsEnd():
            return Decision(Holds(proof, confirmation=_by_induction(session, claim.stated, proof)))
        case QuotientClasses():
            return Decision(Holds(proof, confirmation=Unconfirmed(CERTIFICATE_UNASKED) if confirms else UNASKED))
    stated = None if proof is None else Stated(proof.summary)
    return Decision(Holds(stated, confirmation=Unconfirmed("no judge knows this kind of proof") if confirms else UNASKED))


@CLOCK.phase(EVIDENCE)
def _by_states(session: Session, question: Question[Invariant], proof: SetInvariant) -> Confirmation | None:
    """The confirmation by all states; None if there are too many."""
    claim, machine = question.claim, question.whole
    if proof.members > tuning.JUDGED_STATES:
        return None
    if claim.is_about_steps and not unbounded_variables(machine):
        part = Part(session.machine).then(cone([claim.stated]))  # without what watches, the same for many conditions
        return enumeration(session, part.machine).confirm(invariant(claim.stated), holds=True)
    judge = enumeration(session, machine)
    if unbounded_variables(machine):  # of listed states without bounds, no decision diagram is made
        return judge.confirm(invariant(claim.good), holds=True)
    if proof.members * prod(variable.type.size for variable in machine.input_variables) > judge.bounds.steps:
        return None
    return Replayed() if judge.confirm_invariant(proof.diagram(machine, question.part.merged), claim.good) else None


@CLOCK.phase(EVIDENCE)
def _by_solver(session: Session, machine: Machine, good: Expr, proof: FormulaInvariant) -> Confirmation:
    if not session.options.confirms:
        return UNASKED
    from coarsest.evidence.smt.invariant import confirm_formula_invariant

    try:
        confirm_formula_invariant(machine, proof, good, session.run)
    except NotConfirmed as reason:
        return Unconfirmed(str(reason))
    return BySolver()


@CLOCK.phase(EVIDENCE)
def _by_induction(session: Session, stated: Expr, proof: Induction | AllPathsEnd) -> Confirmation:
    if not session.options.confirms:
        return UNASKED
    from coarsest.evidence.sat.induction import confirm_induction

    effort = Effort() if session.options.confirm == "always" else SPENT_ON_CLAUSES

    def look() -> Confirmation:
        try:
            return BySat(confirm_induction(session.machine, stated, proof, run=session.run, effort=effort))
        except NotConfirmed as reason:
            return Unconfirmed(str(reason))

    if not isinstance(proof, Induction) or not proof.others:
        return look()
    shown_at_once = sorted(map(id, (stated, *proof.others)))
    return session.once(session, f"induction over {proof.depth} steps of {shown_at_once}", look)


def _vacuity(session: Session, question: Question[Invariant], finding: Proved) -> tuple[str, ...]:
    reached, good = finding.reached, question.claim.good
    if reached is None or not reached.exact or not reached.space.initial or not session.options.vacuity:
        return ()
    space: Any = reached.space
    if isinstance(good, Apply) and good.op == "implies" and is_never_true(good.args[0], reached.states, space):
        return (f"holds vacuously: '{session.show(good.args[0])}' is never true",)
    if session.by_formulas:
        return ()
    return session.vacuity(good, lambda stronger: bool(reached.states <= space.where(stronger)))
