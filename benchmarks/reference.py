"""What is known beforehand: the times of NuSMV in reference.json, the answers in the collection's oracles.json, and our targets.

A target is in seconds: NuSMV's best time and half a second for the example models, a fifth of NuSMV's best time for a family
at the largest N that NuSMV finished, and fixed bounds for a few cases.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

COLLECTION = Path(__file__).parents[2] / "shared" / "benchmarks"
ALLOWANCE = 0.5
FACTOR = 5


class Example(Struct, frozen=True):
    """A model of the collection for which there is a time of NuSMV."""

    model: str
    path: str
    best: float
    """The best time for all its specifications."""
    best_whole: float
    """The best time without a cone of influence, for comparison with a search through all reachable states."""


@cache
def _reference() -> Mapping[str, Any]:
    facts: Mapping[str, Any] = json.loads(Path(__file__).with_name("reference.json").read_text(encoding="utf-8"))
    return facts


@cache
def oracles() -> Mapping[str, Any]:
    """What is known of the models of the collection; nothing where it is not there."""
    path = COLLECTION / "oracles.json"
    answers: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return answers


def examples() -> list[Example]:
    """The models with a time of NuSMV for all their specifications."""
    found = []
    for row in _reference()["examples"]["models"]:
        seconds = row["seconds"]
        found.append(Example(row["model"], row["path"], min(seconds.values()), min(seconds["default"], seconds["dynamic"])))
    return found


def family_seconds(family: str, kind: str) -> dict[int, float]:
    """NuSMV's best time for each N, for the specifications of one kind of a family."""
    best: dict[int, float] = {}
    for series in _reference()["families"]["series"]:
        if (series["family"], series["kind"]) == (family, kind):
            for n, seconds in series["seconds"].items():
                best[int(n)] = min(seconds, best.get(int(n), seconds))
    return best


def example_target(best: float) -> float:
    """The most seconds that a model may take for which NuSMV takes `best`."""
    return best + ALLOWANCE


def family_target(family: str, kind: str, n: int) -> float | None:
    """The most seconds that a family may take: there is a target only for the largest N that NuSMV finished.

    >>> family_target("mutex", "ltl", 14), family_target("mutex", "ltl", 12)
    (0.646, None)
    """
    best = family_seconds(family, kind)
    return best[n] / FACTOR if best and n == max(best) else None
