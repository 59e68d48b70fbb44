"""The coarsest stable partition with partitions of states and of transitions, each refined by the other.

Reference: Valmari, Bisimilarity minimization in O(m log n) time, 2009; after Paige and Tarjan, Three partition refinement
           algorithms, 1987.
Symbols:   a cord (a splitter of Valmari's) is the set of the transitions with one action into one block; a bunch is a set of
           cords with one action.
Invariant: all states of a block have transitions in the same bunches. `tally[tally_of[t]]` is the number of transitions that
           the source of t has in the bunch of t.
Deviates:  starts from any partition of the states; numbers of tallies are used again.
Cost:      O(m log n) time: the smaller of two cords leaves its bunch, the smaller part of a split is new. About 60 bytes a
           transition.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined

Numbers = NDArray[np.signedinteger[Any]]
Progress = NDArray[np.int64]

STOP, BLOCKS, WORK = 0, 1, 2
NONE = -1
GAVE_UP = -1


@inlined
def _arranged(
    part_of: Numbers, count: int, order: Numbers, place: Numbers, first: Numbers, end: Numbers, border: Numbers
) -> None:
    """Lay out the elements of part p side by side, from `first[p]` to `end[p]`; those before `border[p]` are marked."""
    end[:count] = 0
    for element in range(len(part_of)):
        end[part_of[element]] += 1
    total = 0
    for part in range(count):
        first[part] = total
        total += end[part]
        end[part] = first[part]
    for element in range(len(part_of)):
        part = part_of[element]
        order[end[part]] = element
        place[element] = end[part]
        end[part] += 1
    border[:count] = first[:count]


@inlined
def _mark(
    element: int, part_of: Numbers, order: Numbers, place: Numbers, first: Numbers, border: Numbers, touched: Numbers, number: int
) -> int:
    """Mark an element; `touched` lists the parts that have marks."""
    part = part_of[element]
    where, edge = place[element], border[part]
    if where >= edge:
        if edge == first[part]:
            touched[number] = part
            number += 1
        other = order[edge]
        order[edge], order[where] = element, other
        place[element], place[other] = edge, where
        border[part] = edge + 1
    return number


@inlined
def _split(
    touched: Numbers, number: int, part_of: Numbers, order: Numbers, first: Numbers, end: Numbers, border: Numbers, count: int
) -> int:
    """Cut every touched part at its border, the smaller side becoming a new part; how many parts are there now?"""
    for at in range(number):
        part = touched[at]
        begin, edge, stop = first[part], border[part], end[part]
        if edge == stop:
            border[part] = begin
            continue
        if edge - begin <= stop - edge:
            first[count], end[count] = begin, edge
            first[part] = edge
        else:
            first[count], end[count] = edge, stop
            end[part] = edge
        border[part], border[count] = first[part], first[count]
        for index in range(first[count], end[count]):
            part_of[order[index]] = count
        count += 1
    return count


@inlined
def _transitions_by_target(targets: Numbers, states: int) -> tuple[Numbers, Numbers]:
    offsets = np.zeros(states + 1, dtype=targets.dtype)
    found = np.empty(len(targets), dtype=targets.dtype)
    for index in range(len(targets)):
        offsets[targets[index]] += 1
    for state in range(1, states + 1):
        offsets[state] += offsets[state - 1]
    for index in range(len(targets) - 1, -1, -1):
        offsets[targets[index]] -= 1
        found[offsets[targets[index]]] = index
    return offsets, found


@inlined
def _compact(part_of: Numbers) -> int:
    """Number parts in the order of their first elements; how many are there?"""
    largest = -1
    for element in range(len(part_of)):
        largest = max(largest, part_of[element])
    names = np.full(largest + 1, -1, dtype=part_of.dtype)
    used = 0
    for element in range(len(part_of)):
        if names[part_of[element]] < 0:
            names[part_of[element]] = used
            used += 1
        part_of[element] = names[part_of[element]]
    return used


@inlined
def _take_out(
    cord: int, cord_first: Numbers, cord_end: Numbers, cord_order: Numbers, tails: Numbers, tally: Numbers, tally_of: Numbers,
    fresh: Numbers, met: Numbers, old_of: Numbers, free: Numbers, free_count: int,
) -> tuple[int, int]:  # fmt: skip
    """Give the sources of a cord a tally for it alone; `met` lists them, `old_of` the tally of what is left in the bunch."""
    number = 0
    for at in range(cord_first[cord], cord_end[cord]):
        transition = cord_order[at]
        tail = tails[transition]
        if fresh[tail] == NONE:
            free_count -= 1
            fresh[tail] = free[free_count]
            tally[fresh[tail]] = 0
            met[number] = tail
            old_of[number] = tally_of[transition]
            number += 1
        if tally_of[transition] != NONE:
            tally[tally_of[transition]] -= 1
        tally_of[transition] = fresh[tail]
        tally[fresh[tail]] += 1
    for at in range(number):
        fresh[met[at]] = NONE
    return number, free_count


@compiled
def coarsest_partition(
    offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers, progress: Progress, seed: int
) -> int:
    """Refine `blocks`, numbered from 0, to the coarsest stable partition; the number of blocks, or GAVE_UP.

    Blocks are numbered in the order of their first states. After giving up on request, `blocks` is a partition between the
    first and the stable one. The seed is not used: nothing is random.
    """
    kind = blocks.dtype
    states, transitions = len(blocks), len(targets)
    in_offsets, incoming = _transitions_by_target(targets, states)
    tails = np.empty(transitions, dtype=kind)
    for state in range(states):
        tails[offsets[state] : offsets[state + 1]] = state

    block_count = _compact(blocks)
    block_order, block_place, touched_blocks = np.empty(states, kind), np.empty(states, kind), np.empty(states, kind)
    block_first, block_end, block_border = np.empty(states, kind), np.empty(states, kind), np.empty(states, kind)
    _arranged(blocks, block_count, block_order, block_place, block_first, block_end, block_border)

    cord_of = actions.astype(kind)
    cord_count = _compact(cord_of)
    cord_order, cord_place, touched_cords = np.empty(transitions, kind), np.empty(transitions, kind), np.empty(transitions, kind)
    cord_first, cord_end, cord_border = np.empty(transitions, kind), np.empty(transitions, kind), np.empty(transitions, kind)
    _arranged(cord_of, cord_count, cord_order, cord_place, cord_first, cord_end, cord_border)

    # Every transition may have a tally of its own, and so may every source of a cord before the old ones are free.
    free_count = transitions + states
    tally, tally_of = np.zeros(free_count, kind), np.full(transitions, NONE, kind)
    free = np.arange(free_count).astype(kind)
    fresh, met, old_of = np.full(states, NONE, kind), np.empty(states, kind), np.empty(states, kind)

    # Bunch b is the list of cords `head[b]`, `following[head[b]]`, …; the cord that leaves a bunch makes one of its own number.
    bunches = cord_count
    head, following, bunch_of = np.empty(transitions, kind), np.full(transitions, NONE, kind), np.empty(transitions, kind)
    divisible = np.empty(transitions, kind)
    divisible_count = 0
    for cord in range(cord_count):
        head[cord] = cord
        bunch_of[cord] = cord
    starting = 0
    next_block = 1
    stopped = False
    while True:
        if progress[STOP]:
            stopped = True
            break
        if starting < bunches:
            cord = starting  # at the start, every action is taken out of nothing
            starting += 1
        elif next_block < block_count:
            number = 0
            for at in range(block_first[next_block], block_end[next_block]):
                state = block_order[at]
                for index in range(in_offsets[state], in_offsets[state + 1]):
                    number = _mark(
                        incoming[index], cord_of, cord_order, cord_place, cord_first, cord_border, touched_cords, number
                    )
                progress[WORK] += in_offsets[state + 1] - in_offsets[state]
            for at in range(number):
                old = touched_cords[at]
                before = cord_count
                cord_count = _split(
                    touched_cords[at : at + 1], 1, cord_of, cord_order, cord_first, cord_end, cord_border, cord_count
                )
                if cord_count > before:
                    bunch = bunch_of[old]
                    if following[head[bunch]] == NONE:
                        divisible[divisible_count] = bunch
                        divisible_count += 1
                    bunch_of[before] = bunch
                    following[before] = head[bunch]
                    head[bunch] = before
            next_block += 1
            continue
        elif divisible_count > 0:
            bunch = divisible[divisible_count - 1]
            cord = head[bunch]
            other = following[cord]
            if cord_end[cord] - cord_first[cord] <= cord_end[other] - cord_first[other]:
                head[bunch] = other
            else:
                following[cord] = following[other]
                cord = other
            if following[head[bunch]] == NONE:
                divisible_count -= 1
            following[cord] = NONE
            head[bunches] = cord
            bunch_of[cord] = bunches
            bunches += 1
            starting = bunches
        else:
            break
        number, free_count = _take_out(
            cord, cord_first, cord_end, cord_order, tails, tally, tally_of, fresh, met, old_of, free, free_count
        )
        progress[WORK] += cord_end[cord] - cord_first[cord]
        touched = 0
        for at in range(number):
            touched = _mark(met[at], blocks, block_order, block_place, block_first, block_border, touched_blocks, touched)
        block_count = _split(touched_blocks, touched, blocks, block_order, block_first, block_end, block_border, block_count)
        touched = 0
        for at in range(number):
            if old_of[at] != NONE and tally[old_of[at]] == 0:
                free[free_count] = old_of[at]
                free_count += 1
                touched = _mark(met[at], blocks, block_order, block_place, block_first, block_border, touched_blocks, touched)
        block_count = _split(touched_blocks, touched, blocks, block_order, block_first, block_end, block_border, block_count)
        progress[BLOCKS] = block_count
    block_count = _compact(blocks)
    return GAVE_UP if stopped else block_count
