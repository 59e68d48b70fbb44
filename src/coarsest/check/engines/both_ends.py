"""Invariants by a search from both ends: where one search goes on for ever, the other may end.

Reference: –
Symbols:   –
Invariant: after n rounds, `reached` are forwards the states within n steps from an initial state, and backwards those from which
           a bad state is within n steps. Neither set meets the other's start.
Deviates:  –
Cost:      one image and one preimage per round.
"""

from __future__ import annotations

from coarsest.check.invariants.invariant import InvariantResult
from coarsest.check.invariants.searched import finding_of
from coarsest.check.questions.finding import Finding
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.session import Session
from coarsest.run import Run
from coarsest.search.paths import path_from, path_to
from coarsest.search.reachability import BreadthFirst
from coarsest.space.space import S, StateSpace


def decide(question: Question[Invariant], session: Session) -> Finding:
    space = session.spaces.space(question.part.machine)
    forwards = BreadthFirst(space, space.initial)
    backwards = BreadthFirst(space, space.states - space.where(question.claim.good), backwards=True)
    result = meet(forwards, backwards, space, session.run)
    return finding_of(session, question, space, result, {"rings": max(len(forwards.rings), len(backwards.rings))})


def meet(forwards: BreadthFirst[S], backwards: BreadthFirst[S], space: StateSpace[S], run: Run) -> InvariantResult[S]:
    """Let both searches take turns until one of them decides."""
    bad = backwards.reached
    while True:
        if forwards.frontier & bad:
            return InvariantResult(path_to(space, [*forwards.rings, forwards.frontier], bad), None)
        if backwards.frontier & space.initial:
            return InvariantResult(path_from(space, [*backwards.rings, backwards.frontier], space.initial), None)
        if forwards.complete:
            return InvariantResult(None, forwards.reached, exact=True)
        if backwards.complete:
            return InvariantResult(None, space.states - backwards.reached)
        forwards.advance(run)
        backwards.advance(run)
