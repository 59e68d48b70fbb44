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

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.progress import BLOCKS, GAVE_UP, STOP, WORK
from coarsest._kernels.sorting import copy_into, number_in_order

Numbers = NDArray[np.signedinteger[Any]]
Progress = NDArray[np.int64]

NONE: Final = -1


class RefinablePartition(NamedTuple):
    """The elements of part p are at `first[p]` to `end[p]` of `order`, marked ones before `border[p]`; `place` is the inverse of
    `order`, `touched` lists the parts with marks."""

    part_of: Numbers
    order: Numbers
    place: Numbers
    first: Numbers
    end: Numbers
    border: Numbers
    touched: Numbers


class Tallies(NamedTuple):
    """`tally[tally_of[t]]` transitions, t among them, leave its source in its bunch; `free` lists numbers of tallies not in use.

    While a cord is taken out, `met` lists its sources, `fresh` has their tallies in the new bunch, `old_of` those in the old one.
    """

    tally: Numbers
    tally_of: Numbers
    free: Numbers
    fresh: Numbers
    met: Numbers
    old_of: Numbers


class Bunches(NamedTuple):
    """Bunch b is the list of cords `head[b]`, `following[head[b]]`, …; `divisible` lists those with more than one."""

    head: Numbers
    following: Numbers
    bunch_of: Numbers
    divisible: Numbers


@inlined
def _partition(part_of: Numbers) -> tuple[RefinablePartition, int]:
    count = number_in_order(part_of)
    size, kind = len(part_of), part_of.dtype
    order, place, touched = np.empty(size, kind), np.empty(size, kind), np.empty(size, kind)
    first, end, border = np.empty(size, kind), np.zeros(size, kind), np.empty(size, kind)
    for element in range(size):
        end[part_of[element]] += 1
    total = 0
    for part in range(count):
        first[part] = total
        total += end[part]
        end[part] = first[part]
    for element in range(size):
        part = part_of[element]
        order[end[part]] = element
        place[element] = end[part]
        end[part] += 1
    copy_into(border, 0, first, 0, count)
    return RefinablePartition(part_of, order, place, first, end, border, touched), count


@inlined
def _mark(element: int, parts: RefinablePartition, number: int) -> int:
    """Mark an element. Returns how many parts have marks."""
    part = parts.part_of[element]
    where, edge = parts.place[element], parts.border[part]
    if where >= edge:
        if edge == parts.first[part]:
            parts.touched[number] = part
            number += 1
        other = parts.order[edge]
        parts.order[edge], parts.order[where] = element, other
        parts.place[element], parts.place[other] = edge, where
        parts.border[part] = edge + 1
    return number


@inlined
def _split(parts: RefinablePartition, number: int, count: int) -> int:
    """Cut all touched parts at their borders, where the smaller side becomes a new part. Returns the new number of parts.

    `touched` becomes the list of the parts that were cut, in the order of their new parts.
    """
    fresh = count
    for at in range(number):
        part = parts.touched[at]
        begin, edge, stop = parts.first[part], parts.border[part], parts.end[part]
        if edge == stop:
            parts.border[part] = begin
            continue
        if edge - begin <= stop - edge:
            parts.first[fresh], parts.end[fresh] = begin, edge
            parts.first[part] = edge
        else:
            parts.first[fresh], parts.end[fresh] = edge, stop
            parts.end[part] = edge
        parts.border[part], parts.border[fresh] = parts.first[part], parts.first[fresh]
        for index in range(parts.first[fresh], parts.end[fresh]):
            parts.part_of[parts.order[index]] = fresh
        parts.touched[fresh - count] = part
        fresh += 1
    return fresh


@inlined
def _by_target(targets: Numbers, states: int) -> tuple[Numbers, Numbers]:
    """The transitions into each state."""
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
def _take_out(cord: int, cords: RefinablePartition, tails: Numbers, tallies: Tallies, free: int) -> tuple[int, int]:
    """Give the sources of a cord tallies for it alone. Returns the numbers of sources and of free tallies."""
    number = 0
    for at in range(cords.first[cord], cords.end[cord]):
        transition = cords.order[at]
        tail, old = tails[transition], tallies.tally_of[transition]
        if tallies.fresh[tail] == NONE:
            free -= 1
            tallies.fresh[tail] = tallies.free[free]
            tallies.tally[tallies.fresh[tail]] = 0
            tallies.met[number] = tail
            tallies.old_of[number] = old
            number += 1
        if old != NONE:
            tallies.tally[old] -= 1
        tallies.tally_of[transition] = tallies.fresh[tail]
        tallies.tally[tallies.fresh[tail]] += 1
    for at in range(number):
        tallies.fresh[tallies.met[at]] = NONE
    return number, free


