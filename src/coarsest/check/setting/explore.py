"""The reachable states of a machine, counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coarsest.check.setting.arena import hinted_steps
from coarsest.check.setting.merging import merged
from coarsest.check.setting.model_warnings import NOT_LOOKED_FOR, without_successor
from coarsest.errors import LimitExceeded
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.guided_ravi_somenzi import Guided
from coarsest.search.reachability import BreadthFirst, Chaining
from coarsest.space.carrier import Carrier
from coarsest.space.carriers import spaces_by
from coarsest.space.space import S


def explore(
    machine: Machine, options: BuildOptions, run: Run, *, search: str = "auto", merge: bool = True, towards: Expr | None = None
) -> tuple[dict[str, Any], list[str]]:
    """Count the reachable states (at a limit, those found so far), or those from which the condition `towards` can be reached
    (with some inputs, if it is about these); also the names in the final variable order.

    A variable that is equal to another in all reachable states, or constant, does not change their number.
    """
    spaces = spaces_by(options.carrier, options, run)
    searches: list[BreadthFirst[Any] | Chaining[Any] | Guided[Any]] = []

    def work() -> None:
        nonlocal machine
        if merge and towards is None and spaces.carrier == "bdd":
            machine = merged(machine, run).machine
        searches[:] = [_search(spaces.space(machine), search, run, towards)]
        searches[0].finish(run)

    because = ""
    try:
        spaces.within_limits(work)
    except LimitExceeded as limit:
        because = str(limit)
    if not searches:
        states = spaces.statistics().get("listed_states", 0)
        return {"states": states, "diameter": None, "nodes": 0, "complete": False, "because": because}, []
    return _facts(spaces, machine, searches[0], run, because, forwards=towards is None), spaces.order()


def _facts(spaces: Any, machine: Machine, search: Any, run: Run, because: str, *, forwards: bool) -> dict[str, Any]:
    """What a search has found out, which is not all if `because` names a limit."""
    space, reached = spaces.space(machine), search.reached
    rings = len(search.rings) if isinstance(search, BreadthFirst) else None
    return {
        "states": space.count(reached),
        "diameter": rings if not because else None,
        "transitions": space.count_steps(reached, (), run) if spaces.carrier == "explicit" else None,
        "nodes": space.size(reached) if spaces.carrier == "bdd" else None,
        "complete": not because,
        "because": because,
        "warnings": tuple(reach_warnings(space, reached)) if not because and forwards else (),
        "statistics": spaces.statistics() | ({"rings": rings} if rings is not None else {}),
    }


def _search(space: Any, search: str, run: Run, towards: Expr | None) -> BreadthFirst[Any] | Chaining[Any] | Guided[Any]:
    if towards is not None:
        goal = space.forget(space.where(towards), space.machine.input_variables)
        return (Chaining if search == "chaining" else BreadthFirst)(space, goal, backwards=True)
    if space.machine.hints:
        return Guided(space, space.initial, hinted_steps(space, run))
    return (Chaining if search == "chaining" else BreadthFirst)(space, space.initial)


def reach_warnings(space: Carrier[S], reached: S) -> Iterator[str]:
    """What a user would want to know of the reachable states: there are none, or some have no successor."""
    if not space.initial:
        yield "there is no initial state"
        return
    if not space.machine.may_be_stuck:
        return
    leaving = space.pre_if_cheap(space.states)
    if leaving is None:
        yield NOT_LOOKED_FOR
    elif stuck := reached - leaving:
        yield without_successor(space, stuck)
