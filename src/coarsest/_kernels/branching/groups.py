"""The group of a state inside its block: parts of the kernel for branching bisimulation.

Groups are numbered as they are made. Of the groups that the inert transitions of a state lead to, `nearest` was made last. The
state belongs to it if all other pairs of the state are in its signature; otherwise it belongs to the group with just its own
pairs. A pair is (action, block of the target), or (INSIDE, group of the target) for an inert transition.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined
from coarsest._kernels.key_table import EMPTY, Hashes, Numbers, place_of
from coarsest._kernels.partition.signature_hash import pair, room_for_pairs, sum_of_different
from coarsest._kernels.sorting import copy_into, put_in_order

INSIDE: Final = 0x7FFFFFFF
"""It stands for the internal action in a pair with a group of the same block."""
NO_GROUP: Final = -1


class Groups(NamedTuple):
    """Group g was made for the state `model[g]`, its pairs are in order at `begin[g]` to `end[g]` of a pool once they are needed;
    `key[g]` is the hash of them, `group_of` the group of each state that was looked at, 0 for others."""

    group_of: Numbers
    model: Numbers
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    key: Hashes
    pairs: Hashes
    room: Hashes


@inlined
def room_for_groups(offsets: Numbers, states: int, kind: Any) -> Groups:
    """Room for one group of each state, and for the group of the states that are not looked at."""
    pairs, room = room_for_pairs(offsets)
    return Groups(
        np.zeros(states, kind), np.empty(states + 1, kind), np.empty(states + 1, np.int64), np.empty(states + 1, np.int64),
        np.empty(states + 1, np.uint64), pairs, room,
    )  # fmt: skip


@inlined
def nearest_group(
    state: int, offsets: Numbers, actions: Numbers, targets: Numbers, internal: int, blocks: Numbers, group_of: Numbers
) -> int:
    """Of the groups that inert transitions lead to, the one that was made last, or NO_GROUP."""
    nearest = NO_GROUP
    for index in range(offsets[state], offsets[state + 1]):
        target = targets[index]
        if actions[index] == internal and blocks[target] == blocks[state]:
            nearest = max(nearest, group_of[target])
    return nearest


@inlined
def write_pairs(
    state: int, offsets: Numbers, actions: Numbers, targets: Numbers, internal: int, blocks: Numbers, group_of: Numbers,
    nearest: int, salt: np.uint64, pairs: Hashes,
) -> int:  # fmt: skip
    """Write the hashes of the pairs of a state, without inert transitions to the nearest group. Returns their number."""
    number = 0
    for index in range(offsets[state], offsets[state + 1]):
        target = targets[index]
        if actions[index] != internal or blocks[target] != blocks[state]:
            pairs[number] = pair(actions[index], blocks[target], salt)
            number += 1
        elif group_of[target] != nearest:
            pairs[number] = pair(INSIDE, group_of[target], salt)
            number += 1
    return number


@inlined
def _longer(pool: Hashes, used: int, needed: int) -> Hashes:
    if used + needed <= len(pool):
        return pool
    longer = np.empty(2 * (used + needed), dtype=np.uint64)
    copy_into(longer, 0, pool, 0, used)
    return longer


@inlined
def all_among(pairs: Hashes, number: int, pool: Hashes, begin: int, end: int) -> bool:
    """Are all of the first pairs in a part of the pool?"""
    for at in range(number):
        low, high = begin, end
        while low < high:
            middle = (low + high) // 2
            if pool[middle] < pairs[at]:
                low = middle + 1
            else:
                high = middle
        if low == end or pool[low] != pairs[at]:
            return False
    return True


@inlined
def with_signature(
    group: int, groups: Groups, offsets: Numbers, actions: Numbers, targets: Numbers, internal: int, blocks: Numbers,
    salt: np.uint64, pool: Hashes, used: int,
) -> tuple[Hashes, int]:  # fmt: skip
    """The pool with the pairs of a group in it, and how much of it is used."""
    if groups.begin[group] >= 0:
        return pool, used
    state = groups.model[group]
    pool = _longer(pool, used, offsets[state + 1] - offsets[state])
    number = write_pairs(state, offsets, actions, targets, internal, blocks, groups.group_of, NO_GROUP, salt, pool[used:])
    put_in_order(pool, used, used + number)
    groups.begin[group], groups.end[group] = used, used + number
    return pool, used + number


@inlined
def same_signature(key: np.uint64, state: int, groups: Groups, number: int, table: Hashes, size: int) -> int:
    """The group with a key, which is made if it does not exist. The table has room for it."""
    place = place_of(key, table, size)
    if table[place] == EMPTY:
        table[place], table[place + 1] = key, number
        groups.model[number], groups.begin[number], groups.key[number] = state, NO_GROUP, key
    return int(table[place + 1])


@inlined
def own_key(pairs: Hashes, number: int, nearest: int, salt: np.uint64, room: Hashes) -> np.uint64:
    """The hash of the pairs of a state that is at the end of the inert paths in its group."""
    if nearest != NO_GROUP:
        pairs[number] = pair(INSIDE, nearest, salt)
        number += 1
    return sum_of_different(pairs, number, room) | np.uint64(1)
