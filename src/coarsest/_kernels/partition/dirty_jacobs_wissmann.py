"""Refinement that looks only at dirty states: those with a successor whose block is new.

Reference: Jacobs and Wißmann, Fast coalgebraic bisimilarity minimization, 2023, sections 4 and 5.
Symbols:   –
Invariant: two states in different blocks are not bisimilar. The states of block b are at `first[b]` to `end[b]` of `order`; those
           before `dirty[b]` are clean and have one signature; a block with dirty states is in `waiting`.
Deviates:  starts from a partition after some rounds. Blocks below `frozen` are final, and their states never dirty; the arrays
           of the layout have the others only.
Cost:      the largest part of a split keeps its number, so a state becomes dirty at most log n times for each transition, and
           costs O(d) every time if it has d transitions. Past the limit of work it gives up.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined
from coarsest._kernels.key_table import EMPTY, Hashes, Numbers, enter, place_of, table_size
from coarsest._kernels.memory import prefetch_row
from coarsest._kernels.partition.signature_hash import Progress, TwoWayRows, room_for_pairs, signature
from coarsest._kernels.progress import BLOCKS, LIMIT, STOP, WORK
from coarsest._kernels.sorting import copy_into

COMPARED_STATES: Final = 8
"""Up to this many dirty states of a block are compared with one another; more are entered into a table."""


class DirtyLayout(NamedTuple):
    """Where the states of each block are; `place` is the inverse of `order`."""

    first: Numbers
    end: Numbers
    dirty: Numbers
    order: Numbers
    place: Numbers
    waiting: Numbers


@inlined
def _laid_out(blocks: Numbers, active: Numbers, frozen: int, count: int) -> DirtyLayout:
    kind = blocks.dtype
    most = len(active) + 1
    first, end, dirty, waiting = np.empty(most, kind), np.zeros(most, kind), np.empty(most, kind), np.empty(most, kind)
    order, place = np.empty(len(active), kind), np.empty(len(blocks), kind)
    for at in range(len(active)):
        end[blocks[active[at]] - frozen] += 1
    total = 0
    for block in range(count - frozen):
        first[block] = total
        total += end[block]
        end[block] = first[block]
    for at in range(len(active)):
        block = blocks[active[at]] - frozen
        order[end[block]] = active[at]
        place[active[at]] = end[block]
        end[block] += 1
    copy_into(dirty, 0, end, 0, count - frozen)
    return DirtyLayout(first, end, dirty, order, place, waiting)


@inlined
def _mark(
    state: int, blocks: Numbers, frozen: int, first: Numbers, end: Numbers, dirty: Numbers, order: Numbers, place: Numbers,
    waiting: Numbers, number: int,
) -> int:  # fmt: skip
    """Mark a state as dirty, unless it is alone in its block. Returns how many blocks are waiting. (The owners of arrays in a
    tuple would be counted at every call.)"""
    block = blocks[state] - frozen
    if block < 0 or end[block] - first[block] == 1:
        return number
    border = dirty[block]
    where = place[state]
    if where < border:
        if border == end[block]:
            waiting[number] = block
            number += 1
        other = order[border - 1]
        order[border - 1], order[where] = state, other
        place[state], place[other] = border - 1, where
        dirty[block] = border - 1
    return number


@inlined
def _mark_all(
    targets: Numbers, number: int, in_offsets: Numbers, sources: Numbers, blocks: Numbers, frozen: int, layout: DirtyLayout,
    count: int,
) -> int:
    """Mark the predecessors of the first `targets` as dirty, where `count` blocks are waiting. Returns how many are waiting
    then."""
    first, end, dirty, order, place, waiting = layout
    for at in range(number):
        prefetch_row(targets, at, number, in_offsets, sources, blocks)
        for index in range(in_offsets[targets[at]], in_offsets[targets[at] + 1]):
            count = _mark(sources[index], blocks, frozen, first, end, dirty, order, place, waiting, count)
    return count


@inlined
def _parts_one_by_one(lead: np.uint64, hashes: Hashes, number: int, part_of: Numbers, sizes: Numbers) -> int:
    """Number the parts with different hashes, where the part of the lead is 0. Returns the number of parts."""
    parts = 1
    for at in range(number):
        part = 0
        if hashes[at] != lead:
            before = 0
            while before < at and hashes[before] != hashes[at]:
                before += 1
            part = part_of[before] if before < at else parts
        if part == parts:
            parts += 1
            sizes[part] = 0
        part_of[at] = part
        sizes[part] += 1
    return parts


@inlined
def _parts_by_table(lead: np.uint64, hashes: Hashes, number: int, part_of: Numbers, sizes: Numbers, table: Hashes) -> int:
    """Number the parts with different hashes, where the part of the lead is 0. Returns the number of parts."""
    size = table_size(number + 1)
    table[: 2 * size] = EMPTY
    place = place_of(lead, table, size)
    table[place], table[place + 1] = lead, 0
    _, parts = enter(hashes, 0, number, part_of, table, size, 1)
    sizes[1:parts] = 0
    for at in range(number):
        sizes[part_of[at]] += 1
    return parts


@inlined
def _move_apart(
    block: int, middle: int, number: int, parts: int, part_of: Numbers, sizes: Numbers, states: Numbers, layout: DirtyLayout
) -> int:
    """Put the states of each part side by side, where part 0 begins with the clean states; `sizes` becomes where each part ends.

    Returns the largest part.
    """
    largest = 0
    for part in range(1, parts):
        if sizes[part] > sizes[largest]:
            largest = part
    sizes[0] += layout.first[block]
    for part in range(1, parts):
        sizes[part] += sizes[part - 1]
    for at in range(number):
        states[at] = layout.order[middle + at]
    for at in range(number - 1, -1, -1):  # from the end of each part, which is then where it begins
        part = part_of[at]
        sizes[part] -= 1
        layout.order[sizes[part]] = states[at]
        layout.place[states[at]] = sizes[part]
    for part in range(parts - 1):
        sizes[part] = sizes[part + 1]
    sizes[parts - 1] = layout.end[block]
    return largest


@inlined
def _split(
    block: int, parts: int, largest: int, sizes: Numbers, states: Numbers, rows: TwoWayRows, blocks: Numbers, frozen: int,
    count: int, layout: DirtyLayout, waiting: int,
) -> tuple[int, int]:  # fmt: skip
    """Make a block of each part, where the largest keeps the number, and mark predecessors. Returns the numbers of blocks and of
    waiting blocks."""
    begin = layout.first[block]
    before = count
    for part in range(parts):
        name = block
        if part != largest:
            name = count - frozen
            count += 1
            for at in range(begin, sizes[part]):
                blocks[layout.order[at]] = count - 1
        layout.first[name], layout.end[name], layout.dirty[name] = begin, sizes[part], sizes[part]
        begin = sizes[part]
    for name in range(before - frozen, count - frozen):
        begin, size = layout.first[name], layout.end[name] - layout.first[name]
        for at in range(size):
            states[at] = layout.order[begin + at]  # marking may move them
        waiting = _mark_all(states, size, rows.in_offsets, rows.sources, blocks, frozen, layout, waiting)
    return count, waiting


@inlined
def _listed(moved: NDArray[np.bool_], blocks: Numbers) -> tuple[Numbers, int]:
    """The states that moved, and their number."""
    states, number = np.empty(len(moved), dtype=blocks.dtype), 0
    for state in range(len(moved)):
        states[number] = state
        number += moved[state]
    return states, number


@inlined
def refine_dirty(
    rows: TwoWayRows, blocks: Numbers, active: Numbers, frozen: int, count: int, moved: NDArray[np.bool_], salt: np.uint64,
    progress: Progress,
) -> tuple[bool, int]:  # fmt: skip
    """Split blocks until no state is dirty; at first the states with a successor in `moved` are. Returns whether the partition is
    stable, and its number of blocks."""
    offsets, actions, targets = rows.offsets, rows.actions, rows.targets
    layout = _laid_out(blocks, active, frozen, count)
    changed, number = _listed(moved, blocks)
    waiting = _mark_all(changed, number, rows.in_offsets, rows.sources, blocks, frozen, layout, 0)
    widest = 1
    for block in range(count - frozen):
        widest = max(widest, layout.end[block] - layout.first[block])
    (pairs, seen), hashes, part_of = room_for_pairs(offsets), np.empty(widest, np.uint64), np.empty(widest, blocks.dtype)
    states, sizes = np.empty(widest, blocks.dtype), np.empty(widest + 1, blocks.dtype)
    table = np.empty(2 * table_size(widest + 1), np.uint64)  # only what is used of it takes memory
    while waiting > 0:
        progress[BLOCKS] = count
        if progress[STOP] or 0 < progress[LIMIT] < progress[WORK]:
            return False, count
        waiting -= 1
        block = layout.waiting[waiting]
        middle, end = layout.dirty[block], layout.end[block]
        lead = signature(layout.order[layout.first[block]], offsets, actions, targets, blocks, salt, pairs, seen) | np.uint64(1)
        same = True
        for at in range(middle, end):
            state = layout.order[at]
            hashes[at - middle] = signature(state, offsets, actions, targets, blocks, salt, pairs, seen) | np.uint64(1)
            progress[WORK] += offsets[state + 1] - offsets[state]
            same = same and hashes[at - middle] == lead
        layout.dirty[block] = end
        if same:
            continue
        sizes[0] = middle - layout.first[block]
        if end - middle <= COMPARED_STATES:
            parts = _parts_one_by_one(lead, hashes, end - middle, part_of, sizes)
        else:
            parts = _parts_by_table(lead, hashes, end - middle, part_of, sizes, table)
        if parts > 1:
            largest = _move_apart(block, middle, end - middle, parts, part_of, sizes, states, layout)
            count, waiting = _split(block, parts, largest, sizes, states, rows, blocks, frozen, count, layout, waiting)
    progress[BLOCKS] = count
    return True, count
