"""From a property of a machine to an answer with evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from msgspec.structs import replace

from coarsest.check.decide.classify import home, searched_as_invariant
from coarsest.check.setting.session import CheckOptions, Session
from coarsest.check.strategy import advice, decide_around
from coarsest.errors import LimitExceeded, Unsupported
from coarsest.evidence.verdict import Answer, Unknown, Verdict
from coarsest.logic.show import show
from coarsest.model.assertion_graph import AssertionGraphClaim
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.cone_of_influence import cone_variables
from coarsest.model.query.inputs_in_ctl import require_inputs_apart
from coarsest.options.engines import FIRST_OF
from coarsest.options.methods import BuildOptions, GsteOptions
from coarsest.phases import CLOCK
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.check.composed.first_shares import FirstShares


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
        """One answer for each property, as soon as it is known. A property that is not handled does not stop the others."""
        self.session.claims, self._spent = claims, None
        try:
            yield from self._answers(claims) if min(self.session.options.jobs, len(claims)) <= 1 else self._side_by_side(claims)
        finally:
            while self.session.at_end:
                self.session.at_end.pop()()

    def _answers(self, claims: Sequence[Property]) -> Iterator[Answer]:
        cones = [self._cone(claim) for claim in claims] if len(claims) > 1 and self.session.options.reduce == "none" else []
        early = self._first_shares(claims)
        for index, claim in enumerate(claims):
            answer = None if early is None else early.answer(index)
            if answer is None:
                answer = self._within_limits(claim, claims)
                answer = answer if early is None else early.instead_of(answer, index)
            yield answer
            if cones:
                self.session.release(cones[index], set(cones[index + 1 :]))

    def _within_limits(self, claim: Property, claims: Sequence[Property]) -> Answer:
        """The answer, which is `unknown` where a limit is reached. Once the time is over, only settled properties are decided."""
        started = monotonic()
        try:
            if self._spent is not None and not self._is_settled(claim):
                raise self._spent
            answer = self.session.spaces.within_limits(lambda: self._answer(claim))
        except LimitExceeded as limit:
            self._spent = limit if limit.limit == "time" else None
            answer = self._bare(claim, Unknown(str(limit)))
        except Unsupported as refusal:
            if len(claims) == 1 or not _is_about(refusal, claim):
                raise
            message, hint = refusal.diagnostic.message, refusal.diagnostic.hint
            return replace(
                self._bare(claim, Unknown(f"{message} ({hint})" if hint else message)), seconds=monotonic() - started
            )
        verdict = answer.verdict
        if isinstance(verdict, Unknown) and not verdict.advice and verdict.bound is None:
            answer = replace(answer, verdict=replace(verdict, advice=advice(self.session, claim)))
        return replace(answer, seconds=monotonic() - started)

    def _first_shares(self, claims: Sequence[Property]) -> FirstShares | None:
        """First shares of the time, if it is limited; `first-of` shares the time among its engines itself."""
        session = self.session
        if session.run.limits.seconds is None or len(claims) == 1 or session.options.engine == FIRST_OF:
            return None
        from coarsest.check.composed.first_shares import FirstShares

        return FirstShares(session, claims, lambda claim: self.session.spaces.within_limits(lambda: self._answer(claim)))

    def _cone(self, claim: Property) -> frozenset[str]:
        """The variables that matter for a claim; claims about the same ones share what is built for them."""
        machine = self.session.machine
        if claim.kind.of_whole_machine or not self.session.options.cone:
            return frozenset(machine.variables)
        conditions = claim.graph.conditions if isinstance(claim, AssertionGraphClaim) else [claim.formula]
        fairness = [*machine.justice, *(part for pair in machine.compassion for part in pair)]
        return cone_variables(machine, [*conditions, *fairness])

    def _side_by_side(self, claims: Sequence[Property]) -> Iterator[Answer]:
        from coarsest.check.composed.side_by_side import SideBySide

        for claim, answer in zip(claims, SideBySide(self.session, claims).answers()):
            yield answer or self._bare(claim, Unknown("the process that was to decide it was ended from outside"))

    def _is_settled(self, claim: Property) -> bool:
        """Was the property decided while another one was?"""
        session = home(self.session, claim)
        good = searched_as_invariant(claim, session.machine, session.options)
        return id(claim.formula if good is None else good) in session.settled

    def _bare(self, claim: Property, verdict: Verdict) -> Answer:
        text, statistics = claim.text or show(claim.formula), self.session.statistics()
        if isinstance(claim, AssertionGraphClaim):
            from coarsest.evidence.assertion_graph_answer import AssertionGraphAnswer

            return replace(AssertionGraphAnswer.bare(claim, verdict), statistics=statistics)
        return Answer(claim.name, str(claim.kind), text, verdict, statistics=statistics, instance=claim.module)

    @CLOCK.phase("image")
    def _answer(self, claim: Property) -> Answer:
        if claim.kind.is_branching:
            require_inputs_apart(self.session.machine, claim.formula)
        decision = decide_around(self.session, claim)
        verdict = decision.verdict
        if isinstance(verdict, Unknown) and verdict.bound is None:  # who set a bound needs no advice
            verdict = replace(verdict, advice=advice(self.session, claim))
        answer = self._bare(claim, verdict)
        if isinstance(claim, AssertionGraphClaim):
            answer = replace(answer, reading=decision.reading, path=decision.along)
        statistics = {**answer.statistics, **decision.facts}
        return replace(answer, warnings=decision.warnings, statistics=statistics)


def _is_about(refusal: Unsupported, claim: Property) -> bool:
    """Is it the property that is not handled, and not the model?"""
    place, whole = refusal.diagnostic.span, claim.span
    return place is not None and whole is not None and place.source is whole.source and whole.start <= place.start < whole.end
