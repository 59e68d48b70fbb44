"""Parts of kernels that number the names in a text: a name is known by the place where it first stood, found by its hash."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined

Text = NDArray[np.uint8]
Places = NDArray[np.int64]


@inlined
def hash_of(text: Text, first: int, last: int) -> np.uint64:
    """A hash of `text[first:last]`."""
    mixed = np.uint64(0xCBF29CE484222325)
    for place in range(first, last):
        mixed = (mixed ^ np.uint64(text[place])) * np.uint64(0x100000001B3)
    return mixed ^ (mixed >> np.uint64(29))


@inlined
def slot_of(text: Text, first: int, last: int, name_places: Places, table: NDArray[np.int32]) -> int:
    """Where in the table the name `text[first:last]` is, or where it would be."""
    mask = np.uint64(len(table) - 1)
    slot = hash_of(text, first, last) & mask
    while table[slot] >= 0:
        start = name_places[table[slot], 0]
        if name_places[table[slot], 1] - start == last - first:
            at = 0
            while at < last - first and text[start + at] == text[first + at]:
                at += 1
            if at == last - first:
                break
        slot = (slot + np.uint64(1)) & mask
    return int(slot)


@inlined
def table_of(text: Text, names: int, name_places: Places, size: int) -> NDArray[np.int32]:
    """A table of so many slots, a power of two, with the first names in it."""
    table = np.full(size, -1, dtype=np.int32)
    for number in range(names):
        table[slot_of(text, name_places[number, 0], name_places[number, 1], name_places, table)] = number
    return table
