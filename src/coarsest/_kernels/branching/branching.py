"""The coarsest branching bisimulation, looking again only at states whose signature may have changed.

Reference: after Jacobs and Wißmann, Fast coalgebraic bisimilarity minimization, 2023 (dirty states, the largest part keeps its
           number), and Groote, Jansen, Keiren and Wijs, An O(m log n) algorithm for computing stuttering equivalence and
           branching bisimulation, 2017 (bottom states).
Symbols:   a transition is inert if it is internal and stays in its block; a bottom state has no inert transitions; a dirty state
           has a transition into a block that is new.
Invariant: two states in different blocks are not branching bisimilar. All bottom states of a block that are not dirty have the
           same pairs, and other states no pairs beyond these, unless inert paths lead from them to dirty states.
Deviates:  the papers' algorithm splits blocks in two by one splitter at a time; here a block is put into all the groups that its
           states can be told apart by at once: from the ends of inert paths to their beginnings, a state is in the group of the
           states that it leads to, unless it can do more than they. No signature is larger than the transitions of one state.
           Pairs are compared by hashes of 64 bits: equal hashes of different ones leave a partition that is too coarse, which the
           caller finds when it builds the quotient.
Cost:      O(m d log n) if d is the largest number of transitions of a bottom state: a state is dirty d log n times at most,
           and states with inert paths to it are looked at again only if all bottom states that they lead to have changed
           alike, or they become bottom states, which happens once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from coarsest._kernels.branching.groups import (
    NO_GROUP,
    Groups,
    all_among,
    nearest_group,
    own_key,
    room_for_groups,
    same_signature,
    with_signature,
    write_pairs,
)
from coarsest._kernels.branching.layout import BlockLayout, Queue, laid_out, pop, push, queue_dirty, to_clean, to_dirty
from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.key_table import EMPTY, Hashes, Numbers, place_of, too_full
from coarsest._kernels.memory import prefetch_row
from coarsest._kernels.partition.signature_hash import Progress, mix
from coarsest._kernels.progress import BLOCKS, GAVE_UP, STOP, WORK
from coarsest._kernels.sorting import number_in_order

FIRST_TABLE_SIZE: Final = 16


class BranchingSystem(NamedTuple):
    """The transitions of state i are at `offsets[i]` to `offsets[i + 1]`, the sources of those into it at `in_offsets[i]` to
    `in_offsets[i + 1]`, of internal ones before `in_visible[i]`. Internal transitions inside a block lead to smaller states."""

    offsets: Numbers
    actions: Numbers
    targets: Numbers
    in_offsets: Numbers
    in_visible: Numbers
    sources: Numbers
    internal: int
    salt: np.uint64


@inlined
def _turned_round(offsets: Numbers, actions: Numbers, targets: Numbers, internal: int) -> tuple[Numbers, Numbers, Numbers]:
    """The sources of the transitions into each state, those of internal transitions first: offsets, where the others begin,
    sources."""
    states = len(offsets) - 1
    in_offsets, in_visible = np.zeros(states + 1, offsets.dtype), np.zeros(states, offsets.dtype)
    sources = np.empty(len(targets), targets.dtype)
    for index in range(len(targets)):
        in_offsets[targets[index] + 1] += 1
        in_visible[targets[index]] += actions[index] == internal
    for state in range(states):
        in_visible[state] += in_offsets[state]
        in_offsets[state + 1] += in_offsets[state]
    silent, visible = in_offsets.copy(), in_visible.copy()
    for state in range(states):
        for index in range(offsets[state], offsets[state + 1]):
            target = targets[index]
            if actions[index] == internal:
                sources[silent[target]] = state
                silent[target] += 1
            else:
                sources[visible[target]] = state
                visible[target] += 1
    return in_offsets, in_visible, sources


@inlined
def _entered_again(groups: Groups, number: int, table: Hashes, size: int) -> tuple[Hashes, int]:
    """A table of twice the size with the groups so far."""
    size *= 2
    if 2 * size > len(table):
        table = np.empty(4 * size, np.uint64)
    table[: 2 * size] = EMPTY
    for group in range(number):
        place = place_of(groups.key[group], table, size)
        table[place], table[place + 1] = groups.key[group], group
    return table, size


@inlined
def _look(
    state: int, system: BranchingSystem, blocks: Numbers, groups: Groups, number: int, table: Hashes, size: int, pool: Hashes,
    used: int,
) -> tuple[int, bool, Hashes, int]:
    """The group of a state, whether the state is a bottom state there, the pool, and how much of the pool is used."""
    offsets, actions, targets, internal, salt = system.offsets, system.actions, system.targets, system.internal, system.salt
    group_of, pairs = groups.group_of, groups.pairs
    nearest = nearest_group(state, offsets, actions, targets, internal, blocks, group_of)
    written = write_pairs(state, offsets, actions, targets, internal, blocks, group_of, nearest, salt, pairs)
    if nearest != NO_GROUP:
        if written > 0:
            pool, used = with_signature(nearest, groups, offsets, actions, targets, internal, blocks, salt, pool, used)
        if written == 0 or all_among(pairs, written, pool, groups.begin[nearest], groups.end[nearest]):
            return nearest, False, pool, used
    key = own_key(pairs, written, nearest, salt, groups.room)
    return same_signature(key, state, groups, number, table, size), True, pool, used


@inlined
def _group(
    block: int, system: BranchingSystem, blocks: Numbers, layout: BlockLayout, groups: Groups, queue: Queue, table: Hashes,
    pool: Hashes, progress: Progress,
) -> tuple[int, int, Hashes, Hashes]:  # fmt: skip
    """Put the dirty states of a block into groups, and the states with inert paths to states that change. Returns the numbers of
    groups and of states that were looked at. Group 0 is that of the clean bottom states, if there are any."""
    table[: 2 * FIRST_TABLE_SIZE] = EMPTY
    size, number, used, looked_at = FIRST_TABLE_SIZE, 0, 0, 0
    unchanged = NO_GROUP
    if layout.bottom[block] < layout.dirty[block]:
        _, _, pool, used = _look(layout.order[layout.bottom[block]], system, blocks, groups, 0, table, size, pool, used)
        number, unchanged = 1, 0
    waiting, at, heap_size = queue_dirty(block, layout, queue), 0, 0
    while at < waiting or heap_size > 0:
        if heap_size > 0 and (at == waiting or queue.heap[0] < queue.in_order[at]):
            state = pop(queue.heap, heap_size)
            heap_size -= 1
        else:
            state = int(queue.in_order[at])
            at += 1
        if too_full(number, size):
            table, size = _entered_again(groups, number, table, size)
        group, bottom, pool, used = _look(state, system, blocks, groups, number, table, size, pool, used)
        number += group == number
        groups.group_of[state], layout.is_bottom[state] = group, bottom
        queue.looked_at[looked_at] = state
        looked_at += 1
        progress[WORK] += system.offsets[state + 1] - system.offsets[state]
        if group != unchanged:
            for index in range(system.in_offsets[state], system.in_visible[state]):
                source = system.sources[index]
                if blocks[source] == block and not queue.queued[source]:
                    queue.queued[source] = True
                    heap_size = push(source, queue.heap, heap_size)
    return number, looked_at, table, pool


@inlined
def _arrange(block: int, number: int, looked_at: int, layout: BlockLayout, groups: Groups, queue: Queue, starts: Numbers) -> None:
    """Put the states of each group side by side: from `starts[2 * g]` on those with inert transitions, then from
    `starts[2 * g + 1]` on bottom states. Clean states are in front of those that were looked at."""
    order, place, states = layout.order, layout.place, queue.looked_at
    for at in range(looked_at):
        to_dirty(states[at], block, layout.bottom, layout.dirty, order, place)
    starts[: 2 * number + 1] = 0
    for at in range(looked_at):
        starts[2 * groups.group_of[states[at]] + layout.is_bottom[states[at]]] += 1
    total = layout.dirty[block]
    for part in range(2 * number + 1):
        total += starts[part]
        starts[part] = total
    for at in range(looked_at - 1, -1, -1):
        part = 2 * groups.group_of[states[at]] + layout.is_bottom[states[at]]
        starts[part] -= 1
        order[starts[part]] = states[at]
        place[states[at]] = starts[part]


@inlined
def _rename(block: int, number: int, unchanged: bool, layout: BlockLayout, starts: Numbers, blocks: Numbers, count: int) -> int:
    """Make a block of each group, where the largest keeps the number of the old block. Returns the new number of blocks."""
    if unchanged:
        for _ in range(starts[0], starts[2]):
            to_clean(block, layout.is_bottom, layout.bottom, layout.dirty, layout.order, layout.place)
        starts[0], starts[1] = layout.first[block], layout.bottom[block]
    largest = 0
    for group in range(1, number):
        if starts[2 * group + 2] - starts[2 * group] > starts[2 * largest + 2] - starts[2 * largest]:
            largest = group
    for group in range(number):
        name = block
        if group != largest:
            name = count
            count += 1
            for at in range(starts[2 * group], starts[2 * group + 2]):
                blocks[layout.order[at]] = name
        layout.first[name], layout.bottom[name] = starts[2 * group], starts[2 * group + 1]
        layout.dirty[name], layout.end[name] = starts[2 * group + 2], starts[2 * group + 2]
    return count


@inlined
def _mark_sources(
    block: int, before: int, count: int, system: BranchingSystem, blocks: Numbers, layout: BlockLayout, states: Numbers,
    waiting: int,
) -> int:
    """Mark the states with transitions into new blocks, numbered from `before` on, as dirty. Returns how many blocks are waiting.
    Internal transitions inside the former `block` were looked at before."""
    first, bottom, dirty, end, order, place, queue, _ = layout
    for name in range(before, count):
        size = end[name] - first[name]
        for at in range(size):
            states[at] = order[first[name] + at]  # marking may move them
        for at in range(size):
            prefetch_row(states, at, size, system.in_offsets, system.sources, blocks)
            target = states[at]
            for index in range(system.in_offsets[target], system.in_offsets[target + 1]):
                source = system.sources[index]
                own = blocks[source]
                if end[own] - first[own] == 1 or (index < system.in_visible[target] and (own == block or own >= before)):
                    continue
                clean = dirty[own] == end[own]
                if to_dirty(source, own, bottom, dirty, order, place) and clean:
                    queue[waiting % len(queue)] = own
                    waiting += 1
    return waiting


@inlined
def _refine(system: BranchingSystem, blocks: Numbers, count: int, layout: BlockLayout, progress: Progress) -> tuple[bool, int]:
    """Split blocks until no state is dirty. Returns whether the partition is stable, and its number of blocks."""
    states, kind = len(blocks), blocks.dtype
    groups = room_for_groups(system.offsets, states, kind)
    queue = Queue(np.empty(states, kind), np.empty(states, kind), np.empty(states, kind), np.zeros(states, np.bool_))
    starts = np.empty(2 * states + 3, kind)
    table, pool = np.empty(4 * FIRST_TABLE_SIZE, np.uint64), np.empty(FIRST_TABLE_SIZE, np.uint64)
    turn, waiting = 0, count
    while turn < waiting:
        progress[BLOCKS] = count
        if progress[STOP]:
            return False, count
        block = int(layout.waiting[turn % len(layout.waiting)])  # first come, first served: nearly rounds
        turn += 1
        unchanged = layout.bottom[block] < layout.dirty[block]
        number, looked_at, table, pool = _group(block, system, blocks, layout, groups, queue, table, pool, progress)
        before = count
        if number > 1:
            _arrange(block, number, looked_at, layout, groups, queue, starts)
            count = _rename(block, number, unchanged, layout, starts, blocks, count)
        else:
            while layout.dirty[block] < layout.end[block]:
                to_clean(block, layout.is_bottom, layout.bottom, layout.dirty, layout.order, layout.place)
        for at in range(looked_at):
            groups.group_of[queue.looked_at[at]] = 0
            queue.queued[queue.looked_at[at]] = False
        waiting = _mark_sources(block, before, count, system, blocks, layout, queue.looked_at, waiting)
    progress[BLOCKS] = count
    return True, count


@compiled
def coarsest_partition(
    offsets: Numbers, actions: Numbers, targets: Numbers, internal: int, blocks: Numbers, representatives: Numbers,
    progress: Progress, seed: int,
) -> int:  # fmt: skip
    """Refine `blocks`, numbered from 0, to the coarsest branching bisimulation; the number of blocks, or GAVE_UP.

    Blocks are numbered in the order of their first states; `representatives` becomes the first bottom state of each.
    """
    salt = mix(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15))
    in_offsets, in_visible, sources = _turned_round(offsets, actions, targets, internal)
    system = BranchingSystem(offsets, actions, targets, in_offsets, in_visible, sources, internal, salt)
    layout = laid_out(blocks, number_in_order(blocks))
    stable, count = _refine(system, blocks, number_in_order(blocks), layout, progress)
    number_in_order(blocks)
    for state in range(len(blocks) - 1, -1, -1):
        if layout.is_bottom[state]:
            representatives[blocks[state]] = state
    return count if stable else GAVE_UP
