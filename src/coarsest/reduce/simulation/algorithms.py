"""The ways to the smallest structure that is simulation equivalent to a system, by their names."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from msgspec.structs import replace

from coarsest import tuning
from coarsest.errors import InputError
from coarsest.reduce.bisimulation.algorithms import MODULAR
from coarsest.reduce.partition.observed import Observed, Snapshot, Watcher
from coarsest.reduce.partition.partition import TooManyBlocks
from coarsest.reduce.partition.reachable_part import reachable_part
from coarsest.reduce.simulation.ordered import Smallest, dead_ends_apart, smallest
from coarsest.reduce.simulation.quotients_bustan_grumberg import reachable_quotient
from coarsest.run import Run
from coarsest.space.space import S
from coarsest.text.near import nearest

REFINING: Mapping[str, str] = {
    "partition": "partition_bustan_grumberg",
    "splitters": "splitters_gentilini_piazza_policriti",
    "reach-then-refine": "splitters_gentilini_piazza_policriti",
}
"""What goes through pairs of a partition and an order."""
MINIMISERS: Mapping[str, str] = {**REFINING, "relation": "relation_milner", "bisimulation-first": "bisimulation_first"}


def full_name(algorithm: str) -> str:
    """The name of a way, or `auto`."""
    if algorithm != "auto" and algorithm not in MINIMISERS and algorithm not in MODULAR:
        near = nearest(algorithm, [*MINIMISERS, *MODULAR])
        hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(MINIMISERS)}"
        raise InputError(f"there is no algorithm '{algorithm}' for simulation", hint=hint)
    return algorithm


def minimise_by(
    name: str, observed: Observed[S], run: Run, watch: Watcher[S] | None = None, *, first: str = "auto", parts: str = "auto",
    quotient: str = "smallest",
) -> tuple[str, Observed[S], Smallest[S]]:  # fmt: skip
    """The way that found the smallest structure, or another quotient, what was observed, with dead ends apart, and the structure.

    `auto` splits the classes of all states, which needs no reachable ones; where there turn out to be many, those of the
    reachable states; and where these are many, too, it goes by way of bisimulation, for which `first` is the minimiser. What
    takes a model apart does so by bisimulation, too.
    """
    observed = dead_ends_apart(observed)
    if name in MODULAR:
        made = _module("bisimulation-first").minimise(observed, run, first=name, parts=parts, quotient=quotient)
        return name, observed, made
    if name == "bisimulation-first":
        return name, observed, _module(name).minimise(observed, run, first=first, quotient=quotient)
    if name == "relation":
        return name, observed, _module(name).minimise(observed, run, quotient=quotient)
    if name != "auto":
        return name, observed, _refined(name, observed, run, watch, quotient)
    for way, most in (("splitters", tuning.BLOCKS_DIRECTLY), ("reach-then-refine", 4 * tuning.BLOCKS_DIRECTLY)):
        try:
            return way, observed, _refined(way, observed, run, watch, quotient, most_classes=most)
        except TooManyBlocks:
            pass
    return minimise_by("bisimulation-first", observed, run, first=first, quotient=quotient)


def _refined(
    name: str, observed: Observed[S], run: Run, watch: Watcher[S] | None, quotient: str, **limits: Any
) -> Smallest[S]:
    inside = reachable_part(observed, run) if name == "reach-then-refine" else observed
    for ordered in _module(name).refinements(inside, run, **limits):
        if watch is not None:
            watch(Snapshot(tuple(ordered.classes), frozenset(), frozenset()))
    inside = replace(inside, blocks=observed.blocks)
    if quotient != "smallest":
        return reachable_quotient(inside, ordered, run, every=quotient == "all")
    return smallest(inside, ordered, run)


def _module(name: str) -> Any:
    return import_module(f"coarsest.reduce.simulation.{MINIMISERS[name]}")
