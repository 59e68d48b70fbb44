"""Sequential circuits of and-gates and inverters, as the numbers of an AIGER file.

A literal is a whole number: twice a variable, and one more where it is negated; 0 is false and 1 is true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field


class Latch(NamedTuple):
    """A variable that takes the value of a literal at each step. Its first value is 0, 1, or (its own literal) any."""

    literal: int
    next: int
    reset: int = 0


class Gate(NamedTuple):
    """A variable that is the conjunction of two literals."""

    literal: int
    left: int
    right: int


class Circuit(Struct, frozen=True):
    """Inputs, latches and gates; every gate comes after those that it reads."""

    inputs: Sequence[int] = ()
    latches: Sequence[Latch] = ()
    gates: Sequence[Gate] = ()
    outputs: Sequence[int] = ()
    bad: Sequence[int] = ()
    """Literals that must never be true while the constraints are."""
    constraints: Sequence[int] = ()
    justice: Sequence[Sequence[int]] = ()
    """Sets of literals that must not all be true infinitely often."""
    fairness: Sequence[int] = ()
    symbols: Mapping[str, str] = field(default_factory=dict)
    """Names, by a letter of `ilobcjf` and a number, as in `i0`."""
    comment: str = ""

    @property
    def counts(self) -> tuple[int, ...]:
        """The header of its file: the largest variable, then the number of entries of each kind."""
        sections = (self.inputs, self.latches, self.outputs, self.gates, self.bad, self.constraints, self.justice, self.fairness)
        largest = max((literal >> 1 for literal in (*self.inputs, *(row[0] for row in (*self.latches, *self.gates)))), default=0)
        return largest, *map(len, sections)
