"""What makes verdicts hollow: no initial state, states without successor, initial states in which no fair path starts.

Each of these is told once in a run, whichever properties and engines meet it, and before the first verdict that it concerns.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from coarsest.errors import LimitExceeded
from coarsest.model.machine import Variable
from coarsest.model.parts.watch import WATCH
from coarsest.model.types import show_value
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace

if TYPE_CHECKING:
    from coarsest.check.setting.context import Context, Setting

STEP_TO_ITSELF = "each is given a step to itself"
EMPTY_CLAIMS = "what is claimed of every path from there holds, and what is claimed of some path fails"

NO_INITIAL_STATE = "there is no initial state: every property holds"
NO_PATH_FOR_GRAPHS = "there is no initial state: every graph holds"
DEAD_ENDS = f"some reachable states have no successor; {STEP_TO_ITSELF}"
NO_FAIR_PATH = f"no fair path starts in any initial state: {EMPTY_CLAIMS}"
SOME_WITHOUT = f"no fair path starts in some initial states: {EMPTY_CLAIMS}"
"""As far as they can be told without naming states; under these texts they are told once."""


def without_successor(space: SymbolicSpace[Any], stuck: SymbolicSet[Any], inputs: Collection[Variable] = ()) -> str:
    """How many reachable states these are, and one of them, for a warning."""
    count, example = several(space, stuck, inputs)
    return f"{count} reachable state{'s have' if count > 1 else ' has'} no successor, for example {example}"


def several(space: SymbolicSpace[Any], states: SymbolicSet[Any], inputs: Collection[Variable] = ()) -> tuple[int, str]:
    """How many states of the machine these are, and one of them; inputs that were made part of the state do not count."""
    hidden = {v.name: v for v in (*inputs, *(v for v in space.machine.state_variables if v.name.startswith(WATCH)))}
    places = space.layout.now(list(hidden.values()))
    function = space.manager.exists(states.function, space.manager.cube(places)) if places else states.function
    shown = [(name, value) for name, value in space.describe(space.pick(states)).items() if name not in hidden]
    example = ", ".join(f"{name} = {show_value(value)}" for name, value in shown[:8])
    return space.manager.count(function, len(space.bits) - len(places)), example


def warn_of_dead_ends(context: Context, setting: Setting) -> None:
    """No initial state, or reachable states without successor."""
    arena = setting.arena
    if not arena.start:
        context.warn(NO_INITIAL_STATE)
    elif arena.stuck:
        context.warn(DEAD_ENDS, f"{without_successor(arena.base, arena.stuck, arena.inputs)}; {STEP_TO_ITSELF}")


def warn_of_unfair_start(context: Context, setting: Setting) -> None:
    """Initial states in which no fair path starts. Where nothing else needs the fair states, this finds them."""
    arena, machine = setting.arena, setting.machine
    if not arena.start or not (machine.justice or machine.compassion):
        return
    try:
        without = arena.start - arena.forget(setting.ctl.fair)
    except LimitExceeded as limit:
        context.warn(NO_FAIR_PATH, f"it is not known whether a fair path starts in the initial states: {limit}")
        return
    if without == arena.start:
        context.warn(NO_FAIR_PATH)
    elif without:
        _, example = several(arena.base, without, arena.inputs)
        context.warn(SOME_WITHOUT, f"no fair path starts in some initial states, for example with {example}: {EMPTY_CLAIMS}")


def warn_of_reached(context: Context, space: Any, reached: Any, *, exact: bool) -> None:
    """The same for an engine of invariants; where it has not found the reachable states, more may be in the set than these."""
    if not space.initial:
        context.warn(NO_INITIAL_STATE)
        return
    if not space.machine.may_be_stuck:
        return
    stuck = reached - space.pre(reached)
    if not stuck:
        return
    if exact and isinstance(space, SymbolicSpace):
        context.warn(DEAD_ENDS, f"{without_successor(space, stuck)}; {STEP_TO_ITSELF}")
        return
    state = space.describe(space.pick(stuck))
    example = ", ".join(f"{name} = {show_value(state[name])}" for name in state if not name.startswith(WATCH))
    which = "reachable" if exact else "that may be reachable"
    context.warn(DEAD_ENDS, f"states {which} have no successor, for example {example}; {STEP_TO_ITSELF}")
