"""Certificates on demand: what may be spent on them, and what is said when that is not enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from coarsest.bdd.protocol import OutOfNodes
from coarsest.check.setting.context import Context, Setting
from coarsest.errors import LimitExceeded
from coarsest.evidence.confirmation import UNASKED as NOBODY_ASKED
from coarsest.evidence.confirmation import BySat, Confirmation, Unconfirmed
from coarsest.evidence.explanation import Explanation
from coarsest.evidence.proof import Proof
from coarsest.evidence.verdict import Holds
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine, PropertyKind
from coarsest.model.unbounded import unbounded_variables
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.check.certify.certificate_graphs import GraphWriter
    from coarsest.check.certify.certificates import SetInvariant
    from coarsest.evidence.certificate import Certificate
    from coarsest.space.bdd.symbolic import SymbolicSet

SHARE = 0.2
SHORTEST = 0.2
"""Without being asked for, certificates take this part of all the time in one run, and none is begun with fewer seconds left."""

MOST_NODES = 20_000
MOST_CLAUSES, MOST_CONFLICTS = 200_000, 5_000
"""The same for what the clock does not see: of the graphs, and of the solver for one condition."""

PART_OF_LIMIT = 0.85
"""Of a time limit: what is known by then is not lost because it is not confirmed."""

UNASKED = "its certificate takes longer than is spent unasked (--confirm always)"

Maker: TypeAlias = "Callable[[GraphWriter, Run], Certificate]"


class Certified(Struct, frozen=True):
    """What came of the attempt to certify a verdict."""

    certificate: Certificate | None = None
    confirmation: BySat | Unconfirmed = NOBODY_ASKED

    @property
    def doubt(self) -> str:
        """Why it was not confirmed."""
        return self.confirmation.because if isinstance(self.confirmation, Unconfirmed) and self.confirmation.told else ""

    def holding(
        self, proof: Proof | None = None, explanation: Explanation | None = None, *, confirmation: Confirmation
    ) -> Holds:
        """The verdict that a property holds, with what came of the attempt."""
        return Holds(proof, explanation, self.certificate, self.doubt, confirmation=confirmation)


def certify(context: Context, kind: PropertyKind, formula: Expr, make: Maker, *, needed: bool) -> Certified:
    """A certificate for a formula that holds, if one is wanted: to confirm the verdict (`needed`), or to be written down."""
    options = context.options
    wanted = needed and options.confirms
    if not wanted and not options.certificates:
        return Certified()
    patient = options.certificates or options.confirm == "always"
    if not patient and _allowance(context) < SHORTEST:
        return Certified(confirmation=Unconfirmed(UNASKED))
    from coarsest.check.certify.certificate_graphs import GraphWriter
    from coarsest.evidence.effort import Effort, NotConfirmed
    from coarsest.evidence.sat.certificate_check import confirm_certificate

    run = _with_time_for(context, patient=patient)
    begun, certificate = context.run.seconds, None
    try:
        certificate = make(GraphWriter(None if patient else MOST_NODES), run)
        if not options.confirms:
            return Certified(certificate)
        effort = Effort() if patient else Effort(clauses=MOST_CLAUSES, conflicts=MOST_CONFLICTS)
        confirmed = confirm_certificate(context.machine, kind, formula, certificate, run=run, effort=effort)
        return Certified(certificate, confirmed)
    except NotConfirmed as reason:
        return Certified(certificate, Unconfirmed(str(reason)))
    except RecursionError:
        return Certified(certificate, Unconfirmed("the formula is nested too deeply for a certificate"))
    except (OutOfNodes, MemoryError):
        return Certified(certificate, Unconfirmed("there is no room for its certificate"))
    except LimitExceeded as limit:
        short = "there was no time left for its certificate" if limit.limit == "time" else str(limit)
        return Certified(certificate, Unconfirmed(short if patient else UNASKED))
    finally:
        context.certifying += context.run.seconds - begun


def _allowance(context: Context) -> float:
    """The seconds that may go into certificates now, unasked."""
    return SHARE * context.run.seconds - context.certifying


def _with_time_for(context: Context, *, patient: bool) -> Run:
    """The same run, but it ends when certificates have taken their share of the time, and early enough to tell the verdict."""
    run = context.run
    ends = [] if patient else [run.seconds + _allowance(context)]
    if run.limits.seconds is not None:
        ends.append(PART_OF_LIMIT * run.limits.seconds)
    return replace(run, limits=replace(run.limits, seconds=min(ends))) if ends else run


def _on_bdds(context: Context, setting: Setting[Any]) -> Setting[SymbolicSet[Any]]:
    """The setting with sets that are decision diagrams, of which certificates are made."""
    insist_bits(setting.machine)
    return context.on_bdds(setting)


def insist_bits(machine: Machine) -> None:
    """Raise NotConfirmed where there is no certificate, because it would be about bits."""
    from coarsest.evidence.effort import NotConfirmed

    for variable in unbounded_variables(machine):
        raise NotConfirmed(f"certificates are about bits, and '{variable.name}' has no bounds")


def certify_ctl(context: Context, setting: Setting[Any], formula: Expr, *, needed: bool) -> Certified:
    """A certificate of a CTL formula that holds."""
    from coarsest.check.certify.certify_ctl import CtlCertifier

    def make(writer: GraphWriter, run: Run) -> Certificate:
        return CtlCertifier(_on_bdds(context, setting), writer, run).certificate(formula)

    return certify(context, PropertyKind.CTL, formula, make, needed=needed)


def certify_linear(context: Context, setting: Setting[Any], kind: PropertyKind, formula: Expr, *, needed: bool) -> Certified:
    """A certificate of a formula of LTL or PSL that holds."""
    from coarsest.check.certify.certify_ltl import linear_certificate
    from coarsest.evidence.claims.linear import linear_formula

    def make(writer: GraphWriter, run: Run) -> Certificate:
        return linear_certificate(_on_bdds(context, setting), linear_formula(kind, formula), writer, context.build, run)

    return certify(context, kind, formula, make, needed=needed)


def certify_invariant(context: Context, invariant: SetInvariant[Any, Any], good: Expr, *, needed: bool) -> Certified:
    """A certificate of a condition on all reachable states, or on all steps from them."""
    from coarsest.evidence.certificate import Certificate

    def make(writer: GraphWriter, run: Run) -> Certificate:
        own, machine = context.machine.variables, invariant.space.machine
        added = [v for v in machine.variables.values() if v.name not in own]  # what watches steps
        insist_bits(machine)
        root = invariant.root(writer, added)
        return Certificate(writer.graphs, tuple(name for name in machine.variables if name in own), (), root)

    return certify(context, PropertyKind.INVARIANT, good, make, needed=needed)
