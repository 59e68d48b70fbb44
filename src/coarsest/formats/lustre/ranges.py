"""Bounds for the integers of a Lustre program: intervals for the values of its memories, by abstract interpretation.

Reference: Cousot and Cousot, Abstract interpretation: a unified lattice model, 1977, section 9.
Symbols:   `bounds` are the current intervals; a bound that keeps growing jumps to the next constant of the program, in the end to
           infinity.
Invariant: every memory's interval contains its initial values.
Deviates:  after these jumps, a few rounds make intervals smaller that have become too large.
Cost:      a few rounds per constant, each one evaluation of the program on intervals.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from typing import Final

from coarsest.logic.expr import Constant, Expr, subexpressions
from coarsest.model.checks.intervals import ANYTHING, NOTHING, Interval, Intervals

PATIENT_ROUNDS: Final = 4
"""The number of rounds in which a bound may grow step by step."""

NARROWING_ROUNDS: Final = 3


def infer(
    memories: Mapping[str, Expr],
    initial: Mapping[str, Interval],
    given: Mapping[str, Interval],
    definitions: Mapping[str, Expr],
) -> dict[str, Interval]:
    """The intervals of the memories, from the values stored in them; `given` holds declared bounds of other names."""
    bounds = {name: initial.get(name, NOTHING) for name in memories}
    steps = _constants([*memories.values(), *definitions.values()], given.values())
    rounds = 0
    while True:
        computed = _round(memories, bounds, given, definitions)
        grown = {name: bounds[name] | computed[name] for name in memories}
        if grown == bounds:
            break
        rounds += 1
        patient = rounds <= PATIENT_ROUNDS
        bounds = {name: grown[name] if patient else _widened(bounds[name], grown[name], steps) for name in memories}
    for _ in range(NARROWING_ROUNDS):
        computed = _round(memories, bounds, given, definitions)
        bounds = {name: bounds[name] & (computed[name] | initial.get(name, NOTHING)) for name in memories}
    return bounds


def _round(
    memories: Mapping[str, Expr], bounds: Mapping[str, Interval], given: Mapping[str, Interval], definitions: Mapping[str, Expr]
) -> dict[str, Interval]:
    intervals = Intervals({**given, **bounds}, definitions)
    return {name: intervals.of(value) for name, value in memories.items()}


def _constants(exprs: Iterable[Expr], declared: Iterable[Interval]) -> list[int]:
    numbers = {0}
    for interval in declared:
        numbers |= {bound + more for bound in interval if bound is not None for more in (-1, 0, 1)}
    for expr in exprs:
        for part in subexpressions(expr):
            if isinstance(part, Constant) and part.value.__class__ is int:
                assert isinstance(part.value, int)
                numbers |= {part.value - 1, part.value, part.value + 1}
    return sorted(numbers)


def _widened(before: Interval, after: Interval, steps: list[int]) -> Interval:
    if before.is_empty or after == ANYTHING:
        return after
    low, high = after
    if low is not None and before.low is not None and low < before.low:
        below = bisect_right(steps, low)
        low = steps[below - 1] if below else None
    if high is not None and before.high is not None and high > before.high:
        above = bisect_left(steps, high)
        high = steps[above] if above < len(steps) else None
    return Interval(low, high)
