"""Who decides a property: a search for a state that violates a condition, or the module of its kind; and on which machine."""

from __future__ import annotations

from typing import cast

from msgspec.structs import replace

from coarsest.check.setting.arena import machine_for
from coarsest.check.setting.session import Decision, Session
from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.show import show
from coarsest.model.kinds import function
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.promote_inputs import inputs_mentioned
from coarsest.model.parts.watch import looks_ahead
from coarsest.model.unbounded import unbounded_variables
from coarsest.options.engines import BRANCHING, FIRST_OF, engine_asked_for
from coarsest.options.methods import CheckOptions


def invariant_of(claim: Property, machine: Machine) -> Expr | None:
    """The condition that must hold in every reachable state, if that is all the property says.

    Under fairness, AG p and G p speak only of states on fair paths, and are not invariants; where p is about inputs, they
    speak only of inputs with which a step can be taken. Where p is about steps, an invariant speaks of the steps that there
    are, but a path goes on for ever, also in a state without successor.
    """
    if claim.kind.is_invariant:
        return claim.formula
    always, _ = _words(claim)
    match claim.formula:
        case Apply(op, (inner,)) if op == always:
            if machine.justice or machine.compassion or is_temporal(inner) or inputs_mentioned(machine, [inner]):
                return None
            if machine.may_be_stuck and looks_ahead(machine, inner):
                return None
            return inner
    return None


def stated_plainly(claim: Property, machine: Machine) -> Property:
    """The same property, with `!F p` said as `G !p` and `!EF p` as `AG !p` where that is an invariant.

    People ask for a plan in this way. The plan is then the counterexample, and a search that ends at the first state with p is
    what they expect.
    """
    always, some_time = _words(claim)
    match claim.formula:
        case Apply("not", (Apply(op, (inner,)),)) if op == some_time:
            pass
        case _:
            return claim
    formula = Apply(always, (Apply("not", (inner,), inner.span),), claim.formula.span)
    plain = replace(claim, formula=formula, text=claim.text or show(claim.formula))
    return claim if invariant_of(plain, machine) is None else plain


def _words(claim: Property) -> tuple[str, str]:
    """What `always` and `some time` are called in formulas of this kind."""
    return ("AG", "EF") if claim.kind.is_ctl else ("G", "F") if claim.kind.is_ltl else ("", "")


def searched_as_invariant(claim: Property, machine: Machine, options: CheckOptions) -> Expr | None:
    """The condition, if the property is decided by a search for a state that violates it; None if the user has chosen a method
    for LTL or an engine for CTL."""
    of_its_own = claim.kind.is_ltl and options.ltl_method != "auto"
    if claim.kind.is_ctl and options.engine not in ("auto", FIRST_OF):
        of_its_own = engine_asked_for(BRANCHING, options.engine) is not None
    return None if of_its_own else invariant_of(claim, machine)


def asked(claim: Property) -> Property:
    """The property that is decided in the place of this one, which some kinds have."""
    return cast("Property", function(claim.kind.asked)(claim)) if claim.kind.asked else claim


def decide(session: Session, claim: Property) -> Decision:
    """The decision on a property of the machine itself."""
    good = searched_as_invariant(claim, session.machine, session.options)
    if good is not None:
        claim = claim.as_invariant(good)
    return cast("Decision", function(claim.kind.decide)(session, claim))


def decide_at_home(session: Session, claim: Property) -> Decision:
    """The same, in the session in which the property is decided."""
    return decide(home(session, claim), claim)


def home(session: Session, claim: Property) -> Session:
    """The session in which a property is decided.

    If sets are formulas although the user did not ask for them, a property that depends only on variables with bounds is decided
    with BDDs. On a quotient, invariants are decided without fairness, by which more states would be told apart.
    """
    if claim.kind.of_whole_machine:
        return session
    if session.by_formulas and session.build.carrier == "auto":
        part, _ = machine_for(session.machine, [claim.formula], cone=session.options.cone)
        session = session if unbounded_variables(part) else session.sibling("within bounds", session.machine, carrier="bdd")
    on_states = session.options.reduce != "none" and claim.kind.is_invariant and not session.by_formulas
    return session.without_fairness() if on_states else session
