"""The set of states that an exploration has met, compiled.

Reference: linear probing (Knuth 1973, section 6.4, algorithm L).
Symbols:   a *state* is a row of words; the *number* of a state is its place in the order in which states are entered.
Invariant: a table has pairs: the hash of a state, and its number plus 1; where that is 0, the pair is empty.
Deviates:  the hash of a state of one word is as good as the word: no two have the same. Others are compared word by word.
Cost:      one place in memory for each state that is looked up, which is asked for in advance.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.memory import AHEAD, prefetch
from coarsest._kernels.sorting import put_in_order

Words = NDArray[np.uint64]
Numbers = NDArray[np.signedinteger[Any]]

MIXER: Final = np.uint64(0x9E3779B97F4A7C15)
EMPTY: Final = np.uint64(0)
ONE: Final = np.uint64(1)


@inlined
def _mixed(value: np.uint64) -> np.uint64:
    """A hash of a word, different ones for different words."""
    value *= MIXER
    return value ^ (value >> np.uint64(32))


@inlined
def _hash(states: Words, row: int) -> np.uint64:
    result = np.uint64(0)
    for place in range(states.shape[1]):
        result = _mixed(result ^ states[row, place])
    return result


@inlined
def _same(keys: Words, row: int, states: Words, number: np.uint64) -> bool:
    for place in range(keys.shape[1]):  # noqa: SIM110 (generators are not compiled)
        if keys[row, place] != states[number, place]:
            return False
    return True


@inlined
def _enter_words(keys: Words, states: Words, table: Words, used: int, numbers: Numbers, begin: int) -> tuple[int, int]:
    """As `enter`, for states of one word. Indices without sign are faster: nothing is counted from the end."""
    mask = np.uint64(len(table) - 1)
    most = min(len(states), 3 * len(table) // 8)
    for at in range(begin, len(keys)):
        if at + AHEAD < len(keys):
            prefetch(table, np.intp((_mixed(keys[at + AHEAD, 0]) << ONE) & mask))
        key = _mixed(keys[at, 0])
        slot = (key << ONE) & mask
        while table[slot | ONE] != EMPTY and table[slot] != key:
            slot = (slot + np.uint64(2)) & mask
        number = table[slot | ONE]
        if number == EMPTY:
            if used == most:
                return at, used
            states[used, 0] = keys[at, 0]
            used += 1
            number = np.uint64(used)
            table[slot], table[slot | ONE] = key, number
        numbers[at] = np.int64(number) - 1
    return len(keys), used


@inlined
def _enter_rows(keys: Words, states: Words, table: Words, used: int, numbers: Numbers, begin: int) -> tuple[int, int]:
    """As `enter`, for states of any number of words."""
    mask = np.uint64(len(table) - 1)
    most = min(len(states), 3 * len(table) // 8)
    for at in range(begin, len(keys)):
        if at + AHEAD < len(keys):
            prefetch(table, np.intp((_hash(keys, at + AHEAD) << ONE) & mask))
        key = _hash(keys, at)
        slot = (key << ONE) & mask
        while table[slot | ONE] != EMPTY:
            if table[slot] == key and _same(keys, at, states, table[slot | ONE] - ONE):
                break
            slot = (slot + np.uint64(2)) & mask
        number = table[slot | ONE]
        if number == EMPTY:
            if used == most:
                return at, used
            for place in range(keys.shape[1]):
                states[used, place] = keys[at, place]
            used += 1
            number = np.uint64(used)
            table[slot], table[slot | ONE] = key, number
        numbers[at] = np.int64(number) - 1
    return len(keys), used


@compiled
def enter(keys: Words, states: Words, table: Words, used: int, numbers: Numbers, begin: int) -> tuple[int, int]:
    """Number states from row `begin` on; new ones go to `states`, of which so many are `used`. It ends early at a new one that
    there is no more room for. Gives the row where it ended, and how many states there are then."""
    if keys.shape[1] == 1:
        return _enter_words(keys, states, table, used, numbers, begin)
    return _enter_rows(keys, states, table, used, numbers, begin)


@compiled
def move_over(old: Words, new: Words) -> None:
    """Enter what is in one table into another one, which is empty and larger."""
    mask = np.uint64(len(new) - 1)
    for place in range(0, len(old), 2):
        if old[place + 1] != EMPTY:
            slot = (old[place] << ONE) & mask
            while new[slot | ONE] != EMPTY:
                slot = (slot + np.uint64(2)) & mask
            new[slot], new[slot | ONE] = old[place], old[place + 1]


@compiled
def targets_by_source(sources: Numbers, targets: Numbers, offsets: Numbers, gathered: Numbers) -> int:
    """Gather targets by their sources, which are numbered from 0, each once and in increasing order; fills `offsets`, one more
    than there are sources, and `gathered`. Gives how many targets are left."""
    offsets[:] = 0
    for index in range(len(sources)):
        offsets[sources[index] + 1] += 1
    for row in range(1, len(offsets)):
        offsets[row] += offsets[row - 1]
    free = offsets[:-1].copy()
    for index in range(len(sources)):
        row = sources[index]
        gathered[free[row]] = targets[index]
        free[row] += 1
    filled = 0
    for row in range(len(offsets) - 1):
        begin, end = offsets[row], offsets[row + 1]
        put_in_order(gathered, begin, end)
        offsets[row] = filled
        for index in range(begin, end):
            if index == begin or gathered[index] != gathered[filled - 1]:
                gathered[filled] = gathered[index]
                filled += 1
    offsets[len(offsets) - 1] = filled
    return filled
