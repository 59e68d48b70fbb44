"""The history of a partition: for each block, the block that it split from, and the round.

Because the largest part of a block keeps its number, a new block has at most half the states of its parent, so the chain from a
block to the first one has at most log₂ n steps.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Integers = NDArray[np.signedinteger[Any]]


class PartitionHistory(Struct, frozen=True, eq=False, dict=True):
    """`block` is the block of each state; `parent` and `level` are the block that each block split from, and the round."""

    block: Integers
    parent: Integers
    level: Integers
    work: int = 0
    """The approximate number of transitions that were looked at."""

    @property
    def blocks(self) -> int:
        return len(self.parent)

    @property
    def rounds(self) -> int:
        return int(self.level.max(initial=0))

    @cached_property
    def _of_state(self) -> list[int]:
        return [int(number) for number in self.block.tolist()]

    @cached_property
    def _parents(self) -> list[int]:
        return [int(number) for number in self.parent.tolist()]

    @cached_property
    def _levels(self) -> list[int]:
        return [int(number) for number in self.level.tolist()]

    def block_at(self, state: int, level: int) -> int:
        """The block of a state after `level` rounds."""
        block, levels = self._of_state[state], self._levels
        while levels[block] > level:
            block = self._parents[block]
        return block

    def separation(self, state: int, other: int) -> int | None:
        """The round in which two states were separated; None if they are in one block, 0 if they never were."""
        first, second, levels = self._of_state[state], self._of_state[other], self._levels
        last: int | None = None
        while first != second:
            if levels[first] < levels[second]:
                first, second = second, first
            last = levels[first]
            if last == 0:
                return 0
            first = self._parents[first]
        return last
