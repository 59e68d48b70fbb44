"""Breadth-first numbers for states that do not depend on the numbers they had."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.memory import AHEAD, prefetch, prefetch_row, room, scattered
from coarsest._kernels.partition.signature_hash import mix
from coarsest._kernels.sorting import order_of_hashes

Numbers = NDArray[np.signedinteger[Any]]
Hashes = NDArray[np.uint64]
Marks = NDArray[np.bool_]

SORTED_BY_INSERTION: Final = 32
"""Up to this many targets are sorted by insertion."""
STAYING_FOR_EACH_MOVING: Final = 16
"""Where this many targets stay in order for each one that moves, its place among them is searched for."""


@inlined
def _look_ahead(offsets: Numbers, actions: Numbers, targets: Numbers, hashes: Hashes, chosen: Numbers, deeper: Hashes) -> None:
    """Replace the hash of each chosen state by a hash of itself and of its transitions with the hashes of their targets."""
    known = len(chosen) if scattered(offsets, targets, hashes) else 0
    for at in range(len(chosen)):
        prefetch_row(chosen, at, known, offsets, targets, hashes)
        state = chosen[at]
        total = np.uint64(0)
        for index in range(offsets[state], offsets[state + 1]):
            total += mix(hashes[targets[index]] + mix(np.uint64(actions[index]) + np.uint64(1)))
        deeper[at] = mix(hashes[state] + mix(total))
    for at in range(len(chosen)):
        hashes[chosen[at]] = deeper[at]


@inlined
def _put_between(
    targets: Numbers, begin: int, last: int, hashes: Hashes, moving: Numbers, keys: Hashes, order: NDArray[np.int64]
) -> None:  # fmt: skip
    """Put a few targets between the many in `targets[begin:last]`, which are in order. A binary search finds the place of
    each."""
    for number in range(len(moving) - 1, -1, -1):
        key, low, high = keys[order[number]], begin, last
        while low < high:
            middle = (low + high) // 2
            if hashes[targets[middle]] <= key:
                low = middle + 1
            else:
                high = middle
        for index in range(last - 1, low - 1, -1):
            targets[index + number + 1] = targets[index]
        targets[low + number] = moving[order[number]]
        last = low


@inlined
def _order_many(targets: Numbers, begin: int, end: int, hashes: Hashes, changed: Marks) -> None:
    """A stable sort. The targets whose hash has not changed are in order already, and the others are put between them."""
    fresh = 0
    for index in range(begin, end):
        if index + AHEAD < end:
            prefetch(changed, targets[index + AHEAD])
        fresh += changed[targets[index]]
    if fresh == 0:
        return
    moving, keys = room(fresh, targets.dtype), room(fresh, np.uint64)
    number, last = 0, begin
    for index in range(begin, end):
        if index + AHEAD < end:
            prefetch(hashes, targets[index + AHEAD])
        target = targets[index]
        if changed[target]:
            moving[number], keys[number] = target, hashes[target]
            number += 1
        else:
            targets[last] = target
            last += 1
    order = order_of_hashes(keys)
    if STAYING_FOR_EACH_MOVING * number < end - begin:
        _put_between(targets, begin, last, hashes, moving, keys, order)
        return
    index = end
    while number > 0:  # what is left then is where it belongs
        index -= 1
        if last - AHEAD >= begin:
            prefetch(hashes, targets[last - AHEAD])
        if number > AHEAD:
            prefetch(keys, order[number - 1 - AHEAD])
            prefetch(moving, order[number - 1 - AHEAD])
        if last == begin or hashes[targets[last - 1]] <= keys[order[number - 1]]:
            number -= 1
            targets[index] = moving[order[number]]
        else:
            last -= 1
            targets[index] = targets[last]


@inlined
def _order_by_hash(targets: Numbers, begin: int, end: int, hashes: Hashes, changed: Marks) -> None:
    """A stable sort."""
    if end - begin > SORTED_BY_INSERTION:
        _order_many(targets, begin, end, hashes, changed)
        return
    for index in range(begin + 1, end):
        target = targets[index]
        before = index - 1
        while before >= begin and hashes[targets[before]] > hashes[target]:
            targets[before + 1] = targets[before]
            before -= 1
        targets[before + 1] = target


@inlined
def _note_ties(targets: Numbers, begin: int, end: int, hashes: Hashes, tied: Marks) -> int:
    """Mark the targets with the same hash as a neighbour. Returns how many pairs of neighbours are alike."""
    alike = 0
    for index in range(begin + 1, end):
        if index + AHEAD < end:
            prefetch(hashes, targets[index + AHEAD])
        if hashes[targets[index]] == hashes[targets[index - 1]]:
            tied[targets[index]] = True
            tied[targets[index - 1]] = True
            alike += 1
    return alike


@inlined
def _ties(
    offsets: Numbers, actions: Numbers, targets: Numbers, hashes: Hashes, changed: Marks, rows: Numbers, tied: Marks
) -> tuple[int, int]:
    """Put each of the rows in the order of actions and hashes, and mark targets with the same action and hash as others.

    The rows with marks are moved to the front of `rows`. Returns their number, and how many pairs of neighbours are alike.
    """
    kept, alike = 0, 0
    known = len(rows) if scattered(offsets, targets, hashes) else 0
    for at in range(len(rows)):
        prefetch_row(rows, at, known, offsets, targets, hashes)
        row = rows[at]
        before = alike
        begin, stop = offsets[row], offsets[row + 1]
        while begin < stop:
            end = begin + 1
            while end < stop and actions[end] == actions[begin]:
                end += 1
            if end - begin > 1:
                _order_by_hash(targets, begin, end, hashes, changed)
                alike += _note_ties(targets, begin, end, hashes, tied)
            begin = end
        if alike > before:
            rows[kept] = row
            kept += 1
    return kept, alike


@inlined
def _ranks(actions: Numbers) -> Numbers:
    """The rank of each action among those that occur: a name that no transition has must not change the order of states."""
    largest = -1
    for index in range(len(actions)):
        largest = max(largest, actions[index])
    rank_of = np.zeros(largest + 1, dtype=actions.dtype)
    for index in range(len(actions)):
        rank_of[actions[index]] = 1
    number = 0
    for action in range(largest + 1):
        number += rank_of[action]
        rank_of[action] = number - 1
    if number == largest + 1:
        return actions
    ranks = np.empty(len(actions), dtype=actions.dtype)
    for index in range(len(actions)):
        ranks[index] = rank_of[actions[index]]
    return ranks


@inlined
def _listed(marks: Marks, states: Numbers) -> int:
    """List the states with a mark. Returns their number."""
    number = 0
    for state in range(len(marks)):
        states[number] = state
        number += marks[state]
    return number


@inlined
def _wider(offsets: Numbers, targets: Numbers, hashes: Hashes, members: Numbers, number: int) -> int:
    """List the states and their successors; if these are the same, only those that look like another one. Returns their
    number."""
    marks = np.zeros(len(hashes), dtype=np.bool_)
    for at in range(number):
        marks[members[at]] = True
        for index in range(offsets[members[at]], offsets[members[at] + 1]):
            marks[targets[index]] = True
    more = 0
    for state in range(len(marks)):
        more += marks[state]
    if more > number:
        return _listed(marks, members)
    keys = np.empty(number, dtype=np.uint64)
    for at in range(number):
        keys[at] = hashes[members[at]]
        marks[members[at]] = False
    order = order_of_hashes(keys)
    for at in range(1, number):
        if keys[order[at]] == keys[order[at - 1]]:
            marks[members[order[at]]] = marks[members[order[at - 1]]] = True
    return _listed(marks, members)


@compiled
def tell_apart(offsets: Numbers, actions: Numbers, targets: Numbers, initial: Numbers, hashes: Hashes, most: int) -> None:
    """Order the initial states, and the successors of each state by one action, by what can be seen from them.

    `hashes` is what can be seen of the states themselves, 0 if that is nothing. After looking at `most` states or somewhat more,
    states that are still alike stay in the order in which they are.
    """
    states = len(hashes)
    ranks = _ranks(actions)
    changed, tied = hashes != np.uint64(0), np.zeros(states, dtype=np.bool_)
    rows, looked_at, deeper = room(states, targets.dtype), room(states, targets.dtype), room(states, np.uint64)
    for state in range(states):
        rows[state] = state
        looked_at[state] = state
    left, number, alike_before, work = states, 0, -1, 0
    while True:
        tied[:] = False
        left, alike = _ties(offsets, ranks, targets, hashes, changed, rows[:left], tied)
        _order_by_hash(initial, 0, len(initial), hashes, changed)
        alike += _note_ties(initial, 0, len(initial), hashes, tied)
        if alike == 0 or work > most:
            return
        for at in range(number):
            changed[looked_at[at]] = False
        if alike_before < 0:
            number = states
        elif alike == alike_before:
            number = _wider(offsets, targets, hashes, looked_at, number)
        else:
            number = _listed(tied, looked_at)
        _look_ahead(offsets, ranks, targets, hashes, looked_at[:number], deeper)
        for at in range(number):
            changed[looked_at[at]] = True
        alike_before = alike
        work += number


@compiled
def breadth_first(offsets: Numbers, targets: Numbers, roots: Numbers, numbers: Numbers, order: Numbers, keep: bool) -> int:
    """Number the states reached from the roots in the order of a breadth-first search. Returns how many are reached.

    With `keep`, the search goes on from the first state that was not reached. Otherwise such states have the number -1.
    """
    numbers[:] = -1
    found = 0
    for at in range(len(roots)):
        if numbers[roots[at]] < 0:
            numbers[roots[at]] = found
            order[found] = roots[at]
            found += 1
    at, root = 0, 0
    far = scattered(offsets, targets, numbers)
    while found < len(numbers):
        if at == found:
            while keep and numbers[root] >= 0:
                root += 1
            if not keep:
                break
            numbers[root] = found
            order[found] = root
            found += 1
        prefetch_row(order, at, found if far else 0, offsets, targets, numbers)
        state = order[at]
        at += 1
        for index in range(offsets[state], offsets[state + 1]):
            target = targets[index]
            if numbers[target] < 0:
                numbers[target] = found
                order[found] = target
                found += 1
    return found
