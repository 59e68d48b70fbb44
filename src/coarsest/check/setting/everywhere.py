"""CTL on all states, or on the reachable ones: whichever is settled first.

A few preimages often decide a formula, such as one about the next five steps, although the reachable states take long to find;
and fixpoints on all states may be out of reach where few states are reachable. So both are tried in turns, with more work in each
turn: a search for the reachable states is taken up where it was left, and a complete fixpoint is not computed again.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from coarsest import tuning
from coarsest.bdd.protocol import Manager, OutOfNodes
from coarsest.check.setting.arena import Arena
from coarsest.check.strategy import attempts
from coarsest.logic.expr import Expr
from coarsest.options.engines import BRANCHING
from coarsest.run import Run
from coarsest.space.space import S, StateSpace

if TYPE_CHECKING:
    from coarsest.check.setting.session import Session, Setting


def work_backwards(manager: Manager[Any]) -> float:
    """The work after which a backward search, on states that may not be reachable, is given up."""
    return max(tuning.WORK_ALWAYS_WORTH, tuning.BACKWARD_WORK_OF_A_NODE * manager.live_nodes)


class Everywhere(Arena[S]):
    """All states of a space in which each has a successor: what is true in a state does not depend on whether it is reachable."""

    exact = False

    def __init__(self, other: Arena[S]) -> None:
        super().__init__(other.base, [v.name for v in other.inputs], other.run, start=other.start, search=other.search)
        self.reached = other.base.states

    @property
    def space(self) -> StateSpace[S]:
        return self.base


def settled_first(session: Session, setting: Setting[Any], formula: Expr) -> Setting[Any]:
    """The setting in which the formula is evaluated first. To ask again costs nothing."""
    arena = setting.arena
    if type(arena) is not Arena or arena.may_be_stuck or not arena.base.holds_diagrams:
        return setting
    everywhere: Setting[Any] = session.once(setting, "everywhere", lambda: _everywhere(setting))
    if everywhere.ctl.is_settled(formula):
        return everywhere
    if "reached" in vars(arena):
        return setting
    for attempt in attempts(BRANCHING, setting.machine):
        where, task = setting, partial[object](arena.searching.finish, session.run)
        if attempt.way == "all-states":
            where, task = everywhere, partial(everywhere.ctl.satisfying, formula)
        if attempt.work == inf or _is_done(task, session.run, attempt.work):
            return where
    raise AssertionError("the last attempt has no end but an answer")


def _everywhere(setting: Setting[Any]) -> Setting[Any]:
    other = copy(setting)
    vars(other).pop("ctl", None)
    other.arena = Everywhere(setting.arena)
    return other


def _is_done(task: Callable[[], object], run: Run, work: float) -> bool:
    """Is the task done within its turn?"""
    try:
        with run.within(work=work):
            task()
            return True
    except OutOfNodes:
        pass
    return False
