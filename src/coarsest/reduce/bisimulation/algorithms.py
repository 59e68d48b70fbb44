"""The minimisers by their names. Each computes the coarsest stable partition of an observed space."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

from coarsest import tuning
from coarsest.errors import InputError
from coarsest.options.engines import SHORT_NAMES
from coarsest.reduce.bisimulation.bouajjani_fernandez_halbwachs import minimise as minimise_directly
from coarsest.reduce.partition.observed import Observed, Watcher
from coarsest.reduce.partition.partition import Partition, TooManyBlocks
from coarsest.reduce.partition.reachable_part import reachable_states
from coarsest.run import Run
from coarsest.space.space import S
from coarsest.text.near import nearest

Minimiser: TypeAlias = Callable[..., Partition[Any]]

MINIMISERS = {
    "bouajjani-fernandez-halbwachs": "bouajjani_fernandez_halbwachs",
    "lee-yannakakis": "lee_yannakakis",
    "paige-tarjan": "paige_tarjan",
    "signatures": "signatures_blom_orzan",
    "list-then-refine": "list_then_refine",
    "relation": "relation_bouali_de_simone",
    "reach-then-refine": "reach_then_refine",
    "refine-then-reach": "refine_then_reach",
}
MODULAR = ("ordinary", "naive", "improved", "improved2", "improved3")
"""Those that take a model apart, in reduce/modular."""


def full_name(algorithm: str) -> str:
    """The name of a minimiser, or `auto`."""
    name = SHORT_NAMES.get(algorithm, algorithm)
    if name != "auto" and name not in MINIMISERS and name not in MODULAR:
        near = nearest(algorithm, [*MINIMISERS, *MODULAR, *SHORT_NAMES])
        hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join((*MINIMISERS, *MODULAR))}"
        raise InputError(f"there is no algorithm '{algorithm}' for bisimulation", hint=hint)
    return name


def minimiser(name: str, parts: str = "auto") -> Minimiser:
    """The `minimise` function of an algorithm."""
    if name in MODULAR:
        modular: Minimiser = import_module("coarsest.reduce.modular.algorithms").minimiser(name, parts)
        return modular
    function: Minimiser = import_module(f"coarsest.reduce.bisimulation.{MINIMISERS[name]}").minimise
    return function


def minimise_by(
    name: str, observed: Observed[S], run: Run, watch: Watcher[S] | None = None, *, parts: str = "auto"
) -> tuple[str, Partition[S]]:
    """The partition, and the algorithm that found it.

    `auto` generates the classes directly, which needs no reachable states, and is unbeaten when there are few classes. If the
    sets are BDDs and there turn out to be many classes, it begins again with `minimise_many`.
    """
    if name != "auto":
        return name, minimiser(name, parts)(observed, run, watch)
    direct = "bouajjani-fernandez-halbwachs"
    most = tuning.BLOCKS_DIRECTLY if observed.holds_diagrams and watch is None else None
    try:
        return direct, minimise_directly(observed, run, watch, most_blocks=most)
    except TooManyBlocks:
        return minimise_many(observed, run)


def minimise_many(observed: Observed[S], run: Run) -> tuple[str, Partition[S]]:
    """Few reachable states are listed. Many are split by signatures; if that makes very many blocks, listing is tried again."""
    from coarsest.reduce.bisimulation import list_then_refine, signatures_blom_orzan

    reached = reachable_states(observed.space, run)
    number = observed.space.count(reached)
    if number > tuning.STATES_LISTED_FIRST:
        try:
            most = number if number > list_then_refine.MOST_STATES else tuning.BLOCKS_BY_SIGNATURES
            return "signatures", signatures_blom_orzan.minimise(observed, run, reached=reached, most_blocks=most)
        except TooManyBlocks:
            pass
    try:
        return "list-then-refine", list_then_refine.minimise(observed, run, reached=reached)
    except list_then_refine.TooMany:
        return "signatures", signatures_blom_orzan.minimise(observed, run, reached=reached)
