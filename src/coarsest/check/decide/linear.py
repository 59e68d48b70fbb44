"""LTL: from a formula to a question, to an engine, and from what it finds to a judged decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from coarsest import tuning
from coarsest.check.certify.certify import certify_fair_paths, certify_linear
from coarsest.check.certify.enumerated import enumeration, on_all_states
from coarsest.check.questions.finding import Finding, Proved, Refuted, Undecided
from coarsest.check.questions.pose import linear_claim
from coarsest.check.questions.question import Linear, Question
from coarsest.check.setting.everywhere import settled_first
from coarsest.check.setting.model_warnings import warn_of_dead_ends, warn_of_unfair_start
from coarsest.check.setting.session import Decision, Session, Setting
from coarsest.check.strategy import CTL_TWIN, LARGE, UNBUILT, has_companion, way_of_paths
from coarsest.errors import InputError
from coarsest.evidence.confirmation import UNASKED, Unconfirmed
from coarsest.evidence.proof import AllPathsEnd, ClauseNoReturn, ClauseRounds, Induction, Stated
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.logic.branching.ltl_to_ctl import deterministic_as_ctl
from coarsest.logic.expr import Apply, Expr, conjunction
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.model.machine import Property
from coarsest.model.parts.cone_of_influence import restrict_to
from coarsest.model.parts.part import Part, beside
from coarsest.model.parts.promote_inputs import inputs_mentioned
from coarsest.model.parts.watch import looks_ahead, with_steps_remembered
from coarsest.model.trace import Trace
from coarsest.options.engines import LINEAR, engine_by_method, engine_for, engine_named
from coarsest.space.space import S

if TYPE_CHECKING:
    from coarsest.automata.automaton import Automaton


def decide(session: Session, claim: Property) -> Decision:
    """The verdict on an LTL formula over the fair paths from the initial states."""
    if looks_ahead(session.machine, claim.formula):
        return _decide_about_steps(session, claim)
    return _decide_ltl(session, claim)


# LTL


def _decide_ltl(session: Session, claim: Property) -> Decision:
    formula = claim.formula
    from_expr(formula)  # refuses what is not LTL
    setting = session.setting([formula])
    options, before = session.options, session.run.meter.work
    if options.on_bits:
        return _decide_on_bits(session, setting, claim)
    # A counterexample is joined from pieces that may differ in their inputs: formulas about inputs go another way.
    about_inputs = bool(inputs_mentioned(session.machine, [formula]))
    direct = options.ltl_method == "auto" and not about_inputs and not options.safety
    twin = deterministic_as_ctl(formula) if direct and way_of_paths(CTL_TWIN) == "as-ctl" else None
    if options.safety:
        from coarsest.check.products.ltl_safety import require_safety

        require_safety(formula, options.ltl_method, session.run)
    evaluated_in = [setting]

    def by_diagrams(own: Session) -> Finding:
        warn_of_dead_ends(own, setting)
        if twin is not None:
            evaluated_in.append(settled_first(own, setting, twin))
        return _finding_of_ltl(own, evaluated_in[-1], formula, twin)

    finding = beside_bits(session, setting, formula, by_diagrams)
    setting = evaluated_in[-1]
    if isinstance(finding, Refuted):
        return _failing(session, setting, formula, finding)
    if not isinstance(finding, Proved) or finding.proof is not None:  # found on bits
        return holding_on_bits(session, setting, claim, finding)

    def still_holds(stronger: Expr) -> bool:
        twin_of_stronger = deterministic_as_ctl(stronger) if twin is not None else None
        return isinstance(_finding_of_ltl(session, setting, stronger, twin_of_stronger), Proved)

    cheap = twin is not None or session.run.meter.work - before < tuning.WORK_BEFORE_VACUITY
    most = tuning.PARTS_TRIED_FOR_VACUITY if twin is not None else tuning.PARTS_TRIED_FOR_VACUITY // 3
    warnings = session.vacuity(formula, still_holds, most=most) if cheap else ()
    return holding(session, setting, claim, warnings)


def _failing(session: Session, setting: Setting[Any], formula: Expr, finding: Refuted) -> Decision:
    trace = finding.trace
    if session.options.confirms:
        confirm_lasso(setting.own, trace, formula)
    return Decision(Fails(trace, confirmation=session.by_replay), facts=finding.facts)


def beside_bits(session: Session, setting: Setting[Any], formula: Expr, by_diagrams: Callable[[Session], Finding]) -> Finding:
    """The finding of diagrams or, on a wide machine, of the process that works on bits beside them."""
    if id(formula) in session.settled:
        return session.settled[id(formula)].finding
    asked = (
        session.options.engine == session.options.ltl == "auto" and not session.options.safety and session.spaces.carrier == "bdd"
    )
    if not asked or not has_companion(setting.machine) or not any(claim.formula is formula for claim in session.claims):
        return by_diagrams(session)
    from coarsest.check.composed.beside import with_companion

    settled = with_companion(formula, session, by_diagrams)
    assert settled is not None
    return settled.finding


def _decide_on_bits(session: Session, setting: Setting[Any], claim: Property) -> Decision:
    """The decision by an engine that has no sets of states."""
    finding = linear_finding(session, setting, linear_claim(session.machine, claim, session.run), "auto")
    if isinstance(finding, Refuted):
        return _failing(session, setting, claim.formula, finding)
    return holding_on_bits(session, setting, claim, finding)


def _finding_of_ltl(session: Session, setting: Setting[Any], formula: Expr, twin: Expr | None) -> Finding:
    if twin is not None:
        return _finding_of_twin(setting, twin)
    from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
    from coarsest.check.products.ltl import automaton_if_small
    from coarsest.logic.linear.recurrences import recurrences

    method, violation = session.options.ltl_method, from_expr(formula).negation
    in_variables = session.spaces.carrier == "bdd" and setting.on_representatives is None  # they can be put beside the model
    again, others = recurrences(formula) if method == "auto" and in_variables else ((), ())
    rest = from_expr(conjunction([Apply("not", (other,)) for other in others])) if again else violation
    small = automaton_if_small(rest, session.run) if method == "auto" and in_variables else None
    if method == "auto" and in_variables and small is None:
        method = engine_named(way_of_paths(UNBUILT)).method

    def violating() -> Automaton:
        return ltl_to_buchi(violation, session.run, smallest=False) if small is None or again else small

    apart = (small, again) if small is not None and again else None
    return linear_finding(session, setting, Linear((formula,), violating, formula, apart), method)


def _finding_of_twin(setting: Setting[S], twin: Expr) -> Finding:
    """By the CTL formula that says the same, whose refutation is a single path: where no fair path starts, none violates it."""
    arena, checker = setting.arena, setting.ctl
    if checker.holds_from(arena.start, twin):
        return Proved()
    violating = (arena.start - checker.satisfying(twin)) & checker.fair
    return Refuted(lambda: _lasso(setting, twin, violating)) if violating else Proved()


def _lasso(setting: Setting[S], twin: Expr, violating: S) -> Trace:
    arena = setting.arena
    path = setting.explain(violating, twin).longest()
    if path.loop is not None:
        return path
    from coarsest.check.products.lassos import continued

    last = {**path.states[-1], **{v.name: next(v.type.values()) for v in arena.inputs}}
    return continued(setting, path, arena.forget(arena.base.state(last)))


def linear_finding(session: Session, setting: Setting[Any], claim: Linear, method: str) -> Finding:
    """The finding of the engine that is asked for, or of the one that suits the automaton."""
    from coarsest.check.products.ltl import bad_vertices

    question = Question(Part(setting.own), claim)
    if session.options.depth and session.options.engine not in ("auto", "bmc"):
        message = f"--engine {session.options.engine} has no bound on the length of lassos"
        raise InputError(message, hint="with --depth, formulas about paths are for --engine bmc")
    if session.options.on_bits:
        word = "bmc" if session.options.depth else session.options.engine
        return engine_for(LINEAR, word, "bmc").decide(question, session)
    if method == "auto" and session.spaces.carrier != "bdd":
        method = "partitioned"
    if method == "auto" and setting.on_representatives is not None:  # bad prefixes are looked for on the fly
        violating = claim.violating()
        by_prefixes = bad_vertices(violating) is not None and setting.on_representatives.keeps(violating)
        method = "automaton" if by_prefixes else "partitioned"
    if method == "auto":
        large = (claim.apart[0] if claim.apart else claim.violating()).states > tuning.STATES_OF_A_SMALL_AUTOMATON
        method = engine_named(way_of_paths(LARGE) if large else way_of_paths()).method
    return engine_by_method(method).decide(question, session)


def holding(session: Session, setting: Setting[Any], claim: Property, warnings: tuple[str, ...]) -> Decision:
    """The formula holds: on all states one by one if they are few, or by a certificate."""
    warn_of_unfair_start(session, setting)
    enumerated = on_all_states(session, setting, claim, holds=True)
    certified = certify_linear(session, setting, claim, needed=enumerated is None)
    confirmation = enumerated or certified.confirmation
    return Decision(certified.holding(confirmation=confirmation), warnings)


def holding_on_bits(session: Session, setting: Setting[Any], claim: Property, finding: Finding) -> Decision:
    """The decision where an engine without sets of states has not refuted the formula."""
    if isinstance(finding, Undecided):
        return Decision(Unknown(finding.because, bound=finding.bound), facts=finding.facts)
    assert isinstance(finding, Proved)
    proof = finding.proof
    if isinstance(proof, ClauseRounds | ClauseNoReturn | Induction | AllPathsEnd):
        certified = certify_fair_paths(session, setting, claim, proof)
        if isinstance(certified.confirmation, Unconfirmed) and session.options.confirms:
            enumerated = enumeration(session, setting.own).confirm(claim, holds=True)
            if enumerated is not None:  # this says nothing about the proof
                return Decision(certified.holding(confirmation=enumerated), facts=finding.facts)
        return Decision(certified.holding(proof, confirmation=certified.confirmation), facts=finding.facts)
    enumerated = enumeration(session, setting.own).confirm(claim, holds=True) if session.options.confirms else None
    nobody = Unconfirmed("no judge knows this kind of proof") if session.options.confirms else UNASKED
    stated = None if proof is None else Stated(proof.summary)
    return Decision(Holds(stated, confirmation=enumerated or nobody), facts=finding.facts)


# LTL about steps


def _decide_about_steps(session: Session, claim: Property) -> Decision:
    """The verdict on an LTL formula with next(), on a machine that remembers what its steps were like."""
    formula = claim.formula
    decision, part = _on_remembered_steps(session, claim)
    match decision.verdict:
        case Fails(trace) if trace is not None:
            own = part.back(trace)
            if session.options.confirms:
                variables = frozenset(own.states[0]).union(*own.inputs[:1])
                confirm_lasso(restrict_to(session.machine, variables), own, formula)
            return replace(decision, verdict=replace(decision.verdict, trace=own))
        case Holds():

            def still_holds(stronger: Expr) -> bool:
                return isinstance(_on_remembered_steps(session, claim.as_ltl(stronger), confirm=False)[0].verdict, Holds)

            warnings = session.vacuity(formula, still_holds, most=tuning.PARTS_TRIED_FOR_VACUITY // 3)
            # A certificate would be about the machine with remembered steps, which other judges do not have.
            return replace(decision, verdict=replace(decision.verdict, certificate=None), warnings=warnings)
    return decision


def _on_remembered_steps(session: Session, claim: Property, *, confirm: bool = True) -> tuple[Decision, Part]:
    machine, remembered = with_steps_remembered(session.machine, claim.formula, session.watches)
    part = beside(machine, session.machine)
    options = replace(session.options, vacuity=False, certificates=False)
    inner = Session(machine, session.build, options if confirm else replace(options, confirm="never"), session.run)
    inner.spaces, inner.evidence = session.spaces, session.evidence
    if inner.setting([remembered]).arena.stuck:
        because = "next() in LTL needs a successor of every reachable state"
        return Decision(Unknown(f"{because} (an INVARSPEC with next() is about the steps that there are)")), part
    decision = _decide_ltl(inner, claim.as_ltl(remembered))
    session.warn_as(inner)
    return decision, part
