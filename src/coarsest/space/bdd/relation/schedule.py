"""In which order to conjoin the parts of a relation, and when each variable can be quantified.

Reference: Ranjan, Aziz, Brayton, Plessier, Pixley 1995 (IWLS), "Efficient BDD algorithms for FSM synthesis and verification".
Symbols:   of a candidate c: v is `leaving` (variables that only c has), w `quantifiable` (variables of c to be quantified),
           x all that remain to be quantified, y `results` (variables of c that stay), z all results that remain,
           m the deepest level of w, M the deepest of x. The weights are those of the paper's experiments.
Invariant: a variable is quantified with the last part that mentions it, never earlier.
Deviates:  variables that no part mentions are quantified from the set before anything is conjoined.
Cost:      quadratic in the number of parts, on bit masks, in which the bits are levels: the highest one is the deepest variable.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Generic

from msgspec import Struct

from coarsest.bdd.bounded import product_within
from coarsest.bdd.protocol import F, Manager

WEIGHT_LEAVING: Final = 6
WEIGHT_SHARE: Final = 1
WEIGHT_RESULTS: Final = 1
WEIGHT_DEPTH: Final = 2


class Levels(Generic[F]):
    """Sets of variables as bit masks: bit n is the variable at level n of the order."""

    def __init__(self, manager: Manager[F]) -> None:
        self.order = manager.order
        self._bits = {variable: 1 << level for level, variable in enumerate(self.order)}

    def mask(self, variables: Collection[int]) -> int:
        return sum(map(self._bits.__getitem__, variables))

    def members(self, mask: int) -> list[int]:
        """The variables of a set."""
        members = []
        while mask:
            low = mask & -mask
            members.append(self.order[low.bit_length() - 1])
            mask ^= low
        return members


def order_parts(supports: Sequence[int], quantified: int) -> list[int]:
    """Indexes of the parts in the order in which they are best conjoined."""
    candidates = [_Candidate(index, support, quantified) for index, support in enumerate(supports)]
    ordered: list[int] = []
    while candidates:
        once, twice = 0, 0
        for candidate in candidates:
            twice |= once & candidate.support
            once |= candidate.support
        best = _best(candidates, once, once & ~twice, quantified)
        candidates.remove(best)
        ordered.append(best.index)
    return ordered


class _Candidate:
    """A part that is not conjoined yet, and what stays the same of it whatever is conjoined before."""

    __slots__ = ("deepest", "index", "quantifiable", "results", "share", "support")

    def __init__(self, index: int, support: int, quantified: int) -> None:
        self.index, self.support = index, support
        self.quantifiable = support & quantified
        self.share = self.quantifiable.bit_count()
        self.results = support.bit_count() - self.share
        self.deepest = _deepest(self.quantifiable)


def _best(candidates: Sequence[_Candidate], mentioned: int, lonely: int, quantified: int) -> _Candidate:
    """The one of most benefit, the first of equals. `lonely` are variables that only one of them mentions."""
    to_quantify = (mentioned & quantified).bit_count() or 1
    results = (mentioned & ~quantified).bit_count() or 1
    deepest = _deepest(mentioned & quantified) or 1
    most, best = float("-inf"), candidates[0]
    for one in candidates:
        leaving = (one.quantifiable & lonely).bit_count() / one.share if one.share else 0.0
        benefit = (
            WEIGHT_LEAVING * leaving
            + WEIGHT_SHARE * one.share / to_quantify
            + WEIGHT_RESULTS * (1 - one.results / results)
            + WEIGHT_DEPTH * one.deepest / deepest
        )
        if benefit > most:
            most, best = benefit, one
    return best


def _deepest(variables: int) -> int:
    return max(0, variables.bit_length() - 1)


class Stage(Struct, Generic[F], frozen=True):
    """Conjoin `part`, quantifying the variables of the cube at once."""

    part: F
    cube: F

    def applied(self, manager: Manager[F], states: F) -> F:
        return states & self.part if self.cube == manager.true else manager.and_exists(states, self.part, self.cube)


class Schedule(Struct, Generic[F], frozen=True):
    """First quantify `before` from the set, then go through the stages."""

    before: F
    stages: tuple[Stage[F], ...]

    def apply(self, manager: Manager[F], states: F) -> F:
        if self.before != manager.true:
            states = manager.exists(states, self.before)
        for stage in self.stages:
            states = stage.applied(manager, states)
        return states

    def apply_within(self, manager: Manager[F], states: F, most_live: int) -> F | None:
        """The same; None if the manager would hold more nodes than these."""
        product: F | None = states if self.before == manager.true else manager.exists(states, self.before)
        for stage in self.stages:
            if product is not None:
                product = product_within(manager, product, stage.part, stage.cube, most_live)
        return product


def schedule(
    manager: Manager[F], parts: Sequence[F], supports: Sequence[Collection[int]], quantified: Collection[int]
) -> Schedule[F]:
    """Order the parts and find for each variable the last part that mentions it."""
    levels = Levels(manager)
    masks = [levels.mask(support) for support in supports]
    wanted = levels.mask(set(quantified))
    ordered = order_parts(masks, wanted)
    quantified_here: list[int] = []
    seen_later = 0
    for i in reversed(ordered):
        quantified_here.append(masks[i] & wanted & ~seen_later)
        seen_later |= masks[i]
    stages = tuple(
        Stage(parts[i], manager.cube(levels.members(variables))) for i, variables in zip(ordered, reversed(quantified_here))
    )
    return Schedule(manager.cube(levels.members(wanted & ~seen_later)), stages)
