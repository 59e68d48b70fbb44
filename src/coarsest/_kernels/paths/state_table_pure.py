"""The set of states that an exploration has met, in plain Python: the twin of `state_table`, which says what the arguments are.

Both fill a table alike, so that one can go on where the other has stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Numbers = NDArray[np.signedinteger[Any]]

MIXER: Final = 0x9E3779B97F4A7C15
BITS: Final = (1 << 64) - 1


def _hash(state: Sequence[int]) -> int:
    result = 0
    for word in state:
        result = (result ^ word) * MIXER & BITS
        result ^= result >> 32
    return result


def enter(keys: Words, states: Words, table: Words, used: int, numbers: Numbers, begin: int) -> tuple[int, int]:
    """Number states from row `begin` on; new ones go to `states`, of which so many are `used`. It ends early at a new one that
    there is no more room for. Gives the row where it ended, and how many states there are then."""
    size = len(table) // 2
    most = min(len(states), 3 * size // 4)
    for at, state in enumerate(keys[begin:].tolist(), begin):
        key = _hash(state)
        slot = key & (size - 1)
        while number := int(table[2 * slot + 1]):
            if int(table[2 * slot]) == key and states[number - 1].tolist() == state:
                break
            slot = (slot + 1) & (size - 1)
        if not number:
            if used == most:
                return at, used
            states[used] = state
            used += 1
            number = used
            table[2 * slot], table[2 * slot + 1] = key, number
        numbers[at] = number - 1
    return len(keys), used


def move_over(old: Words, new: Words) -> None:
    """Enter what is in one table into another one, which is empty and larger."""
    size = len(new) // 2
    for key, number in old.reshape(-1, 2).tolist():
        if number:
            slot = key & (size - 1)
            while new[2 * slot + 1]:
                slot = (slot + 1) & (size - 1)
            new[2 * slot], new[2 * slot + 1] = key, number


def targets_by_source(sources: Numbers, targets: Numbers, offsets: Numbers, gathered: Numbers) -> int:
    """Gather targets by their sources, which are numbered from 0, each once and in increasing order; fills `offsets`, one more
    than there are sources, and `gathered`. Gives how many targets are left."""
    pairs = np.unique(np.stack((sources, targets.astype(sources.dtype)), axis=1), axis=0)
    gathered[: len(pairs)] = pairs[:, 1]
    offsets[:] = np.searchsorted(pairs[:, 0], np.arange(len(offsets)))
    return len(pairs)
