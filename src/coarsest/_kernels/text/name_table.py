"""Parts of kernels that number the names in a text. A name is stored as the position where it first stood, and found by its key.

A table has a row for each slot: the key of a name, and its number, or -1. The key of a short name is the name itself, so that
the text where it first stood is not read again.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined
from coarsest._kernels.text.words import BLOCK, WORD, blocks_same, word_at

Text = NDArray[np.uint8]
Places = NDArray[np.int64]
Table = NDArray[np.int64]

KEY: Final = 0
NUMBER: Final = 1
LONG = np.uint64(0xFF) << np.uint64(56)
"""The first byte of the key of a long name; the key of a short name begins with its length."""
MIXER = np.uint64(0x9E3779B97F4A7C15)


@inlined
def _short_key(text: Text, first: int, last: int) -> np.uint64:
    """The key of a name of fewer than eight bytes: the name and its length."""
    length = np.uint64(last - first)
    if first + WORD <= len(text):
        name = word_at(text, first) & ((np.uint64(1) << (np.uint64(8) * length)) - np.uint64(1))
    else:
        name = np.uint64(0)
        for at in range(last - 1, first - 1, -1):
            name = (name << np.uint64(8)) | np.uint64(text[at])
    return name | (length << np.uint64(56))


@inlined
def _long_key(text: Text, first: int, last: int) -> np.uint64:
    """A hash of a name of at least eight bytes. It takes two words at once, and ends with the last word, even if that
    overlaps."""
    one, other = np.uint64(last - first), np.uint64(0xCBF29CE484222325)
    place = first
    while place + 2 * WORD <= last:
        one = (one ^ word_at(text, place)) * MIXER
        other = (other ^ word_at(text, place + WORD)) * MIXER
        one ^= one >> np.uint64(32)
        other ^= other >> np.uint64(32)
        place += 2 * WORD
    if place + WORD <= last:
        one = (one ^ word_at(text, place)) * MIXER
        one ^= one >> np.uint64(32)
    other = (other ^ word_at(text, last - WORD)) * MIXER
    mixed = (one ^ (other >> np.uint64(29))) * MIXER + other
    return (mixed ^ (mixed >> np.uint64(32))) | LONG


@inlined
def _same(text: Text, first: int, other: int, length: int) -> bool:
    """Do the same bytes, eight or more, stand at two places?"""
    at = 0
    while at + BLOCK <= length:
        if not blocks_same(text, first + at, other + at):
            return False
        at += BLOCK
    if length >= BLOCK:
        return at == length or blocks_same(text, first + length - BLOCK, other + length - BLOCK)
    while at + WORD <= length:
        if word_at(text, first + at) != word_at(text, other + at):
            return False
        at += WORD
    return at == length or word_at(text, first + length - WORD) == word_at(text, other + length - WORD)


@inlined
def key_of(text: Text, first: int, last: int) -> np.uint64:
    """The key of the name `text[first:last]`."""
    return _short_key(text, first, last) if last - first < WORD else _long_key(text, first, last)


@inlined
def slot_of(text: Text, first: int, last: int, key: np.uint64, name_places: Places, table: Table) -> int:
    """The slot of the name `text[first:last]`, which has this key, or the slot where it would be."""
    mask = np.uint64(len(table) - 1)
    slot = ((key * MIXER) >> np.uint64(32)) & mask
    while table[slot, NUMBER] >= 0:
        if table[slot, KEY] == np.int64(key):
            if key < LONG:
                break
            start, end = name_places[table[slot, NUMBER], 0], name_places[table[slot, NUMBER], 1]
            if end - start == last - first and _same(text, first, start, last - first):
                break
        slot = (slot + np.uint64(1)) & mask
    return int(slot)


@inlined
def table_of(text: Text, names: int, name_places: Places, size: int) -> Table:
    """A table of `size` slots, a power of two, with the first names in it."""
    table = np.full((size, 2), -1, dtype=np.int64)
    for number in range(names):
        first, last = name_places[number, 0], name_places[number, 1]
        key = key_of(text, first, last)
        slot = slot_of(text, first, last, key, name_places, table)
        table[slot, KEY], table[slot, NUMBER] = np.int64(key), number
    return table
