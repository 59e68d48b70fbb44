"""Rounds of signature refinement, compiled.

The graph is given by the transitions of each state (`offsets`, `actions`, `targets`) and, turned round, by those into each state
(`back_…`). `internal` is the number of the internal action if paths of internal transitions within a block count for
nothing, otherwise -1; then `rank` is smaller at the target of such a transition than at its source. `block` numbers the
block of each state; `parent` and `level` tell what a block was split from and in which round; `waiting` lists the states
whose signatures may have changed. `counters` holds the numbers of blocks, of waiting states, of rounds and of transitions
looked at. All of these are changed in place, so that the work can go on later.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest._kernels.compile import compiled, inlined

Array = Any

SHORT = 24
WORK_AT_ONCE = 20_000_000
"""A budget that takes a fraction of a second."""


@inlined
def _sort_unique(codes: Array, begin: int, end: int) -> int:
    """Sort a part of an array, drop repetitions, and tell where it ends then."""
    if end - begin <= SHORT:
        for right in range(begin + 1, end):
            code = codes[right]
            left = right - 1
            while left >= begin and codes[left] > code:
                codes[left + 1] = codes[left]
                left -= 1
            codes[left + 1] = code
    else:
        codes[begin:end].sort()
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
    longer[:used] = codes[:used]
    return longer


@inlined
def _signature(
    state: int, number: int, offsets: Array, actions: Array, targets: Array, internal: int, block: Array, affected_mark: Array,
    sig_begin: Array, sig_end: Array, pool: Array, used: int, bottom: Array, bottom_size: int,
) -> tuple[Array, int]:  # fmt: skip
    """Append the signature of a state to the pool; `bottom` holds that of the states of the block which are not affected."""
    states = len(block)
    begin = used
    for edge in range(offsets[state], offsets[state + 1]):
        target = targets[edge]
        if actions[edge] != internal or block[target] != number:
            pool = _longer(pool, used, 1)
            pool[used] = np.int64(actions[edge]) * states + block[target]
            used += 1
        elif affected_mark[target]:
            size = sig_end[target] - sig_begin[target]
            pool = _longer(pool, used, size)
            pool[used : used + size] = pool[sig_begin[target] : sig_end[target]]
            used += size
        else:
            pool = _longer(pool, used, bottom_size)
            pool[used : used + bottom_size] = bottom[:bottom_size]
            used += bottom_size
    return pool, _sort_unique(pool, begin, used)


@inlined
def _bottom_signature(
    number: int, members: Array, start: Array, stop: Array, offsets: Array, actions: Array, targets: Array, internal: int,
    block: Array, affected_mark: Array, bottom: Array,
) -> tuple[Array, int]:  # fmt: skip
    """The signature of the states of a block that are not affected: that of one of them without inert transitions."""
    place = start[number]
    while place < stop[number] and affected_mark[members[place]]:
        place += 1
    if place == stop[number]:
        return bottom, 0
    state = members[place]
    going_on = True
    while going_on:
        going_on = False
        for edge in range(offsets[state], offsets[state + 1]):
            if actions[edge] == internal and block[targets[edge]] == number:
                state = targets[edge]
                going_on = True
                break
    size = offsets[state + 1] - offsets[state]
    bottom = _longer(bottom, 0, size)
    for edge in range(offsets[state], offsets[state + 1]):
        bottom[edge - offsets[state]] = np.int64(actions[edge]) * len(block) + block[targets[edge]]
    return bottom, size


@inlined
def _find_group(
    pool: Array, begin: int, end: int, table: Array, mask: int, base: int, group_begin: Array, group_end: Array
) -> int:
    """The place in the table of the group with this signature, or of the hole where it belongs."""
    code = np.uint64(end - begin)
    for place in range(begin, end):
        code = (code ^ np.uint64(pool[place])) * np.uint64(0x9E3779B97F4A7C15)
        code ^= code >> np.uint64(29)
    slot: int = np.int64(code & np.uint64(mask))  # type: ignore[assignment]
    while table[slot] >= 0:
        group = base + table[slot]
        if group_end[group] - group_begin[group] == end - begin:
            same = True
            for offset in range(end - begin):
                if pool[group_begin[group] + offset] != pool[begin + offset]:
                    same = False
                    break
            if same:
                return slot
        slot = (slot + 1) & mask
    return slot


@inlined
def _collect_affected(
    waiting: Array, count: int, block: Array, start: Array, stop: Array, back_offsets: Array, back_actions: Array,
    back_sources: Array, internal: int, affected_mark: Array, affected: Array,
) -> int:  # fmt: skip
    """The waiting states, and those with inert paths to them."""
    found = 0
    for place in range(count):
        state = waiting[place]
        if stop[block[state]] - start[block[state]] > 1 and not affected_mark[state]:
            affected_mark[state] = True
            affected[found] = state
            found += 1
    if internal < 0:
        return found
    place = 0
    while place < found:
        state = affected[place]
        place += 1
        for edge in range(back_offsets[state], back_offsets[state + 1]):
            source = back_sources[edge]
            if back_actions[edge] == internal and block[source] == block[state] and not affected_mark[source]:
                affected_mark[source] = True
                affected[found] = source
                found += 1
    return found


@inlined
def _bucket(
    affected: Array, count: int, block: Array, touched: Array, bucket_begin: Array, bucket_size: Array, in_order: Array
) -> int:
    """Sort the affected states by block into `in_order`; gives the number of touched blocks."""
    touched_count = 0
    for place in range(count):
        number = block[affected[place]]
        if bucket_size[number] == 0:
            touched[touched_count] = number
            touched_count += 1
        bucket_size[number] += 1
    position = 0
    for place in range(touched_count):
        bucket_begin[touched[place]] = position
        position += bucket_size[touched[place]]
        bucket_size[touched[place]] = 0
    for place in range(count):
        number = block[affected[place]]
        in_order[bucket_begin[number] + bucket_size[number]] = affected[place]
        bucket_size[number] += 1
    return touched_count


@inlined
def _arrange(
    in_order: Array, low: int, high: int, group_of: Array, group_size: Array, base: int, groups: int, clean: int, number: int,
    start: Array, stop: Array, members: Array, place_of: Array, group_start: Array, by_group: Array,
) -> None:  # fmt: skip
    """Lay the groups of a block one after the other, the states that are not affected first."""
    position = start[number]
    for group in range(groups):
        group_start[base + group] = position
        position += group_size[base + group]
    first = start[number] + clean
    for place in range(low, high):
        state = in_order[place]
        group = base + group_of[state]
        by_group[group_start[group] - first] = state
        group_start[group] += 1
    for group in range(groups):
        if clean == 0 or group > 0:
            group_start[base + group] -= group_size[base + group]
    last = stop[number] - 1
    for place in range(high - low - 1, -1, -1):
        state = by_group[place]
        other = members[last]
        members[place_of[state]] = other
        place_of[other] = place_of[state]
        members[last] = state
        place_of[state] = last
        last -= 1


@inlined
def _disturbed(
    moved: Array, moved_count: int, offsets: Array, actions: Array, targets: Array, back_offsets: Array, back_actions: Array,
    back_sources: Array, internal: int, block: Array, parent: Array, level: Array, number: int, start: Array, stop: Array,
    mark: Array, waiting: Array,
) -> int:  # fmt: skip
    """States with a transition to one that moved, and states that moved away from the target of an inert transition."""
    found = 0
    for place in range(moved_count):
        state = moved[place]
        for edge in range(back_offsets[state], back_offsets[state + 1]):
            source = back_sources[edge]
            inert = back_actions[edge] == internal and block[source] == block[state]
            if not inert and not mark[source] and stop[block[source]] - start[block[source]] > 1:
                mark[source] = True
                waiting[found] = source
                found += 1
        if internal < 0 or mark[state] or stop[block[state]] - start[block[state]] <= 1:
            continue
        for edge in range(offsets[state], offsets[state + 1]):
            after = block[targets[edge]]
            if actions[edge] != internal or after == block[state]:
                continue
            before = parent[after] if level[after] == number else after
            if before == parent[block[state]]:
                mark[state] = True
                waiting[found] = state
                found += 1
                break
    for place in range(found):
        mark[waiting[place]] = False
    return found


@compiled
def refine_rounds(
    offsets: Array, actions: Array, targets: Array, back_offsets: Array, back_actions: Array, back_sources: Array,
    internal: int, rank: Array, block: Array, parent: Array, level: Array, waiting: Array, counters: Array, budget: int,
) -> bool:  # fmt: skip
    """Refine until nothing is waiting, or until about `budget` transitions have been looked at. Is it finished?"""
    states = len(block)
    blocks, waiting_count, number = counters[0], counters[1], counters[2]
    start, stop = np.zeros(states + 1, dtype=np.int64), np.zeros(states + 1, dtype=np.int64)
    for state in range(states):
        stop[block[state]] += 1
    position = 0
    for place in range(blocks):
        start[place] = position
        position += stop[place]
        stop[place] = start[place]
    members, place_of = np.empty(states, dtype=np.int64), np.empty(states, dtype=np.int64)
    for state in range(states):
        place_of[state] = stop[block[state]]
        members[place_of[state]] = state
        stop[block[state]] += 1
    affected_mark, mark = np.zeros(states, dtype=np.bool_), np.zeros(states, dtype=np.bool_)
    affected, in_order = np.empty(states, dtype=np.int64), np.empty(states, dtype=np.int64)
    by_group, group_of = np.empty(states, dtype=np.int64), np.empty(states, dtype=np.int64)
    sig_begin, sig_end = np.empty(states, dtype=np.int64), np.empty(states, dtype=np.int64)
    touched, moved = np.empty(states, dtype=np.int64), np.empty(states, dtype=np.int64)
    bucket_begin, bucket_size = np.zeros(states, dtype=np.int64), np.zeros(states, dtype=np.int64)
    base_of, groups_of = np.empty(states, dtype=np.int64), np.empty(states, dtype=np.int64)
    group_begin, group_end = np.empty(2 * states + 1, dtype=np.int64), np.empty(2 * states + 1, dtype=np.int64)
    group_size, group_start = np.empty(2 * states + 1, dtype=np.int64), np.empty(2 * states + 1, dtype=np.int64)
    pool, bottom = np.empty(1024, dtype=np.int64), np.empty(16, dtype=np.int64)
    table = np.empty(64, dtype=np.int64)
    work = 0
    while waiting_count > 0 and work < budget:
        number += 1
        count = _collect_affected(waiting, waiting_count, block, start, stop, back_offsets, back_actions, back_sources, internal,
                                  affected_mark, affected)  # fmt: skip
        touched_count = _bucket(affected, count, block, touched, bucket_begin, bucket_size, in_order)
        work += count + touched_count
        groups_total = 0
        for turn in range(touched_count):
            own = touched[turn]
            low = bucket_begin[own]
            high = low + bucket_size[own]
            if internal >= 0 and high - low > 1:
                in_order[low:high] = in_order[low:high][np.argsort(rank[in_order[low:high]])]
            clean = stop[own] - start[own] - (high - low)
            groups = 0
            bottom_size = 0
            base_of[turn] = groups_total
            if clean > 0:
                group_begin[groups_total] = group_end[groups_total] = -1
                group_size[groups_total] = clean
                groups = 1
                if internal >= 0:
                    bottom, bottom_size = _bottom_signature(own, members, start, stop, offsets, actions, targets, internal, block,
                                                            affected_mark, bottom)  # fmt: skip
            mask = 4
            while mask < 2 * (high - low):
                mask *= 2
            if mask > len(table):
                table = np.empty(mask, dtype=np.int64)
            table[:mask] = -1
            mask -= 1
            used = 0
            for place in range(low, high):
                state = in_order[place]
                begin = used
                pool, used = _signature(state, own, offsets, actions, targets, internal, block, affected_mark, sig_begin, sig_end,
                                        pool, used, bottom, bottom_size)  # fmt: skip
                work += offsets[state + 1] - offsets[state]
                slot = _find_group(pool, begin, used, table, mask, groups_total, group_begin, group_end)
                if table[slot] < 0:
                    table[slot] = groups
                    group = groups_total + groups
                    group_begin[group], group_end[group], group_size[group] = begin, used, 0
                    groups += 1
                else:
                    used = begin
                group = groups_total + table[slot]
                sig_begin[state], sig_end[state] = group_begin[group], group_end[group]
                group_of[state] = table[slot]
                group_size[group] += 1
            groups_of[turn] = groups
            groups_total += groups
        moved_count = 0
        for turn in range(touched_count):
            own = touched[turn]
            low = bucket_begin[own]
            high = low + bucket_size[own]
            bucket_size[own] = 0
            if groups_of[turn] <= 1:
                continue
            base = base_of[turn]
            clean = stop[own] - start[own] - (high - low)
            _arrange(in_order, low, high, group_of, group_size, base, groups_of[turn], clean, own, start, stop, members, place_of,
                     group_start, by_group)  # fmt: skip
            largest = 0
            for group in range(groups_of[turn]):
                if group_size[base + group] > group_size[base + largest]:
                    largest = group
            for group in range(groups_of[turn]):
                if group == largest:
                    continue
                start[blocks] = group_start[base + group]
                stop[blocks] = start[blocks] + group_size[base + group]
                parent[blocks], level[blocks] = own, number
                for place in range(start[blocks], stop[blocks]):
                    block[members[place]] = blocks
                    moved[moved_count] = members[place]
                    moved_count += 1
                blocks += 1
            start[own] = group_start[base + largest]
            stop[own] = start[own] + group_size[base + largest]
        for place in range(count):
            affected_mark[affected[place]] = False
        for place in range(moved_count):
            work += back_offsets[moved[place] + 1] - back_offsets[moved[place]]
        waiting_count = _disturbed(moved, moved_count, offsets, actions, targets, back_offsets, back_actions, back_sources,
                                   internal, block, parent, level, number, start, stop, mark, waiting)  # fmt: skip
    counters[0], counters[1], counters[2] = blocks, waiting_count, number
    counters[3] += work
    return bool(waiting_count == 0)
