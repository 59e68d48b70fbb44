"""The ways to the smallest structure that is simulation equivalent to a system, by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, TypeAlias

from msgspec.structs import replace

from coarsest.errors import InputError
from coarsest.reduce.partition.observed import Observed, Snapshot, Watcher
from coarsest.reduce.partition.partition import TooManyBlocks
from coarsest.reduce.partition.reachable_part import reachable_part
from coarsest.reduce.simulation.ordered import Ordered, Smallest, dead_ends_apart, smallest
from coarsest.run import Run
from coarsest.space.space import S
from coarsest.text.near import nearest

MOST_CLASSES_DIRECTLY = 128
"""Where there are more classes on the way, `auto` goes by way of bisimulation."""

Refinements: TypeAlias = Callable[..., Iterator[Ordered[Any]]]

REFINING: Mapping[str, str] = {
    "partition": "partition_bustan_grumberg",
    "splitters": "splitters_gentilini_piazza_policriti",
}
"""What goes through pairs of a partition and an order."""
MINIMISERS: Mapping[str, str] = {**REFINING, "relation": "relation_milner", "bisimulation-first": "bisimulation_first"}


def full_name(algorithm: str) -> str:
    """The name of a way, or `auto`."""
    if algorithm != "auto" and algorithm not in MINIMISERS:
        near = nearest(algorithm, list(MINIMISERS))
        hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(MINIMISERS)}"
        raise InputError(f"there is no algorithm '{algorithm}' for simulation", hint=hint)
    return algorithm


def minimise_by(
    name: str, observed: Observed[S], run: Run, watch: Watcher[S] | None = None, *, reach: bool = True, first: str = "auto"
) -> tuple[str, Observed[S], Smallest[S]]:
    """The smallest structure, the way that found it, and what was observed, with dead ends apart.

    `auto` splits classes directly, and where there turn out to be many goes by way of bisimulation. With `reach`, the
    reachable states are found first; without, classes may be told apart by what only others can do. `first` is the minimiser
    by bisimulation.
    """
    observed = dead_ends_apart(observed)
    if name == "bisimulation-first":
        return name, observed, _module(name).minimise(observed, run, first=first)
    if name == "relation":
        return name, observed, _module(name).minimise(observed, run)
    inside = reachable_part(observed, run) if reach else observed
    if name != "auto":
        return name, observed, _refined(name, observed, inside, run, watch)
    try:
        return "splitters", observed, _refined("splitters", observed, inside, run, watch, most_classes=MOST_CLASSES_DIRECTLY)
    except TooManyBlocks:
        return minimise_by("bisimulation-first", observed, run, first=first)


def _refined(
    name: str, observed: Observed[S], inside: Observed[S], run: Run, watch: Watcher[S] | None, **limits: Any
) -> Smallest[S]:
    for ordered in _module(name).refinements(inside, run, **limits):
        if watch is not None:
            watch(Snapshot(tuple(ordered.classes), frozenset(), frozenset()))
    return smallest(replace(inside, blocks=observed.blocks), ordered, run)


def _module(name: str) -> Any:
    return import_module(f"coarsest.reduce.simulation.{MINIMISERS[name]}")
