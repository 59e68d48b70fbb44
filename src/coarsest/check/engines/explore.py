"""Invariants by listing states, batch after batch, up to the first that violates the condition.

One list serves all invariants of a machine: each looks at the states that are there, and goes on from there.
"""

from __future__ import annotations

from coarsest.check.certify.certificates import SetInvariant
from coarsest.check.questions.finding import Proved, Reached, Refuted
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.session import Session
from coarsest.check.setting.traces import trace_through
from coarsest.evidence.confirmation import part_in_words
from coarsest.logic.expr import Apply
from coarsest.space.explicit.listed_spaces import ListedSpaces


def decide(question: Question[Invariant], session: Session) -> Proved | Refuted:
    machine = question.part.machine
    if session.spaces.carrier != "explicit":
        session = session.sibling("listed", session.machine, carrier="explicit")
    assert isinstance(session.spaces, ListedSpaces)
    states = session.spaces.lister(machine)
    bad = states.first(Apply("not", (question.claim.good,)))
    facts = {"listed_states": states.met}
    if bad is None:
        space = session.spaces.space(machine)
        part = part_in_words(question.whole, session.machine)
        return Proved(SetInvariant(space, space.states, exact=True, part=part), Reached(space, space.states, exact=True), facts)
    path = [states.state(number) for number in states.path_to(bad)]
    return Refuted(trace_through(machine, path, states.inputs_between), facts)
