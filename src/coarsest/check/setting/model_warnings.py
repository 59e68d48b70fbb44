"""What makes verdicts vacuous: no initial state, states without successor, initial states in which no fair path starts.

Each warning is given once in a run, whichever properties and engines meet its reason, before the first verdict that it concerns.
"""

from __future__ import annotations

from collections.abc import Collection
from math import inf
from typing import TYPE_CHECKING, Any

from coarsest import tuning
from coarsest.errors import LimitExceeded
from coarsest.model.machine import Machine, Variable
from coarsest.model.types import show_value
from coarsest.space.carrier import Carrier
from coarsest.space.space import S

if TYPE_CHECKING:
    from coarsest.check.setting.session import Session, Setting

STEP_TO_ITSELF = "each is given a step to itself"
NO_PATH_THROUGH = "what the file assumes cannot hold there, and paths that end so do not count"
EMPTY_CLAIMS = "from there, claims about all paths hold, and claims about some path fail"

NO_INITIAL_STATE = "there is no initial state: every property holds"
NO_PATH_FOR_GRAPHS = "there is no initial state: every graph holds"
DEAD_ENDS = f"some reachable states have no successor; {STEP_TO_ITSELF}"
NO_FAIR_PATH = f"no fair path starts in any initial state: {EMPTY_CLAIMS}"
SOME_WITHOUT = f"no fair path starts in some initial states: {EMPTY_CLAIMS}"
NOT_LOOKED_FOR = "states without successor were not looked for, which takes more than all the rest (check --deadlock fail)"
"""Warnings that name no states. Each text is also the topic under which a more detailed warning is given once."""


def without_successor(space: Carrier[S], stuck: S, inputs: Collection[Variable] = (), *, exact: bool = True) -> str:
    """A warning with the number of these states, where that is known, and one of them."""
    example = one_of(space, stuck, inputs)
    if not exact or not space.is_counted:
        return f"states {'reachable' if exact else 'that may be reachable'} have no successor, for example {example}"
    count = number_of(space, stuck, inputs)
    return f"{count} reachable state{'s have' if count > 1 else ' has'} no successor, for example {example}"


def number_of(space: Carrier[S], states: S, inputs: Collection[Variable] = ()) -> int:
    """How many states of the machine these are; inputs that were made part of the state do not count."""
    return space.count_without(states, _hidden(space.machine, inputs))


def one_of(space: Carrier[S], states: S, inputs: Collection[Variable] = ()) -> str:
    """One of the states, without what is no part of it."""
    hidden = {v.name for v in _hidden(space.machine, inputs)}
    shown = [(name, value) for name, value in space.describe(space.pick(states)).items() if name not in hidden]
    return ", ".join(f"{name} = {show_value(value)}" for name, value in shown[:8])


def _hidden(machine: Machine, inputs: Collection[Variable]) -> list[Variable]:
    return [*inputs, *(v for v in machine.state_variables if v.added and v not in inputs)]


def warn_of_dead_ends(session: Session, setting: Setting[Any]) -> None:
    """Warn if there is no initial state, or if reachable states have no successor."""
    arena = setting.arena
    if not arena.start:
        session.warn(NO_INITIAL_STATE)
    elif session.options.deadlock == "loop" and arena.stuck:
        _warn_of_stuck(session, arena.base, without_successor(arena.base, arena.stuck, arena.inputs))


def warn_of_unfair_start(session: Session, setting: Setting[Any], *, needed: bool = False) -> None:
    """Warn of initial states in which no fair path starts. Unless the fair states are `needed` for something else, they are
    looked for in no more steps than everything before has taken."""
    arena, machine = setting.arena, setting.machine
    if not arena.start or not (machine.justice or machine.compassion):
        return
    most = inf if needed else tuning.STEPS_OF_A_SHORT_SEARCH + sum(session.run.steps.values())
    without = None
    because = "that takes more steps than the verdict"
    try:
        with session.run.within(steps=most):
            without = arena.start - arena.forget(setting.ctl.fair)
    except LimitExceeded as limit:
        because = str(limit)
    if without is None:
        session.warn(NO_FAIR_PATH, f"it is not known whether a fair path starts in the initial states: {because}")
        return
    if without == arena.start:
        session.warn(NO_FAIR_PATH)
    elif without:
        example = one_of(arena.base, without, arena.inputs)
        session.warn(SOME_WITHOUT, f"no fair path starts in some initial states, for example with {example}: {EMPTY_CLAIMS}")


def warn_of_reached(session: Session, space: Carrier[S], reached: S, *, exact: bool) -> None:
    """The same for engines of invariants. If the set is not exact, it may have more states than the reachable ones."""
    if not space.initial:
        session.warn(NO_INITIAL_STATE)
        return
    if not space.machine.may_be_stuck or session.options.deadlock != "loop":
        return
    leaving = space.pre_if_cheap(space.states)
    if leaving is None:
        session.warn(NOT_LOOKED_FOR)
    elif stuck := reached - leaving:
        _warn_of_stuck(session, space, without_successor(space, stuck, exact=exact))


def _warn_of_stuck(session: Session, space: Carrier[S], which: str) -> None:
    """Where nothing but assumptions forbids steps, no path that counts goes through states without successor."""
    machine = space.machine
    forbidding = {*machine.transition_constraints, *machine.invariant_constraints} - {*machine.assumptions}
    session.warn(DEAD_ENDS, f"{which}; {STEP_TO_ITSELF if forbidding else NO_PATH_THROUGH}")
