"""Rounds of signature refinement, compiled.

The graph is given by the transitions out of each state (`offsets`, `actions`, `targets`) and by those into each state (`back_…`).
If paths of internal transitions within a block do not count, `internal` is the number of the internal action, and such
transitions lead to smaller states; otherwise it is -1. `block` has the block of each state; `parent` and `level` say what a block
was split from and in which round; `waiting` lists the states whose signatures may have changed. `counters` has the numbers of
blocks, of waiting states, of rounds and of transitions looked at. All of these are changed in place, so that the work can go on
later.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.sorting import copy_into, put_in_order

Array = Any


class _System(NamedTuple):
    """The graph and its blocks, as the arguments give them."""

    offsets: Array
    actions: Array
    targets: Array
    back_offsets: Array
    back_actions: Array
    back_sources: Array
    internal: int
    block: Array
    parent: Array
    level: Array


START, STOP, MEMBERS, PLACE_OF = range(4)
"""Rows of `layout`: the states of block b lie at START to STOP of MEMBERS, and state s at its PLACE_OF."""

AFFECTED, IN_ORDER, TOUCHED, BUCKET_BEGIN, BUCKET_SIZE, BASE_OF, GROUPS_OF = range(7)
MARKED, GROUP_OF, SIG_BEGIN, SIG_END, BY_GROUP, MOVED = range(7, 13)
"""Rows of `round`: the affected states, also by block; for each touched block where its states and its groups begin, and how
many there are; for each affected state a mark, its group and the place of its signature; the states that move."""

PART_BEGIN, PART_END, PART_SIZE, PART_START = range(4)
"""Rows of `parts`: the place of the signature of a group, its size, and where its states begin among the members."""


@inlined
def _sort_unique(codes: Array, begin: int, end: int) -> int:
    """Sort a part of an array and drop repetitions. Returns where the part ends then."""
    put_in_order(codes, begin, end)
    kept = begin
    for place in range(begin, end):
        if place == begin or codes[place] != codes[kept - 1]:
            codes[kept] = codes[place]
            kept += 1
    return kept


@inlined
def _longer(codes: Array, used: int, needed: int) -> Array:
    """The array, or a longer copy of its used part if it has no room for `needed` more."""
    if used + needed <= len(codes):
        return codes
    longer = np.empty(2 * (used + needed), dtype=codes.dtype)
    copy_into(longer, 0, codes, 0, used)
    return longer


@inlined
def _signature(system: _System, round: Array, state: int, pool: Array, used: int, bottom: Array) -> tuple[Array, int]:
    """Append the signature of a state to the pool; `bottom` is the signature of the states of the block that are not affected."""
    own = system.block[state]
    begin = used
    for edge in range(system.offsets[state], system.offsets[state + 1]):
        target = system.targets[edge]
        if system.actions[edge] != system.internal or system.block[target] != own:
            pool = _longer(pool, used, 1)
            pool[used] = np.int64(system.actions[edge]) * len(system.block) + system.block[target]
            used += 1
        elif round[MARKED, target]:
            size = round[SIG_END, target] - round[SIG_BEGIN, target]
            pool = _longer(pool, used, size)
            copy_into(pool, used, pool, round[SIG_BEGIN, target], round[SIG_END, target])
            used += size
        else:
            pool = _longer(pool, used, len(bottom))
            copy_into(pool, used, bottom, 0, len(bottom))
            used += len(bottom)
    return pool, _sort_unique(pool, begin, used)


@inlined
def _bottom_signature(system: _System, layout: Array, round: Array, own: int) -> Array:
    """The signature of the states of a block that are not affected, taken from one of them without inert transitions."""
    place = layout[START, own]
    while round[MARKED, layout[MEMBERS, place]]:
        place += 1
    state = layout[MEMBERS, place]
    going_on = True
    while going_on:
        going_on = False
        for edge in range(system.offsets[state], system.offsets[state + 1]):
            if system.actions[edge] == system.internal and system.block[system.targets[edge]] == own:
                state = system.targets[edge]
                going_on = True
                break
    first = system.offsets[state]
    bottom = np.empty(system.offsets[state + 1] - first, dtype=np.int64)
    for edge in range(first, system.offsets[state + 1]):
        bottom[edge - first] = np.int64(system.actions[edge]) * len(system.block) + system.block[system.targets[edge]]
    return bottom


@inlined
def _find_group(parts: Array, pool: Array, begin: int, end: int, table: Array, mask: int, base: int) -> int:
    """The slot of the group with this signature, or the empty slot where it belongs."""
    code = np.uint64(end - begin)
    for place in range(begin, end):
        code = (code ^ np.uint64(pool[place])) * np.uint64(0x9E3779B97F4A7C15)
        code ^= code >> np.uint64(29)
    slot: int = np.int64(code & np.uint64(mask))  # type: ignore[assignment]
    while table[slot] >= 0:
        first = parts[PART_BEGIN, base + table[slot]]
        same = parts[PART_END, base + table[slot]] - first == end - begin
        for offset in range(end - begin if same else 0):
            if pool[first + offset] != pool[begin + offset]:
                same = False
                break
        if same:
            return slot
        slot = (slot + 1) & mask
    return slot


@inlined
def _collect_affected(system: _System, layout: Array, round: Array, waiting: Array, count: int) -> int:
    """The waiting states, and those with inert paths to them."""
    found = 0
    for place in range(count):
        state = waiting[place]
        if layout[STOP, system.block[state]] - layout[START, system.block[state]] > 1 and not round[MARKED, state]:
            round[MARKED, state] = 1
            round[AFFECTED, found] = state
            found += 1
    place = 0
    while system.internal >= 0 and place < found:
        state = round[AFFECTED, place]
        place += 1
        for edge in range(system.back_offsets[state], system.back_offsets[state + 1]):
            source = system.back_sources[edge]
            inert = system.back_actions[edge] == system.internal and system.block[source] == system.block[state]
            if inert and not round[MARKED, source]:
                round[MARKED, source] = 1
                round[AFFECTED, found] = source
                found += 1
    return found


@inlined
def _bucket(system: _System, round: Array, count: int) -> int:
    """Sort the affected states by block into `in_order`. Returns the number of touched blocks."""
    touched = 0
    for place in range(count):
        number = system.block[round[AFFECTED, place]]
        if round[BUCKET_SIZE, number] == 0:
            round[TOUCHED, touched] = number
            touched += 1
        round[BUCKET_SIZE, number] += 1
    position = 0
    for place in range(touched):
        number = round[TOUCHED, place]
        round[BUCKET_BEGIN, number] = position
        position += round[BUCKET_SIZE, number]
        round[BUCKET_SIZE, number] = 0
    for place in range(count):
        number = system.block[round[AFFECTED, place]]
        round[IN_ORDER, round[BUCKET_BEGIN, number] + round[BUCKET_SIZE, number]] = round[AFFECTED, place]
        round[BUCKET_SIZE, number] += 1
    return touched


@inlined
def _clean(layout: Array, round: Array, own: int) -> int:
    """How many states of a block are not affected?"""
    return int(layout[STOP, own] - layout[START, own] - round[BUCKET_SIZE, own])


@inlined
def _group(
    system: _System, layout: Array, round: Array, parts: Array, own: int, base: int, pool: Array, table: Array
) -> tuple[int, Array, Array]:
    """Group the affected states of a block by signature; the states that are not affected are the first group. Returns the number
    of groups, the pool and the table."""
    low = round[BUCKET_BEGIN, own]
    high = low + round[BUCKET_SIZE, own]
    if system.internal >= 0 and high - low > 1:
        put_in_order(round[IN_ORDER], low, high)
    groups, bottom = 0, np.empty(0, dtype=np.int64)
    if _clean(layout, round, own) > 0:
        parts[PART_BEGIN, base] = parts[PART_END, base] = -1
        parts[PART_SIZE, base] = _clean(layout, round, own)
        groups = 1
        if system.internal >= 0:
            bottom = _bottom_signature(system, layout, round, own)
    size = 4
    while size < 2 * (high - low):
        size *= 2
    if size > len(table):
        table = np.empty(size, dtype=np.int64)
    table[:size] = -1
    used = 0
    for place in range(low, high):
        state, begin = round[IN_ORDER, place], used
        pool, used = _signature(system, round, state, pool, used, bottom)
        slot = _find_group(parts, pool, begin, used, table, size - 1, base)
        if table[slot] < 0:
            table[slot] = groups
            new = base + groups
            parts[PART_BEGIN, new], parts[PART_END, new], parts[PART_SIZE, new] = begin, used, 0
            groups += 1
        else:
            used = begin
        group = base + table[slot]
        round[GROUP_OF, state] = table[slot]
        parts[PART_SIZE, group] += 1
        round[SIG_BEGIN, state], round[SIG_END, state] = parts[PART_BEGIN, group], parts[PART_END, group]
    return groups, pool, table


@inlined
def _arrange(layout: Array, round: Array, parts: Array, own: int, base: int, groups: int) -> None:
    """Lay the groups of a block one after the other, the states that are not affected first."""
    position = layout[START, own]
    for group in range(base, base + groups):
        parts[PART_START, group] = position
        position += parts[PART_SIZE, group]
    clean, low = _clean(layout, round, own), round[BUCKET_BEGIN, own]
    first = layout[START, own] + clean
    for place in range(low, low + round[BUCKET_SIZE, own]):
        group = base + round[GROUP_OF, round[IN_ORDER, place]]
        round[BY_GROUP, parts[PART_START, group] - first] = round[IN_ORDER, place]
        parts[PART_START, group] += 1
    for group in range(1 if clean else 0, groups):
        parts[PART_START, base + group] -= parts[PART_SIZE, base + group]
    last = layout[STOP, own] - 1
    for place in range(round[BUCKET_SIZE, own] - 1, -1, -1):
        state, other = round[BY_GROUP, place], layout[MEMBERS, last]
        layout[MEMBERS, layout[PLACE_OF, state]] = other
        layout[PLACE_OF, other] = layout[PLACE_OF, state]
        layout[MEMBERS, last] = state
        layout[PLACE_OF, state] = last
        last -= 1


@inlined
def _split(
    system: _System, layout: Array, round: Array, parts: Array, turn: int, number: int, count: int, moved: int
) -> tuple[int, int]:
    """Make a block of each group of a touched block, where the largest keeps the number. Returns the numbers of blocks and of
    states that moved."""
    own, base, groups = round[TOUCHED, turn], round[BASE_OF, turn], round[GROUPS_OF, turn]
    _arrange(layout, round, parts, own, base, groups)
    largest = base
    for group in range(base, base + groups):
        if parts[PART_SIZE, group] > parts[PART_SIZE, largest]:
            largest = group
    for group in range(base, base + groups):
        if group == largest:
            continue
        layout[START, count] = parts[PART_START, group]
        layout[STOP, count] = layout[START, count] + parts[PART_SIZE, group]
        system.parent[count], system.level[count] = own, number
        for place in range(layout[START, count], layout[STOP, count]):
            system.block[layout[MEMBERS, place]] = count
            round[MOVED, moved] = layout[MEMBERS, place]
            moved += 1
        count += 1
    layout[START, own] = parts[PART_START, largest]
    layout[STOP, own] = layout[START, own] + parts[PART_SIZE, largest]
    return count, moved


@inlined
def _moved_from_inert(system: _System, state: int, number: int) -> bool:
    """Does a state that moved in this round have a transition that is no longer inert?"""
    own = system.block[state]
    for edge in range(system.offsets[state], system.offsets[state + 1]):
        after = system.block[system.targets[edge]]
        if system.actions[edge] == system.internal and after != own:
            before = system.parent[after] if system.level[after] == number else after
            if before == system.parent[own]:
                return True
    return False


@inlined
def _disturbed(system: _System, layout: Array, round: Array, moved: int, number: int, waiting: Array) -> tuple[int, int]:
    """List the states with a transition to a state that moved, and those that moved away from the target of an inert transition.
    Returns their number, and the work."""
    found, work = 0, 0
    for place in range(moved):
        state = round[MOVED, place]
        work += system.back_offsets[state + 1] - system.back_offsets[state]
        for edge in range(system.back_offsets[state], system.back_offsets[state + 1]):
            source = system.back_sources[edge]
            own = system.block[source]
            inert = system.back_actions[edge] == system.internal and own == system.block[state]
            if not inert and not round[MARKED, source] and layout[STOP, own] - layout[START, own] > 1:
                round[MARKED, source] = 1
                waiting[found] = source
                found += 1
        own = system.block[state]
        lonely = layout[STOP, own] - layout[START, own] <= 1
        if system.internal >= 0 and not lonely and not round[MARKED, state] and _moved_from_inert(system, state, number):
            round[MARKED, state] = 1
            waiting[found] = state
            found += 1
    for place in range(found):
        round[MARKED, waiting[place]] = 0
    return found, work


@inlined
def _laid_out(block: Array, count: int) -> Array:
    states = len(block)
    layout = np.zeros((4, states + 1), dtype=np.int64)
    for state in range(states):
        layout[STOP, block[state]] += 1
    position = 0
    for number in range(count):
        layout[START, number] = position
        position += layout[STOP, number]
        layout[STOP, number] = layout[START, number]
    for state in range(states):
        layout[PLACE_OF, state] = layout[STOP, block[state]]
        layout[MEMBERS, layout[PLACE_OF, state]] = state
        layout[STOP, block[state]] += 1
    return layout


@compiled
def refine_rounds(
    offsets: Array, actions: Array, targets: Array, back_offsets: Array, back_actions: Array, back_sources: Array,
    internal: int, block: Array, parent: Array, level: Array, waiting: Array, counters: Array, budget: int,
) -> bool:  # fmt: skip
    """Refine until nothing is waiting, or until about `budget` transitions have been looked at. Returns whether it is
    finished."""
    system = _System(offsets, actions, targets, back_offsets, back_actions, back_sources, internal, block, parent, level)
    count, waiting_count, number = counters[0], counters[1], counters[2]
    layout, round = _laid_out(block, count), np.zeros((13, len(block)), dtype=np.int64)
    parts = np.empty((4, 2 * len(block)), dtype=np.int64)
    pool, table = np.empty(1024, dtype=np.int64), np.empty(64, dtype=np.int64)
    work = 0
    while waiting_count > 0 and work < budget:
        number += 1
        affected = _collect_affected(system, layout, round, waiting, waiting_count)
        touched = _bucket(system, round, affected)
        groups = 0
        for turn in range(touched):
            round[BASE_OF, turn] = groups
            round[GROUPS_OF, turn], pool, table = _group(system, layout, round, parts, round[TOUCHED, turn], groups, pool, table)
            groups += round[GROUPS_OF, turn]
        moved = 0
        for turn in range(touched):
            if round[GROUPS_OF, turn] > 1:
                count, moved = _split(system, layout, round, parts, turn, number, count, moved)
            round[BUCKET_SIZE, round[TOUCHED, turn]] = 0
        for place in range(affected):
            round[MARKED, round[AFFECTED, place]] = 0
            work += offsets[round[AFFECTED, place] + 1] - offsets[round[AFFECTED, place]] + 1
        waiting_count, further = _disturbed(system, layout, round, moved, number, waiting)
        work += further
    counters[0], counters[1], counters[2] = count, waiting_count, number
    counters[3] += work
    return bool(waiting_count == 0)
