"""Tables of keys: parts of the kernels that refine by signatures.

A table uses the first `size` pairs of entries (a power of two): a key, and beside it a number, so that both are fetched together.
Only functions that take the table as an argument may fill it: where a variable may hold another table in the next turn of a loop,
references to it are counted for every key, which takes longer than everything else.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined
from coarsest._kernels.memory import AHEAD, prefetch, room

Numbers = NDArray[np.signedinteger[Any]]
Hashes = NDArray[np.uint64]

EMPTY = np.uint64(0)
FIRST_SIZE: Final = 1 << 10
MOST_GROWTH: Final = 16
"""A table grows at most by this factor at once: the keys so far may differ more than the rest, and a large table is slow."""


@inlined
def first_table() -> tuple[Hashes, int]:
    """An empty table and its size."""
    return np.zeros(2 * FIRST_SIZE, dtype=np.uint64), FIRST_SIZE


@inlined
def table_size(keys: int) -> int:
    """A size that is enough for this many keys."""
    size = 8
    while size < 2 * keys:
        size *= 2
    return size


@inlined
def place_of(key: np.uint64, table: Hashes, size: int) -> np.int64:
    """The position of a key in a table, or of the empty entry where it belongs."""
    mask = np.uint64(size - 1)
    slot = (key >> np.uint64(1)) & mask
    while table[2 * slot] != EMPTY and table[2 * slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return np.int64(2 * slot)


@inlined
def too_full(used: int, size: int) -> bool:
    """Must a table with this many keys grow before it takes the next one?"""
    return 5 * used > 3 * size


@inlined
def enter(keys: Hashes, begin: int, end: int, number_of: Numbers, table: Hashes, size: int, used: int) -> tuple[int, int]:
    """Number the different keys in `keys[begin:end]` from `used` on, in the order in which they appear, until the table is too
    full. Returns the position of the first key that was not entered, and how many numbers are used."""
    mask = np.uint64(size - 1)
    at = begin
    while at < end and not too_full(used, size):
        if at + AHEAD < end:
            prefetch(table, np.intp(2 * ((keys[at + AHEAD] >> np.uint64(1)) & mask)))
        place = place_of(keys[at], table, size)
        if table[place] == EMPTY:
            table[place] = keys[at]
            table[place + 1] = used
            used += 1
        number_of[at] = table[place + 1]
        at += 1
    return at, used


@inlined
def grown(table: Hashes, size: int, expected: int) -> tuple[Hashes, int]:
    """A larger table with the same keys, in the same array if that is long enough. `expected` estimates the final number of
    keys."""
    more = 2 * size
    while too_full(expected, more) and more < MOST_GROWTH * size:
        more *= 2
    new, old = table, table[: 2 * size]
    if 2 * more > len(table):
        new = room(2 * more, np.uint64)
    else:
        old = old.copy()
    new[: 2 * more] = EMPTY
    for slot in range(0, 2 * size, 2):
        if old[slot] != EMPTY:
            place = place_of(old[slot], new, more)
            new[place], new[place + 1] = old[slot], old[slot + 1]
    return new, more


@inlined
def numbered(keys: Hashes, number_of: Numbers) -> int:
    """Number the different keys in the order in which they appear. Returns how many there are."""
    table, size = first_table()
    at, used = 0, 0
    while True:
        at, used = enter(keys, at, len(keys), number_of, table, size, used)
        if at == len(keys):
            return used
        table, size = grown(table, size, used * len(keys) // at)
