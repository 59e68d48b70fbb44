"""Invariants by a search from the initial states; one search serves all properties of a space.

If the user has not chosen this engine and the search is long, it pauses for two questions: is there a bad state at all, and does
a step lead from a good state to a bad one? A short search is not interrupted, since reachable states say more than good ones.
"""

from __future__ import annotations

from typing import Any

from coarsest import tuning
from coarsest.check.invariants.invariant import InvariantResult
from coarsest.check.invariants.searched import finding_of
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.session import Session
from coarsest.run import Statistic
from coarsest.space.carrier import Carrier


def decide(question: Question[Invariant], session: Session) -> Finding:
    space = session.spaces.space(question.part.machine)
    search = session.searches(space)
    bad = space.states - space.where(question.claim.good)
    result: InvariantResult[Any] | None = None
    counts: dict[str, Statistic] = {}
    if session.options.engine == "auto" and space.holds_diagrams:
        with session.run.within(steps=tuning.STEPS_OF_A_SHORT_SEARCH):
            result = search.forwards(bad, session.run)
        if result is None and not search.searching.reached & bad:
            result = _of_the_condition_itself(space, bad)
            counts = {"inductive": "the condition itself"} if result else {}
    result = search.forwards(bad, session.run) if result is None else result
    rings = len(search.rings.rings)  # one image each; by chaining, there may be none
    images = search.chain.images if search.by_chaining else 0
    counts |= {"rings": rings, "iterations": rings} if rings else {}
    return finding_of(session, question, space, result, {**counts, "images": rings + images})


def _of_the_condition_itself(space: Carrier[Any], bad: Any) -> InvariantResult[Any] | None:
    """The good states, initial ones among them, if no step leads out of them; None if a step does, or that is hard to say."""
    leading = space.pre_if_cheap(bad) if bad else bad
    return InvariantResult(None, space.states - bad) if leading is not None and leading <= bad else None
