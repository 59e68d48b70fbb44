"""From a property of a machine to an answer with evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from coarsest.check.decide import invariants
from coarsest.check.decide.classify import searched_as_invariant
from coarsest.check.setting.arena import machine_for
from coarsest.check.setting.session import CheckOptions, Decision, Session
from coarsest.errors import LimitExceeded, Unsupported
from coarsest.evidence.verdict import Answer, Unknown, Verdict
from coarsest.logic.show import show
from coarsest.model.assertion_graph import AssertionGraphClaim
from coarsest.model.machine import Machine, Property, PropertyKind
from coarsest.model.parts.cone_of_influence import cone_variables
from coarsest.model.query.inputs_in_ctl import require_inputs_apart
from coarsest.model.unbounded import unbounded_variables
from coarsest.options.engines import FIRST_OF
from coarsest.options.methods import BuildOptions, GsteOptions
from coarsest.phases import CLOCK
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.check.composed.first_shares import FirstShares

_HERE = "coarsest.check.decide."

DECIDERS: Mapping[PropertyKind, str] = MappingProxyType(
    {
        PropertyKind.CTL: _HERE + "branching",
        PropertyKind.CTL_STAR: _HERE + "branching",
        PropertyKind.LTL: _HERE + "linear",
        PropertyKind.PSL: _HERE + "psl",
        PropertyKind.AUTOMATON: _HERE + "never",
        PropertyKind.COMPUTE: _HERE + "quantities",
        PropertyKind.ASSERTION_GRAPH: _HERE + "along",
        PropertyKind.DEADLOCK: _HERE + "dead_ends",
    }
)
"""Each kind of property has a module with a function `decide(session, claim)`; only what is needed is imported."""


def decide(session: Session, claim: Property) -> Decision:
    """The decision on a property of the machine itself."""
    good = searched_as_invariant(claim, session.machine, session.options)
    if good is not None:
        return invariants.decide(session, good)
    return cast("Decision", import_module(DECIDERS[claim.kind]).decide(session, claim))


class Checker:
    """Checks the properties of one machine; what one property has built serves the next."""

    def __init__(
        self, machine: Machine, build: BuildOptions, options: CheckOptions, run: Run, along: GsteOptions | None = None
    ) -> None:
        self.session = Session(machine, build, options, run)
        if along is not None:
            self.session.how_along = along
        self._spent: LimitExceeded | None = None
        """The limit of time, once it has been reached."""

    def answers(self, claims: Sequence[Property]) -> Iterator[Answer]:
        """One answer for each property, as soon as it is known. One of several that is not handled does not stop the others."""
        self.session.claims, self._spent = claims, None
        try:
            yield from self._answers(claims) if min(self.session.options.jobs, len(claims)) <= 1 else self._side_by_side(claims)
        finally:
            while self.session.at_end:
                self.session.at_end.pop()()

    def _answers(self, claims: Sequence[Property]) -> Iterator[Answer]:
        cones = [self._cone(claim) for claim in claims] if len(claims) > 1 and self.session.options.reduce == "none" else []
        early = self._first_shares(claims)
        for number, claim in enumerate(claims):
            answer = None if early is None else early.answer(number)
            if answer is None:
                answer = self._within_limits(claim, claims)
                answer = answer if early is None else early.instead_of(answer, number)
            yield answer
            if cones:
                self.session.release(cones[number], set(cones[number + 1 :]))

    def _within_limits(self, claim: Property, claims: Sequence[Property]) -> Answer:
        """The answer; where a limit is reached, that it is not known. Once the time is over, only what is settled is decided."""
        started = monotonic()
        try:
            if self._spent is not None and not self._is_settled(claim):
                raise self._spent
            answer = self.session.spaces.within_limits(lambda: self._answer(claim, claims))
        except LimitExceeded as limit:
            self._spent = limit if limit.limit == "time" else None
            answer = self._bare(claim, Unknown(str(limit)))
        except Unsupported as refusal:
            if len(claims) == 1 or not _is_about(refusal, claim):
                raise
            answer = self._bare(claim, Unknown(_reason(refusal)))
        return replace(answer, seconds=monotonic() - started)

    def _first_shares(self, claims: Sequence[Property]) -> FirstShares | None:
        """Several engines side by side share the time in their own way."""
        session = self.session
        if session.run.limits.seconds is None or len(claims) == 1 or session.options.engine == FIRST_OF:
            return None
        from coarsest.check.composed.first_shares import FirstShares

        return FirstShares(session, claims, lambda claim: self.session.spaces.within_limits(lambda: self._answer(claim, claims)))

    def _cone(self, claim: Property) -> frozenset[str]:
        """The variables that matter for a claim; claims about the same ones share what is built for them."""
        machine = self.session.machine
        if claim.kind is PropertyKind.DEADLOCK or not self.session.options.cone:
            return frozenset(machine.variables)
        conditions = claim.graph.conditions if isinstance(claim, AssertionGraphClaim) else [claim.formula]
        fairness = [*machine.justice, *(part for pair in machine.compassion for part in pair)]
        return cone_variables(machine, [*conditions, *fairness])

    def _side_by_side(self, claims: Sequence[Property]) -> Iterator[Answer]:
        from coarsest.check.composed.side_by_side import SideBySide

        for claim, answer in zip(claims, SideBySide(self.session, claims).answers()):
            yield answer or self._bare(claim, Unknown("the process that was to decide it was ended from outside"))

    def _is_settled(self, claim: Property) -> bool:
        """Was the property decided when another one was looked at?"""
        session = self._session(claim)
        good = searched_as_invariant(claim, session.machine, session.options)
        return id(claim.formula if good is None else good) in session.settled

    def _bare(self, claim: Property, verdict: Verdict) -> Answer:
        text, statistics = claim.text or show(claim.formula), self.session.statistics()
        if claim.kind is PropertyKind.ASSERTION_GRAPH:
            from coarsest.evidence.assertion_graph_answer import AssertionGraphAnswer

            assert isinstance(claim, AssertionGraphClaim)
            return replace(AssertionGraphAnswer.bare(claim.graph, claim.semantics), verdict=verdict, statistics=statistics)
        return Answer(claim.name, str(claim.kind), text, verdict, statistics=statistics, instance=claim.module)

    @CLOCK.phase("image")
    def _answer(self, claim: Property, claims: Sequence[Property]) -> Answer:
        if claim.kind in (PropertyKind.CTL, PropertyKind.CTL_STAR):
            require_inputs_apart(self.session.machine, claim.formula)
        if self.session.options.engine == FIRST_OF:
            from coarsest.check.composed.first_of import Contest, contenders

            engines = contenders(claim, self.session)
            if len(engines) > 1:
                return Contest(self.session, claim).winner(engines)
        decision = self._decision(claim, claims)
        answer = self._bare(claim, decision.verdict)
        if claim.kind is PropertyKind.ASSERTION_GRAPH:
            answer = replace(answer, reading=decision.reading, path=decision.along)
        statistics = {**answer.statistics, **decision.facts}
        return replace(answer, warnings=decision.warnings, statistics=statistics)

    def _decision(self, claim: Property, claims: Sequence[Property]) -> Decision:
        session, options = self._session(claim), self.session.options
        if claim.kind is PropertyKind.DEADLOCK:  # which a quotient need not show
            return decide(self.session, claim)
        if options.reduce == "symmetry" and session.spaces.carrier == "explicit":
            from coarsest.check.composed.on_orbits import OnOrbits, verified_symmetries

            on_orbits = session.once(session.spaces, "orbits", lambda: OnOrbits(session, decide, verified_symmetries(session)))
            return on_orbits.decide(claim)
        if options.reduce == "symmetry":
            from coarsest.check.composed.by_symmetry import BySymmetry

            return session.once(session.spaces, "symmetries", lambda: BySymmetry(session, decide)).decide(claim)
        searched = (
            claim.kind is PropertyKind.ASSERTION_GRAPH or searched_as_invariant(claim, session.machine, options) is not None
        )
        direct = not session.by_formulas or searched
        if options.reduce == "none" and direct:
            return decide(session, claim)
        # Formulas have no end on some machines: a quotient for each property alone.
        together = [claim] if session.by_formulas else [other for other in claims if self._session(other) is session]
        from coarsest.check.composed.on_quotient import OnQuotient

        what = f"quotient for {' '.join(str(id(other)) for other in together)}"
        return session.once(session.spaces, what, lambda: OnQuotient(session, together, decide)).decide(claim)

    def _session(self, claim: Property) -> Session:
        """Where sets are formulas without anybody asking for it, what depends on nothing without bounds is decided with BDDs.

        On a quotient, an invariant has no use for fairness, by which more states would be told apart.
        """
        session = self.session
        if session.by_formulas and session.build.carrier == "auto":
            part, _ = machine_for(session.machine, [claim.formula], cone=session.options.cone)
            session = session if unbounded_variables(part) else session.sibling("within bounds", session.machine, carrier="bdd")
        of_states = session.options.reduce != "none" and claim.kind is PropertyKind.INVARIANT and not session.by_formulas
        return session.without_fairness() if of_states else session


def _is_about(refusal: Unsupported, claim: Property) -> bool:
    """Is it the property that is not handled, and not the model?"""
    place, whole = refusal.diagnostic.span, claim.span
    return place is not None and whole is not None and place.source is whole.source and whole.start <= place.start < whole.end


def _reason(refusal: Unsupported) -> str:
    found = refusal.diagnostic
    return f"{found.message} ({found.hint})" if found.hint else found.message
