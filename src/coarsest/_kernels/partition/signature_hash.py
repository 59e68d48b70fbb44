"""Signatures of states as hashes: parts of the kernels that refine by signatures.

The signature of a state is the set of pairs (action, block of the target) of its transitions. Its hash is the sum of the hashes
of the pairs, each different one counted once; pairs have different hashes if they are different.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined
from coarsest._kernels.key_table import EMPTY, Hashes, Numbers

Progress = NDArray[np.int64]

COMPARED_PAIRS: Final = 12
"""Up to this many pairs of a state are compared with one another; more pairs are entered into a table."""
STATES_BETWEEN_LOOKS: Final = 1 << 16
"""After this many states, a kernel looks at whether it shall stop."""


class TwoWayRows(NamedTuple):
    """The transitions of state i are at `offsets[i]` to `offsets[i + 1]`, the sources of those into it at `in_offsets[i]` to
    `in_offsets[i + 1]`."""

    offsets: Numbers
    actions: Numbers
    targets: Numbers
    in_offsets: Numbers
    sources: Numbers


@inlined
def mix(value: np.uint64) -> np.uint64:
    """A bijection that scatters its values."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@inlined
def keyed(signature: np.uint64, block: int) -> np.uint64:
    """A key for states with the same signature in the same block, never EMPTY."""
    return mix(mix(signature) + np.uint64(block)) | np.uint64(1)


@inlined
def pair(action: int, block: int, salt: np.uint64) -> np.uint64:
    """The hash of a pair, where the block may also be given by a hash."""
    return mix((np.uint64(action) << np.uint64(32)) + np.uint64(block) + salt)


@inlined
def _find(key: np.uint64, keys: Hashes, size: int) -> np.uint64:
    """The slot of a key among the first `size` (a power of two), or the empty slot where it belongs."""
    mask = np.uint64(size - 1)
    slot = (key >> np.uint64(1)) & mask
    while keys[slot] != EMPTY and keys[slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


@inlined
def sum_of_different(pairs: Hashes, number: int, seen: Hashes) -> np.uint64:
    """The sum of the different ones among the first pairs."""
    total = np.uint64(0)
    if number <= COMPARED_PAIRS:
        for at in range(number):
            repeated = False  # without jumps, which could not be foreseen
            for before in range(at):
                repeated |= pairs[before] == pairs[at]
            total += np.uint64(0) if repeated else pairs[at]
        return total
    size = 1
    while size < 2 * number:
        size *= 2
    seen[:size] = EMPTY
    for at in range(number):
        slot = _find(pairs[at], seen, size)
        if seen[slot] != pairs[at]:
            seen[slot] = pairs[at]
            total += pairs[at]
    return total


@inlined
def signature(
    state: int, offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers | Hashes, salt: np.uint64, pairs: Hashes,
    seen: Hashes,
) -> np.uint64:  # fmt: skip
    """The hash of the signature of a state. (The owners of arrays in a tuple would be counted at every call.)"""
    begin, end = offsets[state], offsets[state + 1]
    for index in range(begin, end):
        pairs[index - begin] = pair(actions[index], blocks[targets[index]], salt)
    return sum_of_different(pairs, end - begin, seen)


@inlined
def room_for_pairs(offsets: Numbers) -> tuple[Hashes, Hashes]:
    """Room for the pairs of any state, and for a table of them."""
    most = COMPARED_PAIRS
    for state in range(len(offsets) - 1):
        most = max(most, offsets[state + 1] - offsets[state])
    size = 16
    while size < 2 * most:
        size *= 2
    return np.zeros(most, dtype=np.uint64), np.zeros(size, dtype=np.uint64)
