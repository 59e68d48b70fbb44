"""What makes verdicts on abstract circuits hollow: no initial state, no fair path.

A circuit is never stuck, for every step of it is given by equations. Whether it has an initial state a SAT solver knows; whether
a fair path starts there it knows where it finds a short one.
"""

from __future__ import annotations

from coarsest import tuning
from coarsest.check.gste.graph_by_bounded_search import BoundedSearch
from coarsest.check.setting.model_warnings import EMPTY_CLAIMS, NO_FAIR_PATH, NO_INITIAL_STATE, NO_PATH_FOR_GRAPHS
from coarsest.check.setting.session import Session
from coarsest.errors import LimitExceeded
from coarsest.logic.expr import FALSE, TRUE
from coarsest.model.assertion_graph import AssertionGraph, Semantics, Vertex
from coarsest.model.machine import Machine
from coarsest.run import Run

HERE = frozenset({0})
NOTHING_HAPPENS = AssertionGraph("nothing happens", (Vertex("v", TRUE, FALSE),), frozenset({(0, 0)}), HERE, HERE)
"""An assertion graph that every path violates that there is."""



def warn_of_no_start(session: Session, machine: Machine, run: Run) -> None:
    """No initial state, as far as a part of the machine tells."""
    try:
        if BoundedSearch(machine, NOTHING_HAPPENS, Semantics.FINITE, run).shortest(first=0, last=0) is None:
            session.warn(NO_INITIAL_STATE, NO_PATH_FOR_GRAPHS)
    except LimitExceeded as tired:
        if tired.limit != "solver":
            raise
        session.warn(NO_INITIAL_STATE, f"it is not known whether there is an initial state, because {tired}")


def warn_of_no_fair_path(session: Session, machine: Machine, run: Run) -> None:
    """No fair path is found from the initial states of a part of the machine."""
    if not (machine.justice or machine.compassion):
        return
    try:
        search = BoundedSearch(machine, NOTHING_HAPPENS, Semantics.FAIR, run)
        if search.shortest(first=0, last=tuning.STEPS_OF_A_SAT_PROBE) is not None:
            return
        why = f": none of up to {tuning.STEPS_OF_A_SAT_PROBE} steps, with its loop, was found"
    except LimitExceeded as tired:
        if tired.limit != "solver":
            raise
        why = f", because {tired}"
    doubt = f"it is not known whether a fair path starts in any initial state{why}"
    session.warn(NO_FAIR_PATH, f"{doubt}. If there is none, {EMPTY_CLAIMS}")
