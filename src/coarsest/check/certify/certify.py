"""Certificates on demand: what may be spent on them, and what is said when that is not enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from coarsest import tuning
from coarsest.bdd.protocol import OutOfNodes
from coarsest.check.setting.evidence_budget import WORK_OF_A_CERTIFIED_NODE
from coarsest.check.setting.session import Session, Setting
from coarsest.errors import LimitExceeded
from coarsest.evidence.confirmation import UNASKED as NOBODY_ASKED
from coarsest.evidence.confirmation import BySat, Confirmation, Unconfirmed
from coarsest.evidence.explanation import Explanation
from coarsest.evidence.proof import ClauseInvariant, ClauseNoReturn, ClauseRounds, Proof
from coarsest.evidence.verdict import Holds
from coarsest.model.machine import Machine, Property, invariant
from coarsest.model.unbounded import unbounded_variables
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.check.certify.certificate_diagrams import DiagramWriter
    from coarsest.check.certify.certificates import SetInvariant
    from coarsest.check.questions.question import Invariant, Question
    from coarsest.evidence.certificate import Certificate
    from coarsest.evidence.effort import Effort
    from coarsest.space.bdd.symbolic import SymbolicSet


UNASKED = "its certificate takes longer than is spent unasked (--confirm always)"

Maker: TypeAlias = "Callable[[DiagramWriter, Run], Certificate]"


class Certified(Struct, frozen=True):
    """What came of the attempt to certify a verdict."""

    certificate: Certificate | None = None
    confirmation: BySat | Unconfirmed = NOBODY_ASKED

    @property
    def doubt(self) -> str:
        """Why it was not confirmed."""
        return self.confirmation.because if isinstance(self.confirmation, Unconfirmed) and self.confirmation.reported else ""

    def holding(self, proof: Proof | None = None, explanation: Explanation | None = None, *, confirmation: Confirmation) -> Holds:
        """The verdict that a property holds, with what came of the attempt."""
        return Holds(proof, explanation, self.certificate, self.doubt, confirmation=confirmation)


def certify(
    session: Session, claim: Property, make: Maker, *, needed: bool, unasked: Effort | None = None, at_least: float = 0.0
) -> Certified:
    """A certificate for a property that holds, if it is `needed` to confirm the verdict, or is to be written down.

    An effort that may be spent `unasked` is the only limit. Otherwise the budget of evidence is one, too, and none is begun
    where little of it is left.
    """
    options = session.options
    wanted = needed and options.confirms
    if not wanted and not options.certificates:
        return Certified()
    asked = options.certificates or options.confirm == "always"
    patient = asked or unasked is not None
    left = max(at_least, session.evidence.left)
    if not patient and left < tuning.WORK_ALWAYS_WORTH:
        return Certified(confirmation=Unconfirmed(UNASKED))
    from coarsest.check.certify.certificate_diagrams import DiagramWriter
    from coarsest.evidence.effort import Effort, NotConfirmed
    from coarsest.evidence.sat.certificate_check import confirm_certificate

    run, certificate = _with_time_for(session.run), None
    try:
        with session.evidence.spending(run, unasked=not patient, at_least=at_least):
            most = None if patient else min(tuning.JUDGED_STEPS, int(left / WORK_OF_A_CERTIFIED_NODE))
            certificate = make(DiagramWriter(most), run)
            if not options.confirms:
                return Certified(certificate)
            usual = Effort(clauses=tuning.CERTIFICATE_CLAUSES, conflicts=tuning.CERTIFICATE_CONFLICTS)
            effort = Effort() if asked else unasked or usual
            confirmed = confirm_certificate(session.machine, claim, certificate, run=run, effort=effort)
            return Certified(certificate, confirmed)
        return Certified(certificate, Unconfirmed(UNASKED))
    except (NotConfirmed, RecursionError, OutOfNodes, MemoryError, LimitExceeded) as problem:
        return Certified(certificate, Unconfirmed(_why_not(problem, patient=patient)))


def _why_not(problem: BaseException, *, patient: bool) -> str:
    """The reason that is reported where there is no certificate, or it was not judged."""
    from coarsest.check.certify.certificate_diagrams import TooLarge
    from coarsest.evidence.effort import NotConfirmed

    match problem:
        case TooLarge():
            return UNASKED
        case NotConfirmed():
            return str(problem)
        case RecursionError():
            return "the formula is nested too deeply for a certificate"
        case OutOfNodes() | MemoryError():
            return "there is no room for its certificate"
        case LimitExceeded(limit=limit) if patient:
            return "there was no time left for its certificate" if limit == "time" else str(problem)
    return UNASKED


def _with_time_for(run: Run) -> Run:
    """A run that ends early enough to report the verdict."""
    limit, now = run.limits.seconds, run.seconds
    seconds = None if limit is None else now + tuning.PART_OF_TIME_FOR_CERTIFICATES * (limit - now)
    return replace(run, limits=replace(run.limits, seconds=seconds))


def _on_bdds(session: Session, setting: Setting[Any]) -> Setting[SymbolicSet[Any]]:
    """The setting with sets that are decision diagrams, of which certificates are made."""
    require_bits(setting.machine)
    return session.on_bdds(setting)


def require_bits(machine: Machine) -> None:
    """Raise NotConfirmed where a variable has no bits, which certificates are about."""
    from coarsest.evidence.effort import NotConfirmed

    for variable in unbounded_variables(machine):
        raise NotConfirmed(f"certificates are about bits, and '{variable.name}' has no bounds")


def certify_ctl(session: Session, setting: Setting[Any], claim: Property, *, needed: bool) -> Certified:
    """A certificate of a CTL formula that holds."""

    def make(writer: DiagramWriter, run: Run) -> Certificate:
        from coarsest.check.certify.certify_ctl import CtlCertifier

        return CtlCertifier(_on_bdds(session, setting), writer, run).certificate(claim.formula)

    return certify(session, claim, make, needed=needed)


def certify_linear(session: Session, setting: Setting[Any], claim: Property, *, needed: bool) -> Certified:
    """A certificate of a formula of LTL or PSL that holds."""
    from coarsest.check.certify.certify_ltl import linear_certificate
    from coarsest.evidence.claims.linear import linear_formula

    def make(writer: DiagramWriter, run: Run) -> Certificate:
        return linear_certificate(_on_bdds(session, setting), linear_formula(claim), writer, session.build, run)

    return certify(session, claim, make, needed=needed)


def certify_fair_paths(session: Session, setting: Setting[Any], claim: Property, proof: Proof) -> Certified:
    """A certificate of the same, made of clauses: those of the proof, or new ones beside the watcher of the checker."""
    from coarsest.check.certify.certify_ltl import fair_path_certificate
    from coarsest.evidence.claims.linear import linear_formula
    from coarsest.evidence.effort import SPENT_ON_CLAUSES

    def make(writer: DiagramWriter, run: Run) -> Certificate:
        own = proof if claim.kind.is_ltl and isinstance(proof, ClauseRounds | ClauseNoReturn) else None
        return fair_path_certificate(setting, linear_formula(claim), own, writer, run)

    return certify(session, claim, make, needed=True, unasked=SPENT_ON_CLAUSES)


def certify_invariant(session: Session, proof: SetInvariant, question: Question[Invariant], *, needed: bool) -> Certified:
    """A certificate of a condition on all reachable states, or on all steps from them."""
    from coarsest.evidence.certificate import Certificate

    def make(writer: DiagramWriter, run: Run) -> Certificate:
        own, machine = session.machine.variables, question.whole
        added = [v for v in machine.variables.values() if v.name not in own]  # what watches steps
        require_bits(machine)
        root = writer.where_equal(machine, question.part.merged, proof.root(writer, added))
        return Certificate(writer.graphs, tuple(name for name in machine.variables if name in own), (), root)

    at_least = session.evidence.least if proof.members <= tuning.JUDGED_STATES else 0.0
    return certify(session, invariant(question.claim.stated), make, needed=needed, at_least=at_least)


def certify_clauses(session: Session, proof: ClauseInvariant, question: Question[Invariant], *, unasked: Effort) -> Certified:
    """A certificate of the same, made of clauses over the bits of a part of the machine."""
    from coarsest.evidence.certificate import Certificate

    def make(writer: DiagramWriter, run: Run) -> Certificate:
        own, machine = session.machine.variables, question.whole
        # The variable that watches steps is true in every state of the invariant, so its literals can go.
        clauses = [clause for clause in proof.clauses if all(name in own or not value for name, _, value in clause)]
        parts = [writer.clause([bit for bit in clause if bit[0] in own]) for clause in clauses]
        parts += [writer.where_equal(machine, {name: value}, 1) for name, value in question.part.merged.items()]
        return Certificate(writer.graphs, tuple(name for name in machine.variables if name in own), (), 1, parts=tuple(parts))

    return certify(session, invariant(question.claim.stated), make, needed=True, unasked=unasked)
