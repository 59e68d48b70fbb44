"""A kind of property from outside the package: `BEGIN p` says that p is true in every initial state."""

from __future__ import annotations

from coarsest.check.setting.session import Decision, Session
from coarsest.errors import EvidenceRejected
from coarsest.evidence.confirmation import Replayed, Unconfirmed
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.evidence.verdict import Fails, Holds
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.model.query.places import STATE
from coarsest.model.trace import Trace
from coarsest.run import Run
from coarsest.search.witness import Path

BEGIN = PropertyKind(
    "begin", "conditions at the beginning", f"{__name__}:decide", place=STATE, section="BEGIN", replay=f"{__name__}:replay"
)


def decide(session: Session, claim: Property) -> Decision:
    """By sets of states; a counterexample is one state."""
    setting = session.setting([claim.formula])
    space = setting.arena.base
    bad = setting.arena.start - space.where(claim.formula)
    if not bad:
        return Decision(Holds(confirmation=Unconfirmed("nobody looks at all initial states")))
    trace = setting.trace(Path((space.pick(bad),)))
    replay(setting.own, claim, trace, session.run)
    return Decision(Fails(trace, confirmation=Replayed()))


def replay(machine: Machine, claim: Property, trace: Trace, run: Run) -> str:
    """Is it one initial state in which the condition is false?"""
    if len(trace) > 1:
        raise EvidenceRejected("the path goes beyond the initial state")
    confirm_trace(machine, trace, violates=claim.formula)
    return ""
