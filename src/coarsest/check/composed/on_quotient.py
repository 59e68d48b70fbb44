"""Properties decided on the quotient of a machine by a relation, with evidence about the machine itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from coarsest import tuning
from coarsest.automata.automaton_claim import AutomatonClaim
from coarsest.check.certify.confirm_classes import are_confirmed
from coarsest.check.decide.classify import decide as decide_itself
from coarsest.check.decide.classify import home, invariant_of, searched_as_invariant
from coarsest.check.setting.session import Decision, Session
from coarsest.errors import InputError, LimitExceeded, Unsupported
from coarsest.evidence.confirmation import UNASKED, Confirmation, Unconfirmed
from coarsest.evidence.enumeration.automaton_on_lasso import confirm_accepted
from coarsest.evidence.proof import QuotientClasses
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.logic import expr
from coarsest.logic.branching.ltl_to_ctl import deterministic_as_ltl
from coarsest.logic.expr import Expr
from coarsest.logic.show import show
from coarsest.model.machine import Property, ltl
from coarsest.model.parts.cone_of_influence import restrict_to
from coarsest.model.parts.promote_inputs import inputs_mentioned, promote
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.trace import Trace
from coarsest.options.relations import FAIR_SIMULATIONS
from coarsest.reduce.partition.observation import observable_parts, observe
from coarsest.reduce.partition.quotient import renaming
from coarsest.reduce.reduce import reduce_machine
from coarsest.reduce.reduction import Reduction
from coarsest.reduce.simulation.reduction import objection_to

TOO_LARGE = "it was decided on the quotient, which is too large to be walked through"

BY_FORMULAS = "it was decided on the smallest structure, whose classes are formulas: simulations are confirmed state by state"

Decider = Callable[[Session, Property], Decision]


def decide(session: Session, claim: Property) -> Decision:
    """On one quotient for all properties of the same session. Where sets are formulas, reducing may not end, so that each
    property has a quotient of its own."""
    own = home(session, claim)
    claims = [claim] if own.by_formulas else [other for other in session.claims if home(session, other) is own]
    what = f"quotient for {' '.join(str(id(other)) for other in claims)}"
    return own.once(own.spaces, what, lambda: OnQuotient(own, claims, decide_itself)).decide(claim)


class OnQuotient:
    """Asks another decider about the quotient that shows all that these properties are about.

    Properties about inputs or steps are decided on the machine itself; those that the relation does not preserve are refused.
    """

    def __init__(self, session: Session, claims: Sequence[Property], inner: Decider) -> None:
        self.session, self.inner = session, inner
        self.algorithm = "improved" if session.options.reduce == "modular" else "auto"
        self.claims = claims
        self.relation = "bisimulation" if session.options.reduce in ("none", "modular") else session.options.reduce
        preserved = [claim for claim in claims if self.relation == "bisimulation" or not objection_to(claim)]
        self.about_states = [claim for claim in preserved if not self._is_about_steps(claim)]
        self._limit: LimitExceeded | None = None

    def _is_about_steps(self, claim: Property) -> bool:
        machine = self.session.machine
        return is_about_steps(promote(machine, inputs_mentioned(machine, [claim.formula])), claim.formula)

    def decide(self, claim: Property) -> Decision:
        """The decision on one of the properties."""
        if self._limit is not None:
            raise self._limit
        if self.relation != "bisimulation":
            self._require_preserved(claim, objection_to(claim))
        try:
            reduction = self.reduction
        except LimitExceeded as limit:
            self._limit = limit  # it would be reached again
            raise
        self._require_preserved(claim, reduction.objection(claim))
        moved = None if self._is_about_steps(claim) else reduction.carried(claim)
        if moved is None:
            return self._on_the_machine(claim)
        decision = self.inner(self.quotient, moved)
        self.session.warn_as(self.quotient)
        facts = {**self.quotient.spaces.statistics(), **decision.facts, "classes": len(reduction.partition)}
        return self._lifted(claim, replace(decision, facts=facts))

    def _require_preserved(self, claim: Property, objection: str) -> None:
        if objection:
            relation = f"{self.relation} simulation" if self.relation in FAIR_SIMULATIONS else self.relation
            message = f"{relation} does not preserve `{claim.text or show(claim.formula)}`: {objection}"
            raise Unsupported(message, claim.span, hint="use --reduce bisimulation")

    @cached_property
    def reduction(self) -> Reduction[Any]:
        session = self.session
        observation = observe(session.machine, observable_parts(self.about_states, session.machine), cone=session.options.cone)
        return reduce_machine(
            session.machine, observation, session.spaces, session.run, relation=self.relation, algorithm=self.algorithm,
            parts=session.options.parts,
        )  # fmt: skip

    @cached_property
    def is_sound(self) -> bool:
        """Has a judge confirmed that the quotient behaves as the machine?"""
        return are_confirmed(self.reduction, self.session.run, self.session.options.confirm)

    @cached_property
    def quotient(self) -> Session:
        """The session that checks the quotient, which is finite; formulas are shown with the names of the machine."""
        session = self.session
        build = replace(session.build, carrier="bdd") if session.by_formulas else session.build
        quotient = Session(self.reduction.machine, build, replace(session.options, cone=False), session.run)
        own_words: dict[Expr, Expr] = {name: label for label, name in renaming(self.reduction.quotient).items()}
        quotient.show = lambda formula: show(expr.replace(formula, lambda part: own_words.get(part)))
        return quotient

    def _on_the_machine(self, claim: Property) -> Decision:
        session = self.session
        if not session.by_formulas or searched_as_invariant(claim, session.machine, session.options) is not None:
            return self.inner(session, claim)
        if not self._is_about_steps(claim):
            reason = "fairness mentions inputs, and in some states some inputs lead nowhere"
            return Decision(Unknown(f"{reason}: what then happens is not seen in a quotient"))
        hint = "invariants may mention steps; other properties are decided on the quotient, which has only states"
        raise Unsupported(f"`{claim.text or show(claim.formula)}` mentions inputs or steps", claim.span, hint=hint)

    # The way back

    def _lifted(self, claim: Property, decision: Decision) -> Decision:
        """The decision about the quotient as one about the machine."""
        match decision.verdict:
            case Fails(trace, None) if trace is not None:
                lifted = self._trace(trace)
                if lifted is not None:
                    if self.session.options.confirms:
                        self._confirm(lifted, claim)
                    return replace(decision, verdict=replace(decision.verdict, trace=lifted))
                within = f"within {tuning.STEPS_TO_CLOSE_A_LASSO} steps"
                no_loop = f"the counterexample of the quotient does not come back to a state of the model {within}"
                return replace(decision, verdict=Fails(confirmation=Unconfirmed(no_loop)))
            case Fails() if (on_a_path := self._on_a_path(claim)) is not None:
                return replace(decision, verdict=on_a_path)
            case Fails(confirmation=confirmation):
                return replace(decision, verdict=Fails(confirmation=self._believed(confirmation)))
            case Holds(confirmation=confirmation):
                classes = QuotientClasses(len(self.reduction.partition), self.relation)
                return replace(decision, verdict=Holds(classes, confirmation=self._believed(confirmation)))
        return decision

    def _on_a_path(self, claim: Property) -> Fails | None:
        """The verdict that a formula of CTL fails, with a path of the machine, if one path can show it and is found."""
        formula = deterministic_as_ltl(claim.formula) if claim.kind.is_ctl else None
        if formula is None:
            return None
        linear = ltl(formula, claim.name, show(formula), claim.module)
        moved = self.reduction.carried(linear)
        if moved is None:
            return None
        try:
            lifted = self._lifted(linear, self.inner(self.quotient, moved)).verdict
        except (LimitExceeded, InputError, Unsupported):
            return None  # the verdict stands without it
        return lifted if isinstance(lifted, Fails) and lifted.trace is not None else None

    def _believed(self, of_quotient: Confirmation) -> Confirmation:
        """The confirmation of a verdict on the quotient, which counts if the quotient behaves as the machine."""
        if not self.session.options.confirms:
            return UNASKED
        if self.is_sound:
            return of_quotient
        return Unconfirmed(BY_FORMULAS if self.session.by_formulas and self.relation == "simulation" else TOO_LARGE)

    def _trace(self, trace: Trace) -> Trace | None:
        """A trace of the machine; None if no loop of states is found soon for a loop of classes."""
        run = self.session.run
        path = self.reduction.class_path(trace, run)
        if trace.loop is None or not self.session.by_formulas:
            return self.reduction.lift(path, run)
        with run.within(steps=tuning.STEPS_TO_CLOSE_A_LASSO):
            return self.reduction.lift(path, run)
        return None

    def _confirm(self, trace: Trace, claim: Property) -> None:
        machine = self.session.machine
        if trace.loop is None:
            confirm_trace(machine, trace, violates=invariant_of(claim, machine))
            return
        own = frozenset(name for name in self.reduction.observation.machine.variables if name in machine.variables)
        part = machine if len(own) == len(machine.variables) else restrict_to(machine, own)
        if isinstance(claim, AutomatonClaim):
            confirm_accepted(part, trace, claim.automaton)
        else:
            confirm_lasso(part, trace, claim.formula if claim.kind.is_ltl else None)
