"""Symbolic signatures on arrays: the product of a step relation with a partition, and the new blocks that it tells apart.

A function has a list of numbers at each point: the actions of a step, the block of a state, or what a state has steps to. A node
is one number: its level, and the nodes where the variable of that level is 0 and 1, `BITS` bits each. Below all variables there
are the lists, largest number first: the rest of a list, and a number. Node 0 is the empty list. One table has the nodes and, with
levels of their own, the unions and products that were made before.

A kernel that needs more room returns `NO_ROOM`: the caller makes more, and calls it again. What was done so far is in the table.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined

Keys = NDArray[np.uint64]
Numbers = NDArray[np.int32]
Counts = NDArray[np.int64]
Number: TypeAlias = int | np.int64

BITS: Final = 26
MASK: Final = (1 << BITS) - 1
LISTS: Final = 4093
"""The level of lists, which is below all variables."""
UNION: Final = 4094
PRODUCT: Final = 4095
"""The level under which a table has the unions, and the products, of two nodes."""
NO_ROOM: Final = -1
NODES: Final = 0
"""The entries of `counts`: nodes, entries of the table, and entries that may be made before the caller is asked again."""
ENTRIES: Final = 1
ALLOWANCE: Final = 2
UNASKED: Final = -2
"""It stands in place of a node that nobody asks for."""
FIRST_LIST: Final = -3
"""It stands in place of a node that is the first of the given lists; the numbers below it stand for the other lists."""
LEVEL: Final = 0
"""The columns of `tree` have the level of a pair, the pairs below it, and the pair and the value by which it was met first."""
ZERO: Final = 1
ONE: Final = 2
PARENT: Final = 3
VALUE: Final = 4


@inlined
def place_of(key: np.uint64, table: Keys) -> np.int64:
    """The position of a key in a table, or of the empty entry where it belongs. Its value is beside it."""
    mask = np.uint64(len(table) - 1)
    mixed = (key ^ (key >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)
    place = ((mixed >> np.uint64(20)) << np.uint64(1)) & mask
    while table[place] != np.uint64(0) and table[place] != key:
        place = (place + np.uint64(2)) & mask
    return np.int64(place)


@inlined
def entry(level: Number, left: Number, right: Number) -> np.uint64:
    """Three numbers in one."""
    return (np.uint64(level) << np.uint64(2 * BITS)) | (np.uint64(left) << np.uint64(BITS)) | np.uint64(right)


@inlined
def level_of(key: np.uint64) -> Number:
    """The first of three numbers."""
    return np.int64(key >> np.uint64(2 * BITS))


@inlined
def left_of(key: np.uint64) -> Number:
    """The second of three numbers."""
    return np.int64((key >> np.uint64(BITS)) & np.uint64(MASK))


@inlined
def right_of(key: np.uint64) -> Number:
    """The third of three numbers."""
    return np.int64(key & np.uint64(MASK))


@inlined
def remembered(key: np.uint64, value: Number, table: Keys, counts: Counts) -> Number:
    """Write a value into the table."""
    if 3 * counts[ENTRIES] >= len(table) or counts[ALLOWANCE] <= 0:
        return NO_ROOM
    place = place_of(key, table)
    table[place], table[place + 1] = key, np.uint64(value)
    counts[ENTRIES] += 1
    counts[ALLOWANCE] -= 1
    return value


@inlined
def node(level: Number, left: Number, right: Number, nodes: Keys, table: Keys, counts: Counts) -> Number:
    """The node with these children, or the list with this rest and number."""
    if left == right and level != LISTS:
        return left
    key = entry(level, left, right)
    place = place_of(key, table)
    if table[place] == key:
        return np.int64(table[place + 1])
    new: Number = counts[NODES]
    if new >= len(nodes) or remembered(key, new, table, counts) == NO_ROOM:
        return NO_ROOM
    nodes[new] = key
    counts[NODES] += 1
    return new


@inlined
def merged(one: Number, other: Number, buffer: Numbers, nodes: Keys, table: Keys, counts: Counts) -> Number:
    """The union of two lists."""
    length = 0
    while one != other and one != 0 and other != 0:
        if length == len(buffer):
            return NO_ROOM
        first, second = right_of(nodes[one]), right_of(nodes[other])
        buffer[length] = max(first, second)
        length += 1
        if first >= second:
            one = left_of(nodes[one])
        if second >= first:
            other = left_of(nodes[other])
    result = one if other == 0 else other
    while length > 0 and result != NO_ROOM:
        length -= 1
        result = node(LISTS, result, buffer[length], nodes, table, counts)
    return result


@inlined
def below(number: Number, key: np.uint64, level: Number, top: Number) -> tuple[Number, Number]:
    """Both children of a node of some level, seen from the level `top`."""
    if level == top:
        return left_of(key), right_of(key)
    return number, number


@inlined
def union(one: Number, other: Number, buffer: Numbers, nodes: Keys, table: Keys, counts: Counts) -> Number:
    """The function whose lists are the unions of those of two functions."""
    if one == other or other == 0:
        return one
    if one == 0:
        return other
    if one > other:
        one, other = other, one
    key = entry(UNION, one, other)
    place = place_of(key, table)
    if table[place] == key:
        return np.int64(table[place + 1])
    first, second = nodes[one], nodes[other]
    top = min(level_of(first), level_of(second))
    if top == LISTS:
        result = merged(one, other, buffer, nodes, table, counts)
    else:
        first_zero, first_one = below(one, first, level_of(first), top)
        second_zero, second_one = below(other, second, level_of(second), top)
        zero = union(first_zero, second_zero, buffer, nodes, table, counts)
        if zero == NO_ROOM:
            return NO_ROOM
        result = union(first_one, second_one, buffer, nodes, table, counts)
        if result != NO_ROOM:
            result = node(top, zero, result, nodes, table, counts)
    return remembered(key, result, table, counts) if result != NO_ROOM else NO_ROOM


@inlined
def product(
    steps: Number, blocks: Number, after: Numbers, actions: Number, buffer: Numbers, nodes: Keys, table: Keys, counts: Counts
) -> Number:
    """The union over all next states of the pairs of an action of the step and a block of the next state."""
    if steps == 0 or blocks == 0:
        return 0
    key = entry(PRODUCT, steps, blocks)
    place = place_of(key, table)
    if table[place] == key:
        return np.int64(table[place + 1])
    step, block = nodes[steps], nodes[blocks]
    step_level, block_level = level_of(step), level_of(block)
    if block_level != LISTS:
        block_level = after[block_level]
    top = min(step_level, block_level)
    if top == LISTS:
        result = product(left_of(step), blocks, after, actions, buffer, nodes, table, counts)
        if result != NO_ROOM:
            result = node(LISTS, result, right_of(block) * actions + right_of(step), nodes, table, counts)
    else:
        step_zero, step_one = below(steps, step, step_level, top)
        block_zero, block_one = below(blocks, block, block_level, top)
        zero = product(step_zero, block_zero, after, actions, buffer, nodes, table, counts)
        if zero == NO_ROOM:
            return NO_ROOM
        result = product(step_one, block_one, after, actions, buffer, nodes, table, counts)
        if result != NO_ROOM and after[top] < 0:
            result = union(zero, result, buffer, nodes, table, counts)
        elif result != NO_ROOM:
            result = node(top, zero, result, nodes, table, counts)
    return remembered(key, result, table, counts) if result != NO_ROOM else NO_ROOM


@compiled
def signatures(
    steps: Number, blocks: Number, after: Numbers, actions: Number, buffer: Numbers, nodes: Keys, table: Keys, counts: Counts
) -> Number:
    """What each state has steps to: block times `actions`, plus action. `after` has the level of the next value for each level
    of a present one, the same where the value does not change, and -1 for levels of next values."""
    return product(steps, blocks, after, actions, buffer, nodes, table, counts)


@compiled
def entered(
    levels: Numbers, children: Numbers, results: Numbers, starts: Counts, numbers: Numbers,
    nodes: Keys, table: Keys, counts: Counts,
) -> Number:  # fmt: skip
    """Nodes whose edges may be complemented, children first, as nodes without. `children` has two for each, where the variable is
    0 and 1, as twice the number, plus 1 if complemented; `results` is for both signs of each. Some of them are lists."""
    for i in range(len(results)):
        if results[i] <= FIRST_LIST:
            which = FIRST_LIST - results[i]
            new: Number = 0
            for j in range(starts[which], starts[which + 1]):
                new = node(LISTS, new, numbers[j], nodes, table, counts)
                if new == NO_ROOM:
                    return NO_ROOM
            results[i] = new
    for i in range(len(results)):
        if results[i] == -1:
            at = i >> 1
            zero, one = results[children[2 * at] ^ (i & 1)], results[children[2 * at + 1] ^ (i & 1)]
            new = node(levels[at], zero, one, nodes, table, counts)
            if new == NO_ROOM:
                return NO_ROOM
            results[i] = new
    return 0


@compiled
def pairs(first: Number, second: Number, nodes: Keys, table: Keys, members: Numbers, tree: Numbers) -> Number:
    """List the pairs of nodes of two functions at the same points, where the second is not empty, and return their number. The
    first pair is (first, second). `members` becomes both nodes of each pair, `tree` what else is noted; -1 stands for a missing
    pair."""
    members[0, 0], members[0, 1] = first, second
    tree[0, PARENT], tree[0, VALUE] = -1, 0
    place = place_of(entry(0, first, second), table)
    table[place], table[place + 1] = entry(0, first, second), np.uint64(0)
    count, at = 1, 0
    while at < count:
        one, other = nodes[members[at, 0]], nodes[members[at, 1]]
        top = min(level_of(one), level_of(other))
        tree[at, LEVEL], tree[at, ZERO], tree[at, ONE] = top, -1, -1
        zeros = below(members[at, 0], one, level_of(one), top)
        ones = below(members[at, 1], other, level_of(other), top)
        for value in range(0 if top == LISTS else 2):
            left, right = zeros[value], ones[value]
            if right == 0:
                continue
            key = entry(0, left, right)
            place = place_of(key, table)
            if table[place] != key:
                if count == len(members) or 3 * count >= len(table):
                    return NO_ROOM
                table[place], table[place + 1] = key, np.uint64(count)
                members[count, 0], members[count, 1] = left, right
                tree[count, PARENT], tree[count, VALUE] = at, value
                count += 1
            tree[at, ZERO + value] = np.int64(table[place + 1])
        at += 1
    return count


@compiled
def rebuilt(
    order: Counts, tree: Numbers, numbers: Numbers, results: Numbers, nodes: Keys, table: Keys, counts: Counts
) -> Number:
    """Make a node for each pair, from the lowest level upwards. A pair at the lowest level becomes the list of its number."""
    for i in range(len(order) - 1, -1, -1):
        at = order[i]
        if tree[at, LEVEL] == LISTS:
            new = node(LISTS, 0, numbers[at], nodes, table, counts)
        else:
            zero = results[tree[at, ZERO]] if tree[at, ZERO] >= 0 else 0
            one = results[tree[at, ONE]] if tree[at, ONE] >= 0 else 0
            new = node(tree[at, LEVEL], zero, one, nodes, table, counts)
        if new == NO_ROOM:
            return NO_ROOM
        results[at] = new
    return 0


@compiled
def moved(old: Keys, table: Keys) -> Number:
    """Copy the entries of one table into another."""
    for i in range(0, len(old), 2):
        if old[i] != np.uint64(0):
            place = place_of(old[i], table)
            table[place], table[place + 1] = old[i], old[i + 1]
    return 0


@compiled
def collected(marks: NDArray[np.bool_], places: Numbers, old: Keys, nodes: Keys, table: Keys, counts: Counts) -> Number:
    """Copy the nodes that are marked, and those below them; `places` becomes their new numbers."""
    for i in range(len(marks) - 1, 0, -1):
        if marks[i]:
            marks[left_of(old[i])] = True
            if level_of(old[i]) != LISTS:
                marks[right_of(old[i])] = True
    for i in range(1, len(marks)):
        if marks[i]:
            level, right = level_of(old[i]), right_of(old[i])
            new = node(level, places[left_of(old[i])], right if level == LISTS else places[right], nodes, table, counts)
            if new == NO_ROOM:
                return NO_ROOM
            places[i] = new
    return 0
