"""Automata that accept what must not happen: from one to a question, to an engine, and from its finding to a judged decision."""

from __future__ import annotations

from coarsest.automata.automaton_claim import AutomatonClaim
from coarsest.automata.ltl.ltl_to_buchi import with_one_set
from coarsest.automata.shrink.degeneralise import degeneralise
from coarsest.automata.shrink.reduce import reduce_on_states
from coarsest.automata.tidy import is_empty
from coarsest.check.certify.enumerated import enumeration
from coarsest.check.decide.linear import linear_finding
from coarsest.check.products.ltl import bad_vertices
from coarsest.check.questions.finding import Proved, Refuted, Undecided
from coarsest.check.questions.question import Linear
from coarsest.check.setting.model_warnings import warn_of_dead_ends, warn_of_unfair_start
from coarsest.check.setting.session import Decision, Session
from coarsest.errors import InputError, Unsupported
from coarsest.evidence.confirmation import UNASKED, Unconfirmed
from coarsest.evidence.enumeration.automaton_on_lasso import confirm_accepted
from coarsest.evidence.verdict import Fails, Holds, Unknown

MANY_STATES = "there are too many states to look at each, and no certificates of automata"


def decide(session: Session, claim: AutomatonClaim) -> Decision:
    """Is a fair path of the machine accepted? The automaton is made smaller first; evidence is about the one that was given."""
    options = session.options
    if options.ltl_method == "tableau":
        raise InputError("a tableau is made of a formula, and this property is an automaton", hint="leave --ltl tableau out")
    violating = with_one_set(reduce_on_states(degeneralise(claim.automaton), session.run))
    if options.safety and bad_vertices(violating) is None:
        message = f"'{claim.text}' is not a safety property: some accepted paths are recognised only in infinitely many steps"
        raise Unsupported(message, claim.span, hint="leave --safety out")
    roots = tuple(claim.automaton.alphabet.atoms)
    setting = session.setting(roots)
    if not options.on_bits:
        warn_of_dead_ends(session, setting)
    empty, machine = is_empty(violating), setting.own
    finding = Proved() if empty else linear_finding(session, setting, Linear(roots, lambda: violating), options.ltl_method)
    if isinstance(finding, Refuted):
        trace = finding.trace
        if options.confirms:
            confirm_accepted(machine, trace, claim.automaton)
        return Decision(Fails(trace, confirmation=session.by_replay))
    if isinstance(finding, Undecided):
        return Decision(Unknown(finding.because), facts=finding.facts)
    if not options.on_bits:
        warn_of_unfair_start(session, setting)
    warnings = ("holds vacuously: the automaton accepts nothing at all",) if empty and options.vacuity else ()
    enumerated = enumeration(session, machine).confirm_never(claim.automaton, claim.text) if options.confirms else None
    confirmation = enumerated or (Unconfirmed(MANY_STATES) if options.confirms else UNASKED)
    return Decision(Holds(confirmation=confirmation), warnings)
