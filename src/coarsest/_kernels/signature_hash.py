"""Signatures of states as hashes, and tables of hashes: parts of the kernels that refine by signatures.

The signature of a state is the set of pairs (action, block of the target) of its transitions. Its hash is the sum of the hashes
of the pairs, each different one counted once; pairs have different hashes if they are different.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined

Numbers = NDArray[np.signedinteger[Any]]
Hashes = NDArray[np.uint64]
Progress = NDArray[np.int64]

STOP, BLOCKS, WORK, ROUNDS, LIMIT = 0, 1, 2, 3, 4
"""The entries of `progress`: set by the caller to stop the kernel; blocks so far, transitions looked at, rounds; most work."""

FEW = 12
OFTEN = 1 << 16
EMPTY = np.uint64(0)
LARGE = 1 << 20
"""Tables from this size on only double: fresh memory costs more than moving the keys once more."""


class Rows(NamedTuple):
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
def signature(
    state: int, offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers, salt: np.uint64, seen: Hashes
) -> np.uint64:
    """The hash of the signature of a state; `seen` is room for its pairs. (Arrays in a tuple would be counted at every call.)"""
    begin, end = offsets[state], offsets[state + 1]
    total = np.uint64(0)
    if end - begin <= FEW:
        for index in range(begin, end):
            pair = mix(((np.uint64(actions[index]) << np.uint64(32)) | np.uint64(blocks[targets[index]])) + salt)
            fresh = True
            for before in range(index - begin):
                if seen[before] == pair:
                    fresh = False
            seen[index - begin] = pair
            if fresh:
                total += pair
        return total
    size = 1
    while size < 2 * (end - begin):
        size *= 2
    seen[:size] = EMPTY
    for index in range(begin, end):
        pair = mix(((np.uint64(actions[index]) << np.uint64(32)) | np.uint64(blocks[targets[index]])) + salt)
        slot = find(pair, seen, size)
        if seen[slot] != pair:
            seen[slot] = pair
            total += pair
    return total


@inlined
def room_for_pairs(offsets: Numbers) -> Hashes:
    """Room for the pairs of any state."""
    most = FEW
    for state in range(len(offsets) - 1):
        most = max(most, offsets[state + 1] - offsets[state])
    size = 16
    while size < 2 * most:
        size *= 2
    return np.zeros(size, dtype=np.uint64)


@inlined
def find(key: np.uint64, keys: Hashes, size: int) -> np.uint64:
    """The slot of a key among the first `size` (a power of two), or the empty one where it belongs."""
    mask = np.uint64(size - 1)
    slot = (key >> np.uint64(1)) & mask
    while keys[slot] != EMPTY and keys[slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


@inlined
def place_of(key: np.uint64, table: Hashes, size: int) -> np.int64:
    """Where a key is in a table, or the empty place where it belongs; its value is beside it, so that both come at once.

    The table uses the first `size` pairs of places (a power of two).
    """
    mask = np.uint64(size - 1)
    slot = (key >> np.uint64(1)) & mask
    while table[2 * slot] != EMPTY and table[2 * slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return np.int64(2 * slot)


@inlined
def grown(table: Hashes, size: int) -> tuple[Hashes, int]:
    """The same table with more places in use, in the same array if that is long enough."""
    more = 4 * size if size < LARGE else 2 * size
    new, old = table, table[: 2 * size]
    if 2 * more > len(table):
        new = np.empty(2 * more, dtype=np.uint64)
    else:
        old = old.copy()
    new[: 2 * more] = EMPTY
    for slot in range(0, 2 * size, 2):
        if old[slot] != EMPTY:
            place = place_of(old[slot], new, more)
            new[place], new[place + 1] = old[slot], old[slot + 1]
    return new, more
