"""From a property of a machine to an answer with evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic

from msgspec.structs import replace

from coarsest.automata.automaton_claim import AutomatonClaim
from coarsest.check.invariant_answers import decide_invariant
from coarsest.check.setting.context import CheckOptions, Context, Decision
from coarsest.errors import LimitExceeded, Unsupported
from coarsest.evidence.verdict import Answer, Unknown, Verdict
from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.show import show
from coarsest.model.machine import Machine, Property, PropertyKind
from coarsest.model.parts.promote_inputs import inputs_mentioned
from coarsest.model.parts.watch import looks_ahead
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions


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
            if is_temporal(inner) or machine.justice or machine.compassion or inputs_mentioned(machine, [inner]):
                return None
            if machine.may_be_stuck and looks_ahead(machine, inner):
                return None
            return inner
    return None


def searched_as_invariant(claim: Property, machine: Machine, options: CheckOptions) -> Expr | None:
    """The condition, where the property is decided by a search for a state that violates it: not where LTL has a method of its
    own."""
    of_its_own = claim.kind is PropertyKind.LTL and options.ltl_method != "auto"
    return None if of_its_own else invariant_of(claim, machine)


class PropertyChecker:
    """Checks the properties of one machine; what one property has built serves the next."""

    def __init__(self, machine: Machine, build: BuildOptions, options: CheckOptions, run: Run) -> None:
        self.context = Context(machine, build, options, run)

    def answers(self, claims: Sequence[Property]) -> Iterator[Answer]:
        """One answer for each property, as soon as it is known. One of several that is not handled does not stop the others."""
        spent: LimitExceeded | None = None
        for claim in claims:
            started = monotonic()
            try:
                if spent is not None:
                    raise spent
                answer = self._answer(claim)
            except LimitExceeded as limit:
                spent = limit if limit.limit == "time" else None
                answer = self._bare(claim, Unknown(str(limit)))
            except Unsupported as refusal:
                if len(claims) == 1 or not _is_about(refusal, claim):
                    raise
                answer = self._bare(claim, Unknown(_reason(refusal)))
            yield replace(answer, seconds=monotonic() - started)

    def _bare(self, claim: Property, verdict: Verdict, *, confirmed: bool = False) -> Answer:
        text = claim.text or show(claim.formula)
        statistics = self.context.spaces.statistics()
        kind, instance = str(claim.kind), claim.module
        return Answer(claim.name, kind, text, verdict, confirmed=confirmed, statistics=statistics, instance=instance)

    def _answer(self, claim: Property) -> Answer:
        return self.context.spaces.within_limits(lambda: self._decide(claim))

    def _decide(self, claim: Property) -> Answer:
        decision = self._decision(claim)
        answer = self._bare(claim, decision.verdict, confirmed=decision.confirmed)
        statistics = {**answer.statistics, **decision.facts}
        return replace(answer, warnings=decision.warnings, statistics=statistics, doubt=decision.doubt)

    def _decision(self, claim: Property) -> Decision:
        good = searched_as_invariant(claim, self.context.machine, self.context.options)
        if good is not None:
            return decide_invariant(self.context, good)
        if claim.kind is PropertyKind.LTL and looks_ahead(self.context.machine, claim.formula):
            from coarsest.check.linear_answers import decide_about_steps

            return decide_about_steps(self.context, claim)
        if isinstance(claim, AutomatonClaim):
            from coarsest.check.linear_answers import decide_automaton

            return decide_automaton(self.context, claim)
        return _decider(claim.kind)(self.context, claim.formula)


def _is_about(refusal: Unsupported, claim: Property) -> bool:
    """Is it the property that is not handled, and not the model?"""
    place, whole = refusal.diagnostic.span, claim.span
    return place is not None and whole is not None and place.source is whole.source and whole.start <= place.start < whole.end


def _reason(refusal: Unsupported) -> str:
    found = refusal.diagnostic
    return f"{found.message} ({found.hint})" if found.hint else found.message


def _decider(kind: PropertyKind) -> Callable[[Context, Expr], Decision]:
    """What decides a kind of property; only what is needed is imported."""
    match kind:
        case PropertyKind.CTL:
            from coarsest.check.decide.decide_ctl import decide_ctl

            return decide_ctl
        case PropertyKind.CTL_STAR:
            from coarsest.check.decide.decide_ctl_star import decide_ctl_star

            return decide_ctl_star
        case PropertyKind.LTL:
            from coarsest.check.linear_answers import decide_ltl

            return decide_ltl
        case PropertyKind.PSL:
            from coarsest.check.linear_answers import decide_psl

            return decide_psl
        case PropertyKind.COMPUTE:
            from coarsest.check.decide.decide_quantity import decide_quantity

            return decide_quantity
    raise AssertionError(kind)
