"""Invariants: from a property to a question, to an engine, and from what it finds to a decision that judges have confirmed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import cycle
from math import prod
from typing import Any

from msgspec.structs import replace

from coarsest.check.certify.certificates import SetInvariant
from coarsest.check.certify.certify import certify_invariant
from coarsest.check.questions.finding import Finding, Proved, Reached, Refuted, Undecided
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.hollow import warn_of_reached
from coarsest.check.setting.workshop import Decision, Workshop, is_never_true
from coarsest.encode.layout import bits_of
from coarsest.errors import LimitExceeded
from coarsest.evidence.confirmation import UNASKED, BySat, BySolver, Confirmation, Replayed, Unconfirmed
from coarsest.evidence.effort import Effort, NotConfirmed
from coarsest.evidence.proof import AllPathsEnd, FormulaInvariant, Induction, Stated
from coarsest.evidence.replay.invariants import confirm_invariant
from coarsest.evidence.replay.replay import confirm_last_step, confirm_trace
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.model.machine import Machine, PropertyKind
from coarsest.model.parts.part import Part, cone, watched
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.unbounded import unbounded_variables
from coarsest.options.engines import INVARIANTS, Entry, engine_for
from coarsest.run import Run

MOST_MEMBERS_CONFIRMED = 2000
MOST_CHOICES_CONFIRMED = 50_000
"""Inductive invariants of more states than this, or with more choices of inputs in them, are not walked through by the
interpreter, which takes one after the other."""

NARROW, WIDE = 30, 150
"""Machines of more bits are looked at by SAT, too, and of many more first: a shallow violation, or a short induction, needs no
diagrams."""
SHALLOW, SHORT = 12, 3
"""So many steps of bounded search, and of induction, are tried at first on wide machines."""
SECONDS_FOR_SAT = 5.0
FIRST_TURN = 2.0
"""Seconds that diagrams have before it is the turn of SAT; each turn is twice as long as the one before."""

MOST_CLAUSES, MOST_CONFLICTS = 2_000_000, 50_000
"""What is spent on the judgement of an induction if nobody asks for it."""


def decide(shop: Workshop, stated: Expr) -> Decision:
    """The verdict on a condition for every reachable state, or for every step from one."""
    question = question_of(shop, stated)
    return judged(shop, question, _finding(shop, question))


def question_of(shop: Workshop, stated: Expr) -> Question[Invariant]:
    """The part of the machine that matters, with a variable that remembers steps where the condition is about these."""
    part, good = Part(shop.machine), stated
    if is_about_steps(shop.machine, stated):
        name = next(shop.watches)
        part, good = part.then(watched(stated, name)), Name(name)
    influences = cone([good]) if shop.options.cone else Part
    part = part.then(influences)
    return Question(part.then(shop.merged).then(influences), Invariant(good, stated), part.machine)


def _finding(shop: Workshop, question: Question[Invariant]) -> Finding:
    engine = engine_for(INVARIANTS, shop.options.engine, "both-ends" if shop.by_formulas else "forward")
    is_ours = shop.options.engine not in (engine.name, engine.short)
    machine = question.part.machine
    if not is_ours or shop.spaces.carrier != "bdd" or unbounded_variables(machine):
        return engine.decide(question, shop)
    bits = sum(bits_of(v.type) for v in machine.variables.values())
    early = _by_sat_first(shop, question) if bits > WIDE else None
    return early or (_in_turns(shop, question, engine) if bits > NARROW else engine.decide(question, shop))


def _by_sat_first(shop: Workshop, question: Question[Invariant]) -> Finding | None:
    """What a short look by SAT finds at a wide machine, before diagrams are built."""
    from coarsest.check.engines import bmc, k_induction

    short = shop.with_run(shop.run.shortened(SECONDS_FOR_SAT))
    for decide, most in ((bmc.decide, SHALLOW), (k_induction.decide, SHORT)):
        finding = _in_time(short, shop.run, partial(decide, question, most=most))
        if not isinstance(finding, Undecided):
            return finding
    return None


def _in_turns(shop: Workshop, question: Question[Invariant], engine: Entry) -> Finding:
    """What diagrams find, or induction by SAT: they take turns. A search goes on where it stopped, an induction begins again."""
    from coarsest.check.engines import k_induction

    seconds = FIRST_TURN
    try:
        for decide in cycle((engine.decide, k_induction.decide)):
            finding = _in_time(_for_a_turn(shop, seconds), shop.run, partial(decide, question))
            if finding is not None:
                return finding
            seconds *= 2
    except (LimitExceeded, MemoryError) as limit:
        if isinstance(limit, LimitExceeded) and limit.limit == "time":
            raise
        last = _in_time(_for_a_turn(shop, shop.run.seconds), shop.run, partial(k_induction.decide, question))
        if last is None:  # there was no room for diagrams
            raise
        return last
    raise AssertionError("turns do not end")


def _for_a_turn(shop: Workshop, seconds: float) -> Workshop:
    run = shop.run
    ends = run.seconds + seconds
    limits = replace(run.limits, seconds=ends if run.limits.seconds is None else min(ends, run.limits.seconds))
    return shop.with_run(replace(run, limits=limits))


def _in_time(shop: Workshop, whole: Run, decide: Callable[[Workshop], Finding]) -> Finding | None:
    """What is found; None if the time of the shop is over and that of the whole run is not."""
    try:
        return decide(shop)
    except LimitExceeded as limit:
        if limit.limit != "time" or (whole.limits.seconds is not None and whole.seconds > whole.limits.seconds):
            raise
        return None


# Judgement


def judged(shop: Workshop, question: Question[Invariant], finding: Finding) -> Decision:
    """The decision, once judges that share nothing with the engine have looked at what it found."""
    if isinstance(finding, Undecided):
        return Decision(Unknown(finding.because), facts=finding.facts)
    if isinstance(finding, Refuted):
        trace = question.part.back(finding.trace)
        if shop.options.confirms:
            claim = question.claim
            confirm_trace(shop.machine, trace, violates=None if claim.is_about_steps else claim.stated)
            if claim.is_about_steps:
                confirm_last_step(shop.machine, trace, violates=claim.stated)
        return Decision(Fails(trace, confirmation=shop.by_replay), facts=finding.facts)
    assert isinstance(finding, Proved)
    if finding.reached is not None:
        _examine(shop, finding.reached)
    decision = _confirmed(shop, question, finding)
    return replace(decision, warnings=_vacuity(shop, question, finding), facts=finding.facts)


def _confirmed(shop: Workshop, question: Question[Invariant], finding: Proved) -> Decision:
    proof, claim, confirms = finding.proof, question.claim, shop.options.confirms
    machine, merged = question.whole, question.part.merged
    match proof:
        case SetInvariant():
            believed = _by_states(shop, machine, claim.good, proof, merged) if confirms else None
            certified = certify_invariant(shop, proof, question, needed=believed is None)
            return Decision(certified.holding(proof.told, confirmation=believed or certified.confirmation))
        case FormulaInvariant():
            return Decision(Holds(proof, confirmation=_by_solver(shop, machine, claim.good, proof)))
        case Induction() | AllPathsEnd():
            return Decision(Holds(proof, confirmation=_by_induction(shop, claim.stated, proof)))
    stated = None if proof is None else Stated(proof.summary)
    return Decision(Holds(stated, confirmation=Unconfirmed("no judge knows this kind of proof") if confirms else UNASKED))


def _by_states(
    shop: Workshop, machine: Machine, good: Expr, proof: SetInvariant, merged: Mapping[str, Expr]
) -> Confirmation | None:
    """Who has walked through the set; None if it has too many states."""
    if proof.members > MOST_MEMBERS_CONFIRMED:
        return None
    if unbounded_variables(machine):  # listed states, of which no decision graph is made
        from coarsest.check.certify.enumerated import enumeration

        return enumeration(shop, machine).confirm(PropertyKind.INVARIANT, good, holds=True)
    if proof.members * prod(variable.type.size for variable in machine.input_variables) > MOST_CHOICES_CONFIRMED:
        return None
    confirm_invariant(machine, proof.graph(machine, merged), good, shop.run)
    return Replayed()


def _by_solver(shop: Workshop, machine: Machine, good: Expr, proof: FormulaInvariant) -> Confirmation:
    if not shop.options.confirms:
        return UNASKED
    from coarsest.evidence.smt.invariant import confirm_formula_invariant

    try:
        confirm_formula_invariant(machine, proof, good, shop.run)
    except NotConfirmed as reason:
        return Unconfirmed(str(reason))
    return BySolver()


def _by_induction(shop: Workshop, stated: Expr, proof: Induction | AllPathsEnd) -> Confirmation:
    if not shop.options.confirms:
        return UNASKED
    from coarsest.evidence.sat.induction import confirm_induction

    effort = Effort() if shop.options.confirm == "always" else Effort(clauses=MOST_CLAUSES, conflicts=MOST_CONFLICTS)
    try:
        return BySat(confirm_induction(shop.machine, stated, proof, run=shop.run, effort=effort))
    except NotConfirmed as reason:
        return Unconfirmed(str(reason))


def _examine(shop: Workshop, reached: Reached) -> None:
    """Look once at the reachable states of each space for what the user should know."""
    shop.once(reached.space, "examined", lambda: warn_of_reached(shop, reached.space, reached.states, exact=reached.exact))


def _vacuity(shop: Workshop, question: Question[Invariant], finding: Proved) -> tuple[str, ...]:
    reached, good = finding.reached, question.claim.good
    if reached is None or not reached.exact or not reached.space.initial or not shop.options.vacuity:
        return ()
    space: Any = reached.space
    if isinstance(good, Apply) and good.op == "implies" and is_never_true(good.args[0], reached.states, space):
        return (f"holds vacuously: '{shop.show(good.args[0])}' is never true",)
    if shop.by_formulas:
        return ()
    return shop.vacuity(good, lambda stronger: bool(reached.states <= space.where(stronger)))


