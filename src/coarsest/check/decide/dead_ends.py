"""Dead ends as violations: does every reachable state have a successor?"""

from __future__ import annotations

from coarsest.check.certify.enumerated import enumeration
from coarsest.check.setting.model_warnings import NO_INITIAL_STATE
from coarsest.check.setting.session import Decision, Session
from coarsest.errors import LimitExceeded
from coarsest.evidence.confirmation import UNASKED, Confirmation, Replayed, Unconfirmed
from coarsest.evidence.proof import Stated
from coarsest.evidence.replay.replay import confirm_dead_end
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.expr import Name
from coarsest.model.machine import Property
from coarsest.search.witness import Path, shortest

MANY_STATES = Unconfirmed("there are too many states to look for a successor of each")


def decide(session: Session, claim: Property) -> Decision:
    """A shortest path to a state without successor; where there is none, the judge looks at every state."""
    machine = session.machine
    setting = session.setting([Name(variable.name) for variable in machine.state_variables])
    arena = setting.arena
    confirmation: Confirmation = UNASKED
    if not arena.start:
        session.warn(NO_INITIAL_STATE)
    if not arena.stuck:
        reason = "a successor of every reachable state was found" if arena.may_be_stuck else "equations alone never forbid a step"
        if session.options.confirms:
            confirmation = enumeration(session, setting.own).confirm(claim, holds=True) or MANY_STATES
        return Decision(Holds(Stated(reason), confirmation=confirmation))
    states = arena.base.states
    trace = setting.trace(Path(tuple(shortest(arena.base, session.run, arena.start, states, arena.stuck))))
    if session.options.confirms:
        try:
            confirm_dead_end(setting.own, trace, session.run)
            confirmation = Replayed()
        except LimitExceeded as limit:
            confirmation = Unconfirmed(f"it was replayed, but not whether a step leads on from its end: {limit}")
    return Decision(Fails(trace, confirmation=confirmation))
