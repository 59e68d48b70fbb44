"""A kind of property from outside the package: `COVER p` says that a reachable state satisfies p."""

from __future__ import annotations

from coarsest.check.decide import invariants
from coarsest.check.setting.session import Decision, Session
from coarsest.evidence.explanation import Explanation
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.expr import Apply
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.model.query.places import STATE
from coarsest.options.engines import INVARIANTS

COVER = PropertyKind("cover", "conditions to cover", f"{__name__}:decide", INVARIANTS, STATE, section="COVER")


def decide(session: Session, claim: Property) -> Decision:
    """A path to such a state refutes that there is none; the judges of that say whether they believe it."""
    match invariants.decide(session, claim.as_invariant(Apply("not", (claim.formula,)))).verdict:
        case Fails(trace, confirmation=confirmation) if trace is not None:
            return Decision(Holds(None, Explanation(claim.formula, True, "a path leads there", trace), confirmation=confirmation))
        case Holds(confirmation=confirmation):
            return Decision(Fails(confirmation=confirmation))
        case verdict:
            return Decision(verdict)
