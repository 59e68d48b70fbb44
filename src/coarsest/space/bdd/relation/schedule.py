"""In which order to conjoin the parts of a relation, and when each variable can be quantified.

Reference: Ranjan, Aziz, Brayton, Plessier, Pixley 1995 (IWLS), "Efficient BDD algorithms for FSM synthesis and verification".
Symbols:   of a candidate c: v is `leaving` (variables that only c has), w `quantifiable` (variables of c to be quantified),
           x all that remain to be quantified, y `results` (variables of c that stay), z all results that remain,
           m the deepest level of w, M the deepest of x. The weights are those of the paper's experiments.
Invariant: a variable is quantified with the last part that mentions it, never earlier.
Deviates:  variables that no part mentions are quantified from the set before anything is conjoined.
Cost:      quadratic in the number of parts, on bit masks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import reduce
from operator import or_
from typing import Generic

from msgspec import Struct

from coarsest.bdd.protocol import F, Manager

WEIGHT_LEAVING, WEIGHT_SHARE, WEIGHT_RESULTS, WEIGHT_DEPTH = 6, 1, 1, 2


def mask(variables: Collection[int]) -> int:
    """A set of variables as a bit mask."""
    return reduce(or_, (1 << v for v in variables), 0)


def order_parts(supports: Sequence[int], quantified: int, level: Sequence[int]) -> list[int]:
    """Indexes of the parts in the order in which they are best conjoined."""
    remaining = list(range(len(supports)))
    ordered: list[int] = []
    while remaining:
        once, twice = 0, 0
        for i in remaining:
            twice |= once & supports[i]
            once |= supports[i]
        left = _Left(
            quantified,
            lonely=once & ~twice,
            to_quantify=(once & quantified).bit_count() or 1,
            results=(once & ~quantified).bit_count() or 1,
            deepest=_deepest(once & quantified, level) or 1,
            level=level,
        )
        best = max(remaining, key=lambda i: left.benefit(supports[i]))  # used at once; the first of equals wins
        remaining.remove(best)
        ordered.append(best)
    return ordered


class _Left(Struct, frozen=True):
    """What is left to be done at some point of the ordering."""

    quantified: int
    lonely: int
    """Variables that only one of the remaining parts mentions."""
    to_quantify: int
    results: int
    deepest: int
    level: Sequence[int]

    def benefit(self, support: int) -> float:
        quantifiable = support & self.quantified
        share = quantifiable.bit_count()
        leaving = (quantifiable & self.lonely).bit_count() / share if share else 0.0
        return (
            WEIGHT_LEAVING * leaving
            + WEIGHT_SHARE * share / self.to_quantify
            + WEIGHT_RESULTS * (1 - (support & ~self.quantified).bit_count() / self.results)
            + WEIGHT_DEPTH * _deepest(quantifiable, self.level) / self.deepest
        )


def _deepest(variables: int, level: Sequence[int]) -> int:
    deepest = 0
    while variables:
        low = variables & -variables
        deepest = max(deepest, level[low.bit_length() - 1])
        variables ^= low
    return deepest


class Stage(Struct, Generic[F], frozen=True):
    """Conjoin `part`, quantifying `variables` (a cube) at once."""

    part: F
    variables: F


class Schedule(Struct, Generic[F], frozen=True):
    """First quantify `before` from the set, then go through the stages."""

    before: F
    stages: tuple[Stage[F], ...]

    def apply(self, manager: Manager[F], states: F) -> F:
        if self.before != manager.true:
            states = manager.exists(states, self.before)
        for stage in self.stages:
            if stage.variables == manager.true:
                states = states & stage.part
            else:
                states = manager.and_exists(states, stage.part, stage.variables)
        return states


def schedule(
    manager: Manager[F], parts: Sequence[F], supports: Sequence[Collection[int]], quantified: Collection[int]
) -> Schedule[F]:
    """Order the parts and find for each variable the last part that mentions it."""
    masks = [mask(support) for support in supports]
    level = [0] * len(manager.names)
    for depth, variable in enumerate(manager.order):
        level[variable] = depth
    wanted = mask(quantified)
    ordered = order_parts(masks, wanted, level)
    quantified_here: list[int] = []
    seen_later = 0
    for i in reversed(ordered):
        quantified_here.append(masks[i] & wanted & ~seen_later)
        seen_later |= masks[i]
    stages = tuple(
        Stage(parts[i], manager.cube(_members(variables))) for i, variables in zip(ordered, reversed(quantified_here))
    )
    return Schedule(manager.cube(_members(wanted & ~seen_later)), stages)


def _members(variables: int) -> list[int]:
    members = []
    while variables:
        low = variables & -variables
        members.append(low.bit_length() - 1)
        variables ^= low
    return members
