"""Properties decided on listed representatives of symmetric states, with evidence about the machine itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from coarsest.automata.automaton_claim import AutomatonClaim
from coarsest.check.certify.enumerated import enumeration
from coarsest.check.decide.branching import why_no_proof
from coarsest.check.decide.classify import decide as decide_itself
from coarsest.check.decide.classify import home, invariant_of
from coarsest.check.setting.arena import machine_for
from coarsest.check.setting.session import Decision, Session
from coarsest.evidence.confirmation import UNASKED, Confirmation, Replayed, Unconfirmed
from coarsest.evidence.enumeration.automaton_on_lasso import confirm_accepted
from coarsest.evidence.explanation import Explanation
from coarsest.evidence.proof import QuotientClasses
from coarsest.evidence.replay.confirm_explanation import confirm_explanation
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.evidence.replay.psl_on_lasso import confirm_false
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.expr import Expr
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.extend import extend_trace
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.trace import Trace
from coarsest.options.option import Confirm
from coarsest.reduce.partition.observation import observable_parts
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.reduce.symmetry.orbit_lift import OrbitLift
from coarsest.reduce.symmetry.orbit_spaces import OrbitSpace, OrbitSpaces

TOO_MANY = "it was decided on representatives, and there are too many states to look at each"
NOT_ALL = "one path alone does not show it, and there are too many states to look at each"

Decider = Callable[[Session, Property], Decision]
Symmetries = Callable[[Machine, Sequence[Expr]], Sequence[Permutation]]
"""Verified symmetries of a machine that keep the truth of some conditions."""


def verified_symmetries(session: Session) -> Symmetries:
    """The symmetries that are declared or detected, verified with BDDs: these need no reachable states."""
    from coarsest.check.composed.by_symmetry import BySymmetry

    on_bdds = session.sibling("with BDDs", session.machine, carrier="bdd")
    by_symmetry = BySymmetry(on_bdds)
    return lambda machine, parts: by_symmetry.good_group(on_bdds.spaces.space(machine), parts)


def decide(session: Session, claim: Property) -> Decision:
    """On the representatives of the machine where the property is decided."""
    own = home(session, claim)
    orbits = own.once(own.spaces, "orbits", lambda: OnOrbits(own, decide_itself, verified_symmetries(own)))
    return orbits.decide(claim)


class OnOrbits:
    """Asks another decider about the representatives of a machine's states.

    Properties about inputs or steps are decided on the machine itself, and so are those that are neither of states nor of paths.
    """

    def __init__(self, session: Session, inner: Decider, symmetries: Symmetries) -> None:
        self.session, self.inner, self._symmetries = session, inner, symmetries
        self._sessions: dict[tuple[frozenset[str], tuple[Permutation, ...]], Session] = {}

    def decide(self, claim: Property) -> Decision:
        session = self.session
        own, inputs = machine_for(session.machine, [claim.formula], cone=session.options.cone)
        if not (claim.kind.is_universal or claim.kind.is_branching) or inputs or is_about_steps(session.machine, claim.formula):
            return self.inner(session, claim)
        parts = observable_parts([claim], own)
        parts += [*own.justice, *(part for pair in own.compassion for part in pair)]
        orbits = self._orbits(own, tuple(self._symmetries(own, parts)))
        decision = self.inner(orbits, claim)
        session.warn_as(orbits)
        space = orbits.spaces.space(own)
        facts = {**orbits.spaces.statistics(), **decision.facts, "representatives": space.graph.nodes}
        return replace(self._lifted(claim, decision, space), facts=facts)

    def _orbits(self, own: Machine, generators: tuple[Permutation, ...]) -> Session:
        """The session of the representatives. Its evidence is not about paths of the machine yet, and is not confirmed there."""
        key = frozenset(own.variables), generators
        if key not in self._sessions:
            session = self.session
            options = replace(
                session.options, reduce="none", cone=False, confirm=Confirm.NEVER, certificates=False, vacuity=False
            )
            orbits = self._sessions[key] = Session(own, session.build, options, session.run)
            orbits.spaces, orbits.show = OrbitSpaces(session.build, session.run, generators), session.show
        return self._sessions[key]

    # The way back

    def _lifted(self, claim: Property, decision: Decision, space: OrbitSpace) -> Decision:
        lift = OrbitLift(space, self.session.run)
        match decision.verdict:
            case Holds():
                proof = QuotientClasses(space.graph.nodes, "symmetry")
                believed = self._on_all_states(claim, space.machine, holds=True)
                return replace(decision, verdict=Holds(proof, confirmation=believed or self._nobody(TOO_MANY)))
            case Fails(trace, explanation) if explanation is not None:
                return replace(decision, verdict=self._explained(claim, space.machine, lift.explanation(explanation)))
            case Fails(trace) if trace is not None:
                lifted = lift.trace(trace)
                confirmation = self._replayed(claim, space.machine, lifted)
                whole = extend_trace(self.session.machine, lifted) if trace.loop is None else lifted
                return replace(decision, verdict=Fails(whole, confirmation=confirmation))
            case Fails():
                believed = self._on_all_states(claim, space.machine, holds=False)
                return replace(decision, verdict=Fails(confirmation=believed or self._nobody(NOT_ALL)))
        return decision

    def _nobody(self, reason: str) -> Confirmation:
        return Unconfirmed(reason) if self.session.options.confirms else UNASKED

    def _on_all_states(self, claim: Property, own: Machine, *, holds: bool) -> Confirmation | None:
        """The confirmation by every state of the machine, if they are few."""
        if not self.session.options.confirms:
            return None
        judge = enumeration(self.session, own)
        if isinstance(claim, AutomatonClaim):
            return judge.confirm_never(claim.automaton, claim.text) if holds else None
        return judge.confirm(claim, holds=holds)

    def _explained(self, claim: Property, own: Machine, tree: Explanation) -> Fails:
        if not self.session.options.confirms:
            return Fails(tree.longest(), tree, confirmation=UNASKED)
        confirm_explanation(own, tree)
        if all(part.complete for part in tree.walk()) and not (own.justice or own.compassion):
            return Fails(tree.longest(), tree, confirmation=Replayed())
        believed = self._on_all_states(claim, own, holds=False)
        return Fails(tree.longest(), tree, confirmation=believed or Unconfirmed(why_no_proof(own, tree)))

    def _replayed(self, claim: Property, own: Machine, trace: Trace) -> Confirmation:
        """The confirmation of a path by its judge."""
        if not self.session.options.confirms:
            return UNASKED
        if trace.loop is None:
            confirm_trace(own, trace, violates=invariant_of(claim, own))
        elif isinstance(claim, AutomatonClaim):
            confirm_accepted(own, trace, claim.automaton)
        elif claim.kind.is_psl:
            confirm_lasso(own, trace, None)
            if not confirm_false(psl_from_expr(claim.formula), trace, Interpreter(own)):
                return self._on_all_states(claim, own, holds=False) or Unconfirmed(NOT_ALL)
        elif claim.kind.is_ctl_star:
            confirm_lasso(own, trace, None)
            return self._on_all_states(claim, own, holds=False) or Unconfirmed(NOT_ALL)
        else:
            confirm_lasso(own, trace, claim.formula)
        return Replayed()
