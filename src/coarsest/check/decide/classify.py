"""How a property is decided: by a search for a state that violates a condition, or as its kind is."""

from __future__ import annotations

from msgspec.structs import replace

from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.show import show
from coarsest.model.machine import Machine, Property, PropertyKind
from coarsest.model.parts.promote_inputs import inputs_mentioned
from coarsest.model.parts.watch import looks_ahead
from coarsest.options.engines import BRANCHING, FIRST_OF, engine_asked_for
from coarsest.options.methods import CheckOptions


def invariant_of(claim: Property, machine: Machine) -> Expr | None:
    """The condition that must hold in every reachable state, if that is all the property says.

    Under fairness, AG p and G p speak only of states on fair paths, and are not invariants; where p is about inputs, they
    speak only of inputs with which a step can be taken. Where p is about steps, an invariant speaks of the steps that there
    are, but a path goes on for ever, also in a state without successor.
    """
    match claim.kind, claim.formula:
        case PropertyKind.INVARIANT, formula:
            return formula
        case (PropertyKind.CTL, Apply("AG", (inner,))) | (PropertyKind.LTL, Apply("G", (inner,))):
            if machine.justice or machine.compassion or is_temporal(inner) or inputs_mentioned(machine, [inner]):
                return None
            if machine.may_be_stuck and looks_ahead(machine, inner):
                return None
            return inner
    return None


def stated_plainly(claim: Property, machine: Machine) -> Property:
    """The same property, with `!F p` said as `G !p` and `!EF p` as `AG !p` where that is an invariant.

    People ask so for a plan, which is then the counterexample: a search that ends at the first state with p is what they expect.
    """
    match claim.kind, claim.formula:
        case PropertyKind.LTL, Apply("not", (Apply("F", (inner,)),)):
            always = "G"
        case PropertyKind.CTL, Apply("not", (Apply("EF", (inner,)),)):
            always = "AG"
        case _:
            return claim
    formula = Apply(always, (Apply("not", (inner,), inner.span),), claim.formula.span)
    plain = replace(claim, formula=formula, text=claim.text or show(claim.formula))
    return claim if invariant_of(plain, machine) is None else plain


def searched_as_invariant(claim: Property, machine: Machine, options: CheckOptions) -> Expr | None:
    """The condition, where the property is decided by a search for a state that violates it: not where LTL has a method of its
    own, or CTL an engine."""
    of_its_own = claim.kind is PropertyKind.LTL and options.ltl_method != "auto"
    if claim.kind is PropertyKind.CTL and options.engine not in ("auto", FIRST_OF):
        of_its_own = engine_asked_for(BRANCHING, options.engine) is not None
    return None if of_its_own else invariant_of(claim, machine)
