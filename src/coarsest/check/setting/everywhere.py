"""CTL on all states, or on the reachable ones: whichever is settled first.

A few preimages often settle what reachable states cost much to know, as when a formula says what the next five steps do, and
fixpoints on all states may be out of reach where few are reachable. So both are tried in turns, with more time for each turn:
a search for the reachable states is taken up where it was left, and a fixpoint that is complete is not computed again.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from coarsest.bdd.protocol import Manager, OutOfNodes
from coarsest.check.setting.arena import Arena
from coarsest.encode.layout import bits_of
from coarsest.logic.expr import Expr
from coarsest.run import Event, Run
from coarsest.space.bdd.symbolic import SymbolicSpace
from coarsest.space.space import S, StateSpace

if TYPE_CHECKING:
    from coarsest.check.setting.workshop import Setting, Workshop

FEWEST_NODES = 50_000
"""So many nodes are always worth it."""
SHARE = 0.6
"""So many more nodes may be made, in terms of those that the system has when the search begins."""
MOST_STEPS = 40
"""A search that takes more goes through many states that are not reachable, as far as we have seen."""
NARROW = 100
"""The reachable states of machines of so many bits come first."""
FIRST = 1.0
"""Seconds for all states of wider machines, before anything is built that images need."""
TURNS = tuple((2.0**turn, 2.0**turn / 2) for turn in range(6))
"""Seconds for each turn of the search for reachable states, and of the fixpoints on all states: half of them, so that at most
half more is spent than with the search alone."""


class TooCostly(Exception):
    """Looking backwards, on states that may not be reachable, does not pay."""


class Caution:
    """A listener that gives a search up when it gets costly."""

    def __init__(self, manager: Manager[Any], run: Run) -> None:
        self._manager = manager
        self._run = run
        self._live = manager.live_nodes
        self._room = max(FEWEST_NODES, SHARE * self._live)
        self._steps = 0

    def __call__(self, event: Event) -> None:
        live = self._manager.live_nodes
        self._room -= max(0, live - self._live)  # what a collection takes away was made all the same
        self._live = live
        self._steps += 1
        if self._room < 0 or self._steps > MOST_STEPS:
            raise TooCostly
        if self._run.listener is not None:
            self._run.listener(event)


def cautious(manager: Manager[Any], run: Run) -> Run:
    """The same run, given up by TooCostly when it gets costly."""
    return replace(run, listener=Caution(manager, run))


def in_turn(run: Run, seconds: float) -> Run:
    """The same run, given up by TooCostly after so many seconds of CPU time, or a quarter of the time that is left."""
    limit, listener = run.limits.seconds, run.listener
    ends = process_time() + (seconds if limit is None else min(seconds, (limit - run.seconds) / 4))

    def listen(event: Event) -> None:
        if process_time() > ends:
            raise TooCostly
        if listener is not None:
            listener(event)

    return replace(run, listener=listen)


class Everywhere(Arena[S]):
    """All states of a space in which each has a successor: what is true in a state does not depend on who reaches it."""

    exact = False

    def __init__(self, other: Arena[S]) -> None:
        super().__init__(other.base, [v.name for v in other.inputs], other.run, start=other.start, search=other.search)
        self.reached = other.base.states

    @property
    def space(self) -> StateSpace[S]:
        return self.base


def settled_first(shop: Workshop, setting: Setting[Any], formula: Expr) -> Setting[Any]:
    """Where the formula is evaluated. Once that is settled, to ask again costs nothing."""
    arena = setting.arena
    if type(arena) is not Arena or arena.may_be_stuck or not isinstance(arena.base, SymbolicSpace):
        return setting
    everywhere: Setting[Any] = shop.once(setting, "everywhere", lambda: _everywhere(setting))
    if everywhere.ctl.is_settled(formula):
        return everywhere
    if "reached" in vars(arena):
        return setting
    on_all = partial(_evaluate, everywhere, formula)
    wide = sum(bits_of(v.type) for v in setting.machine.variables.values()) > NARROW
    if wide and _is_done(on_all, in_turn(shop.run, FIRST)):
        return everywhere
    for on_reachable_states, on_all_states in TURNS:
        if _is_done(arena.searching.finish, in_turn(shop.run, on_reachable_states)):
            return setting
        if _is_done(on_all, in_turn(shop.run, on_all_states)):
            return everywhere
    return setting


def _everywhere(setting: Setting[Any]) -> Setting[Any]:
    other = copy(setting)
    vars(other).pop("ctl", None)
    other.arena = Everywhere(setting.arena)
    return other


def _evaluate(setting: Setting[Any], formula: Expr, run: Run) -> None:
    checker = setting.ctl
    own, checker.run = checker.run, run
    try:
        checker.satisfying(formula)
    finally:
        checker.run = own


def _is_done(task: Callable[[Run], object], turn: Run) -> bool:
    """Is the task done within its turn?"""
    try:
        task(turn)
    except (TooCostly, OutOfNodes):
        return False
    return True
