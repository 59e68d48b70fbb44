"""The minimisers by their names. Each takes an observed space to its coarsest stable partition."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from typing import Any, TypeAlias

from coarsest.errors import InputError
from coarsest.reduce.bisimulation.partition import Partition

Minimiser: TypeAlias = Callable[..., Partition[Any]]

MINIMISERS = {
    "bouajjani-fernandez-halbwachs": "bouajjani_fernandez_halbwachs",
    "lee-yannakakis": "lee_yannakakis",
    "paige-tarjan": "paige_tarjan",
    "signatures": "signatures_blom_orzan",
    "relation": "relation_bouali_de_simone",
    "reach-then-refine": "reach_then_refine",
    "refine-then-reach": "refine_then_reach",
}
SHORT_NAMES = {"bfh": "bouajjani-fernandez-halbwachs"}


def full_name(algorithm: str) -> str:
    """The name of a minimiser; `auto` is the one that serves best."""
    name = SHORT_NAMES.get(algorithm, algorithm)
    if name == "auto":
        return "bouajjani-fernandez-halbwachs"
    if name not in MINIMISERS:
        near = get_close_matches(algorithm, [*MINIMISERS, *SHORT_NAMES], 1)
        hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(MINIMISERS)}"
        raise InputError(f"there is no algorithm '{algorithm}' for bisimulation", hint=hint)
    return name


def minimiser(name: str) -> Minimiser:
    """The `minimise` function of an algorithm."""
    found: Minimiser = import_module(f"coarsest.reduce.bisimulation.{MINIMISERS[name]}").minimise
    return found