@inlined
def _split_blocks(number: int, blocks: RefinablePartition, tallies: Tallies, count: int, free: int) -> tuple[int, int]:
    """Split blocks by whether states have transitions in the cord, then by whether they have others in the old bunch. Returns the
    numbers of blocks and of free tallies."""
    touched = 0
    for at in range(number):
        touched = _mark(tallies.met[at], blocks, touched)
    count = _split(blocks, touched, count)
    touched = 0
    for at in range(number):
        old = tallies.old_of[at]
        if old != NONE and tallies.tally[old] == 0:
            tallies.free[free] = old
            free += 1
            touched = _mark(tallies.met[at], blocks, touched)
    return _split(blocks, touched, count), free


@inlined
def _split_cords(
    block: int, blocks: RefinablePartition, in_offsets: Numbers, incoming: Numbers, cords: RefinablePartition,
    bunches: Bunches, count: int, divisible: int, progress: Progress,
) -> tuple[int, int]:  # fmt: skip
    """Split cords by whether their transitions lead into a block. Returns the numbers of cords and of divisible bunches."""
    touched = 0
    for at in range(blocks.first[block], blocks.end[block]):
        state = blocks.order[at]
        for index in range(in_offsets[state], in_offsets[state + 1]):
            touched = _mark(incoming[index], cords, touched)
        progress[WORK] += in_offsets[state + 1] - in_offsets[state]
    more = _split(cords, touched, count)
    for fresh in range(count, more):
        bunch = bunches.bunch_of[cords.touched[fresh - count]]
        if bunches.following[bunches.head[bunch]] == NONE:
            bunches.divisible[divisible] = bunch
            divisible += 1
        bunches.bunch_of[fresh] = bunch
        bunches.following[fresh] = bunches.head[bunch]
        bunches.head[bunch] = fresh
    return more, divisible


@inlined
def _smaller_cord(bunch: int, cords: RefinablePartition, bunches: Bunches, fresh: int) -> int:
    """Make the smaller of two cords of a bunch a bunch of its own, with the number `fresh`."""
    cord = int(bunches.head[bunch])
    other = bunches.following[cord]
    if cords.end[cord] - cords.first[cord] <= cords.end[other] - cords.first[other]:
        bunches.head[bunch] = other
    else:
        bunches.following[cord] = bunches.following[other]
        cord = int(other)
    bunches.following[cord] = NONE
    bunches.head[fresh] = cord
    bunches.bunch_of[cord] = fresh
    return cord


@inlined
def _tallies(states: int, transitions: int, kind: Any) -> Tallies:
    """Every transition may have a tally of its own, and so may every source of a cord before the old ones are free."""
    free = np.arange(transitions + states).astype(kind)
    return Tallies(
        np.zeros(len(free), kind), np.full(transitions, NONE, kind), free, np.full(states, NONE, kind), np.empty(states, kind),
        np.empty(states, kind),
    )  # fmt: skip


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
    in_offsets, incoming = _by_target(targets, states)
    tails = np.empty(transitions, dtype=kind)
    for state in range(states):
        tails[offsets[state] : offsets[state + 1]] = state
    parts, block_count = _partition(blocks)
    cords, cord_count = _partition(actions.astype(kind))
    tallies, free = _tallies(states, transitions, kind), transitions + states
    bunches = Bunches(
        np.arange(transitions).astype(kind), np.full(transitions, NONE, kind), np.arange(transitions).astype(kind),
        np.empty(transitions, kind),
    )  # fmt: skip
    divisible = 0
    for cord in range(cord_count):  # at the start, every action is a bunch of one cord, taken out of nothing
        number, free = _take_out(cord, cords, tails, tallies, free)
        block_count, free = _split_blocks(number, parts, tallies, block_count, free)
    bunch_count = cord_count
    used = 1
    while not progress[STOP]:
        if used < block_count:
            cord_count, divisible = _split_cords(
                used, parts, in_offsets, incoming, cords, bunches, cord_count, divisible, progress
            )
            used += 1
        elif divisible > 0:
            bunch = bunches.divisible[divisible - 1]
            cord = _smaller_cord(bunch, cords, bunches, bunch_count)
            bunch_count += 1
            divisible -= bunches.following[bunches.head[bunch]] == NONE
            number, free = _take_out(cord, cords, tails, tallies, free)
            block_count, free = _split_blocks(number, parts, tallies, block_count, free)
            progress[WORK] += cords.end[cord] - cords.first[cord]
            progress[BLOCKS] = block_count
        else:
            break
    stable = used >= block_count and divisible == 0
    block_count = number_in_order(blocks)
    return block_count if stable else GAVE_UP
