"""Fair states: from where does a fair path start? One interface for several algorithms."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from coarsest.errors import InputError
from coarsest.phases import CLOCK
from coarsest.run import Run
from coarsest.search.until import until
from coarsest.space.space import S, StateSpace

HULLS = {"one-way": "hull_one_way", "emerson-lei": "hull_emerson_lei", "lockstep": "hull_lockstep"}
"""A function in the module of each name. It gives a set, inside the region, that contains a fair cycle for every state in it to
run into, and all fair cycles."""


@CLOCK.phase("fair")
def fair_hull(space: StateSpace[S], run: Run, region: S, algorithm: str = "auto") -> S:
    """States of the region among which all its fair cycles run, and from each of which one of them can be reached inside."""
    name = "one-way" if algorithm == "auto" else algorithm
    if name not in HULLS:
        raise InputError(f"unknown algorithm '{algorithm}' for fair states", hint=f"known: auto, {', '.join(HULLS)}")
    module = import_module(f"coarsest.search.fair_states_{name.replace('-', '_')}")
    hull: Callable[[StateSpace[S], Run, S], S] = getattr(module, HULLS[name])
    return hull(space, run, region)


def fair_states(space: StateSpace[S], run: Run, region: S, algorithm: str = "auto") -> S:
    """EG region, under fairness: the states from which a fair path stays in the region for ever."""
    return until(space, run, region, fair_hull(space, run, region, algorithm))
