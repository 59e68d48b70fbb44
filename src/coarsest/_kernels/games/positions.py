"""The positions of a simulation game that can be reached, compiled.

In a position (p, q, m) the spoiler has a token on state p, the duplicator one on state q, and m is what has to be remembered of
the play. The spoiler moves along a transition of p; then the duplicator answers along a transition of q with the same action, to
a state with the same label. Between the two the spoiler has arrived somewhere by some action, which is numbered as an arrival.

The code of a position is 2 · ((p · states + q) · memories + m); that of a place where the duplicator has to answer is
2 · ((arrival · states + q) · cares + c) + 1, where c is what of m matters from now on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.key_table import first_table, grown, place_of, too_full
from coarsest._kernels.sorting import copy_into

Array = Any


@inlined
def _key(code: int) -> np.uint64:
    """A number that tells codes apart, and is not zero; its low bits depend on all bits of the code."""
    key = (np.uint64(code) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    return key ^ (key >> np.uint64(32))


@inlined
def _longer(array: Array, length: int) -> Array:
    """The same array with room for more."""
    if length < len(array):
        return array
    more = np.empty(2 * len(array) + 1, dtype=array.dtype)
    copy_into(more, 0, array, 0, len(array))
    return more


@inlined
def _first_by_action(offsets: Array, actions: Array, state: int, action: int) -> Any:
    """Where the transitions of a state with an action begin; they are in the order of actions."""
    low, high = offsets[state], offsets[state + 1]
    while low < high:
        middle = (low + high) // 2
        if actions[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low


@inlined
def _numbered(code: int, codes: Array, filled: int, table: Array, size: int) -> tuple[Any, int, Array, Array, int]:
    """The number of a code, which may be new; then how many codes there are, the codes, the table of their numbers, and its
    size."""
    key = _key(code)
    place = place_of(key, table, size)
    if table[place] != np.uint64(0):
        return np.int64(table[place + 1]), filled, codes, table, size
    table[place], table[place + 1] = key, np.uint64(filled)
    codes = _longer(codes, filled)
    codes[filled] = code
    if too_full(filled + 1, size):
        table, size = grown(table, size, filled + 1)
    return filled, filled + 1, codes, table, size


@inlined
def _steps(
    code: int, states: int, memories: int, cares: int, offsets: Array, arrival: Array, care: Array, following: Array
) -> int:
    """Write the codes after the steps of the spoiler. Returns their number."""
    pair = code // memories
    own, other, cared = pair // states, pair % states, care[code % memories]
    count = 0
    for edge in range(offsets[own], offsets[own + 1]):
        following[count] = 2 * ((arrival[edge] * states + other) * cares + cared) + 1
        count += 1
    return count


@inlined
def _answers(
    code: int, states: int, memories: int, cares: int, offsets: Array, actions: Array, targets: Array, labels: Array,
    arrival_action: Array, arrival_target: Array, marks: Array, after: Array, allowed: Array, following: Array,
) -> int:  # fmt: skip
    """Write the codes after the answers of the duplicator. Returns their number."""
    pair = code // cares
    action, own, other = arrival_action[pair // states], arrival_target[pair // states], pair % states
    count, edge = 0, _first_by_action(offsets, actions, other, action)
    while edge < offsets[other + 1] and actions[edge] == action:
        answer = targets[edge]
        if labels[answer] == labels[own] and allowed[marks[own], marks[answer]]:
            memory = after[code % cares, marks[own], marks[answer]]
            following[count] = 2 * ((own * states + answer) * memories + memory)
            count += 1
        edge += 1
    return count


@compiled
def reach_positions(
    offsets: Array, actions: Array, targets: Array, labels: Array, arrival: Array, arrival_action: Array, arrival_target: Array,
    marks: Array, care: Array, after: Array, allowed: Array, roots: Array, counters: Array,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Codes in the order of a breadth-first search from the codes in `roots`, and the moves between them in compressed rows.

    `marks` numbers what is seen of the fairness of each state. What is to be remembered is `after[c, x, y]` where tokens come to
    states with the marks x and y; they may come there if `allowed[x, y]`. `counters` tells how many codes there are, for
    people who wait, and the search ends early if its second entry becomes true.
    """
    states, memories, cares = len(labels), len(care), len(after)
    codes, heads = np.empty(len(roots) + 1024, dtype=np.int64), np.empty(4096, dtype=np.int64)
    rows, following = np.zeros(1025, dtype=np.int64), np.empty(len(targets) + 1, dtype=np.int64)
    table, size = first_table()
    filled, edges, at = 0, 0, 0
    for root in roots:
        number, filled, codes, table, size = _numbered(root, codes, filled, table, size)
    while at < filled and counters[1] == 0:
        code = codes[at] // 2
        if codes[at] % 2 == 0:
            count = _steps(code, states, memories, cares, offsets, arrival, care, following)
        else:
            count = _answers(code, states, memories, cares, offsets, actions, targets, labels, arrival_action, arrival_target,
                             marks, after, allowed, following)  # fmt: skip
        for place in range(count):
            number, filled, codes, table, size = _numbered(following[place], codes, filled, table, size)
            heads = _longer(heads, edges)
            heads[edges] = number
            edges += 1
        at += 1
        rows = _longer(rows, at)
        rows[at] = edges
        counters[0] = filled
    return codes[:filled].copy(), rows[: at + 1].copy(), heads[:edges].copy()
