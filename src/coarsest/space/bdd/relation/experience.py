"""How long something took, and what is expected of it the next time."""

from __future__ import annotations

from typing import Generic

from msgspec import Struct

from coarsest.bdd.protocol import F
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.functions import NextStateFunctions
from coarsest.space.bdd.relation.monolithic import Monolithic

MEMORY, FIRST_WEIGHT = 0.8, 100.0
"""What counts of the past at each preimage, for the sets of one search are alike, those of the next may not be; and what counts
before the first."""
RECENT, SURPRISE = 0.6, 8.0
"""The same, of the seconds of preimages; and how many times what was expected is a surprise."""
NEW = 0.05
"""Share of what was expected below which a preimage was known, more or less, from an earlier one, and teaches nothing."""
STEADY = 2.0
"""How many times what was expected, or the nodes of the last set, may still come without a surprise."""
MOST_UNSURE = 4.0
"""How many times what is expected of a way nobody wonders at, if it has not been taken yet, or with far smaller sets only."""


class Experience:
    """The effort that something took, for each unit of what was expected."""

    def __init__(self, rate: float, *, least: float) -> None:
        self._effort, self._expected, self._least = rate * FIRST_WEIGHT, FIRST_WEIGHT, least

    def add(self, effort: float, expected: float) -> None:
        if effort > NEW * expected:
            self._effort = MEMORY * self._effort + effort
            self._expected = MEMORY * self._expected + expected

    def effort(self, expected: float) -> float:
        return expected * max(self._least, self._effort / self._expected)


class Way(Struct, Generic[F]):
    """One way to compute preimages, and how long it took lately."""

    method: NextStateFunctions[F] | EarlyQuantification[F] | Monolithic[F]
    growth: float
    seconds: float
    units: float
    """For sets of so many nodes in all, to the power of the growth."""
    largest: float = 0.0
    """The size of the largest set that was tried lately."""
    steady: int = 0
    """The size of the last set that did not take much longer than expected; otherwise 0."""
    all_seconds: float = 0.0
    """Of all preimages that were found."""
    is_old_at: float = 0.0
    """When preimages have taken so many seconds, nothing sure is known of it any more."""
    waits: float = 0.0
    """It is not tried before they have taken so many."""
    failures: int = 0
    """How often in a row it took too long."""
    surprise: int = 0
    """The size of a set with which it took far longer than expected: of smaller sets that says little."""

    def expected(self, size: int) -> float:
        smaller = size / self.surprise if size < self.surprise else 1.0
        return float(self.seconds / self.units * (size * smaller) ** self.growth)

    def unsure(self, size: int) -> float:
        """How many times what is expected, or what share of it, would be no surprise."""
        return min(MOST_UNSURE, max(1.0, size / self.largest) ** 0.5) if self.largest else MOST_UNSURE

    def is_steady(self, size: int) -> bool:
        """Is no surprise to be expected?"""
        return size < STEADY * self.steady

    def took(self, seconds: float, size: int) -> None:
        expected = self.expected(size)
        self.largest = max(size, RECENT * self.largest)
        self.steady = size if seconds < STEADY * expected else 0
        self.all_seconds += seconds
        if self.failures:  # what was expected was only that it takes more than somebody waited for
            self.seconds, self.units, self.surprise = seconds, size**self.growth, 0
        elif seconds > NEW * expected:
            self.surprise = size if seconds > SURPRISE * expected else 0
            self.seconds = RECENT * self.seconds + seconds
            self.units = RECENT * self.units + size**self.growth
        self.failures = 0

    def was_given_up(self, seconds: float, size: int) -> None:
        """After so many: it takes more, and the more often in a row that is so, the more."""
        self.failures, self.surprise, self.steady, self.largest = self.failures + 1, size, 0, size
        if self.expected(size) < 2**self.failures * seconds:
            self.seconds, self.units = 2**self.failures * seconds, size**self.growth
