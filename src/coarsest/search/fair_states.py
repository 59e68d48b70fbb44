"""Fair states: from where does a fair path start? One interface for several algorithms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from coarsest.errors import InputError
from coarsest.run import Run
from coarsest.search.fair_states_emerson_lei import hull_emerson_lei
from coarsest.search.fair_states_lockstep import hull_lockstep
from coarsest.search.fair_states_one_way import hull_one_way
from coarsest.search.until import until
from coarsest.space.space import S, StateSpace

HULLS: dict[str, Callable[[StateSpace[Any], Run, Any], Any]] = {
    "one-way": hull_one_way,
    "emerson-lei": hull_emerson_lei,
    "lockstep": hull_lockstep,
}
"""Each gives a set, inside the region, that contains a fair cycle for every state in it to run into, and all fair cycles."""


def fair_hull(space: StateSpace[S], run: Run, region: S, algorithm: str = "auto") -> S:
    """States of the region among which all its fair cycles run, and from each of which one of them can be reached inside."""
    name = "one-way" if algorithm == "auto" else algorithm
    if name not in HULLS:
        raise InputError(f"unknown algorithm '{algorithm}' for fair states", hint=f"known: auto, {', '.join(HULLS)}")
    result: S = HULLS[name](space, run, region)
    return result


def fair_states(space: StateSpace[S], run: Run, region: S, algorithm: str = "auto") -> S:
    """EG region, under fairness: the states from which a fair path stays in the region for ever."""
    return until(space, run, region, fair_hull(space, run, region, algorithm))
