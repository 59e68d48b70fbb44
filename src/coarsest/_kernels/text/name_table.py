"""Parts of kernels that number the names in a text: a name is known by the place where it first stood, found by its hash."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined
from coarsest._kernels.text.words import WORD, word_at

Text = NDArray[np.uint8]
Places = NDArray[np.int64]


@inlined
def hash_of(text: Text, first: int, last: int) -> np.uint64:
    """A hash of `text[first:last]`."""
    mixed = np.uint64(0xCBF29CE484222325)
    place = first
    while place + WORD <= last:
        mixed = (mixed ^ word_at(text, place)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
        place += WORD
    while place < last:
        mixed = (mixed ^ np.uint64(text[place])) * np.uint64(0x100000001B3)
        place += 1
    return mixed ^ (mixed >> np.uint64(29))


@inlined
def slot_of(text: Text, first: int, last: int, name_places: Places, table: NDArray[np.int32]) -> int:
    """Where in the table the name `text[first:last]` is, or where it would be."""
    mask = np.uint64(len(table) - 1)
    slot = hash_of(text, first, last) & mask
    while table[slot] >= 0:
        start = name_places[table[slot], 0]
        if name_places[table[slot], 1] - start == last - first:
            at, length = 0, last - first
            while at + WORD <= length and word_at(text, start + at) == word_at(text, first + at):
                at += WORD
            while at < length and text[start + at] == text[first + at]:
                at += 1
            if at == length:
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
