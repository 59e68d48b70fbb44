"""The greatest simulation, compiled: refinement of a partition and of a relation between its blocks.

The transitions of a state with one action are a group: `group_offsets` tells where its targets lie in `targets`, `group_source`
and `group_action` whose they are; groups with action a lie at `by_action[action_offsets[a]]` to `by_action[action_offsets[a +
1]]`, and those with a transition into state t at `back_groups[back_offsets[t]]` to `back_groups[back_offsets[t + 1]]`. `block`
numbers the block of each state, and `counters[0]` is the number of blocks. Bit C of row B of `above` says that states of C may
simulate states of B; bit C of row B of `pending` says that this was given up, and that what follows from it has not been looked
at. These four are changed in place or returned as longer arrays, so that the work can go on later.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.sorting import copy_into

Array = Any

ONE = np.uint64(1)
LOW = np.uint64(63)


@inlined
def _has(rows: Array, row: int, column: int) -> bool:
    return bool((rows[row, column >> 6] >> (np.uint64(column) & LOW)) & ONE)


@inlined
def _members_of(rows: Array, row: int, words: int, found: Array) -> int:
    """List the columns whose bits are set in a row. Returns their number."""
    count = 0
    for word in range(words):
        bits = rows[row, word]
        place = 64 * word
        while bits:
            if bits & np.uint64(0xFFFF) == 0:
                bits >>= np.uint64(16)
                place += 16
                continue
            if bits & ONE:
                found[count] = place
                count += 1
            bits >>= ONE
            place += 1
    return count


@inlined
def _with_room(rows: Array, used: int, wanted: int, most: int) -> Array:
    """The rows, or a larger copy with room for `wanted` blocks."""
    if wanted <= rows.shape[0]:
        return rows
    size = min(most, max(wanted, used + used // 2))
    larger = np.zeros((size, (size + 63) // 64), dtype=np.uint64)
    for row in range(used):
        copy_into(larger[row], 0, rows[row], 0, rows.shape[1])
    return larger


@inlined
def _copy_columns(rows: Array, count: int, old: Array, new: Array, splits: int) -> None:
    """Relate other blocks to a new block as to the block from which it was split."""
    for row in range(count):
        for place in range(splits):
            if _has(rows, row, old[place]):
                rows[row, new[place] >> 6] |= ONE << (np.uint64(new[place]) & LOW)


@inlined
def _split(
    leaving: Array, low: int, high: int, block: Array, members: Array, place_of: Array, start: Array, stop: Array, cut: Array,
    touched: Array, old: Array, new: Array, whole: Array, blocks: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Split all blocks by a set of states. `whole` becomes the blocks that make up the set. Returns their number, the number of
    splits, and the number of blocks."""
    touched_count = 0
    for place in range(low, high):
        state = leaving[place]
        number = block[state]
        if cut[number] == 0:
            touched[touched_count] = number
            touched_count += 1
        target = start[number] + cut[number]
        other = members[target]
        members[place_of[state]] = other
        place_of[other] = place_of[state]
        members[target] = state
        place_of[state] = target
        cut[number] += 1
    splits = 0
    for place in range(touched_count):
        number = touched[place]
        if cut[number] == stop[number] - start[number]:
            whole[place] = number
        else:
            start[blocks] = start[number]
            stop[blocks] = start[number] + cut[number]
            start[number] = stop[blocks]
            for position in range(start[blocks], stop[blocks]):
                block[members[position]] = blocks
            old[splits], new[splits] = number, blocks
            splits += 1
            whole[place] = blocks
            blocks += 1
        cut[number] = 0
    return touched_count, splits, blocks


@inlined
def _answers(group: int, row: int, group_offsets: Array, targets: Array, block: Array, above: Array) -> bool:
    """Does a group lead to a block above that of the row?"""
    for edge in range(group_offsets[group], group_offsets[group + 1]):  # noqa: SIM110
        if _has(above, row, block[targets[edge]]):
            return True
    return False


@inlined
def _is_news(group: int, row: int, group_offsets: Array, targets: Array, block: Array, pending: Array) -> bool:
    """Does a group lead to a block that was given up?"""
    for edge in range(group_offsets[group], group_offsets[group + 1]):  # noqa: SIM110
        if _has(pending, row, block[targets[edge]]):
            return True
    return False


@inlined
def _unable_groups(
    own: int, blocks: int, in_actions: Array, in_action_count: int, in_count: Array, action_offsets: Array, by_action: Array,
    group_offsets: Array, group_action: Array, targets: Array, back_offsets: Array, back_groups: Array, block: Array,
    members: Array, start: Array, stop: Array, above: Array, pending: Array, stamp: Array, tick: int, column: Array,
    unable: Array,
) -> tuple[int, int]:  # fmt: skip
    """List the groups whose last transitions to states above `own` were given up. Returns their number, and the work. It tries
    either the groups with actions that lead into `own`, or those that lead into what was given up, whichever are fewer."""
    by_actions = 0
    for place in range(in_action_count):
        by_actions += action_offsets[in_actions[place] + 1] - action_offsets[in_actions[place]]
    by_targets = 0
    given_up = _members_of(pending, own, (blocks + 63) // 64, column)
    for turn in range(given_up):
        for place in range(start[column[turn]], stop[column[turn]]):
            by_targets += back_offsets[members[place] + 1] - back_offsets[members[place]]
        if by_targets > by_actions:
            break
    found = 0
    work = by_actions
    if by_actions < by_targets:
        for place in range(in_action_count):
            for position in range(action_offsets[in_actions[place]], action_offsets[in_actions[place] + 1]):
                group = by_action[position]
                work += 1
                if not _answers(group, own, group_offsets, targets, block, above) and _is_news(
                    group, own, group_offsets, targets, block, pending
                ):
                    unable[found] = group
                    found += 1
        return found, work
    for turn in range(given_up):
        for place in range(start[column[turn]], stop[column[turn]]):
            for edge in range(back_offsets[members[place]], back_offsets[members[place] + 1]):
                group = back_groups[edge]
                work += 1
                if stamp[group] == tick or in_count[group_action[group]] == 0:
                    continue
                stamp[group] = tick
                if not _answers(group, own, group_offsets, targets, block, above):
                    unable[found] = group
                    found += 1
    return found, work


@inlined
def _prune(
    row: int, whole: Array, whole_count: int, mask: Array, words: int, above: Array, pending: Array
) -> bool:
    """Give up that the row is below the blocks in `whole`; if these are many, `mask` has them as bits. Returns whether anything
    changed."""
    changed = False
    if whole_count < words:
        for place in range(whole_count):
            column = whole[place]
            bit = ONE << (np.uint64(column) & LOW)
            if above[row, column >> 6] & bit:
                above[row, column >> 6] ^= bit
                pending[row, column >> 6] |= bit
                changed = True
        return changed
    for word in range(words):
        gone = above[row, word] & mask[word]
        if gone:
            above[row, word] ^= gone
            pending[row, word] |= gone
            changed = True
    return changed


@inlined
def _layout(block: Array, blocks: int, start: Array, stop: Array, members: Array, place_of: Array) -> None:
    for state in range(len(block)):
        stop[block[state]] += 1
    position = 0
    for number in range(blocks):
        start[number] = position
        position += stop[number]
        stop[number] = start[number]
    for state in range(len(block)):
        place_of[state] = stop[block[state]]
        members[place_of[state]] = state
        stop[block[state]] += 1


@inlined
def _gather_by_action(
    items: Array, count: int, group_action: Array, amount: Array, begin: Array, seen: Array, gathered: Array, sources: Array
) -> int:
    """Sort the sources of groups by action; `amount` and `begin` become where those of each action lie. Returns the number of
    actions."""
    kinds = 0
    for place in range(count):
        action = group_action[items[place]]
        if amount[action] == 0:
            seen[kinds] = action
            kinds += 1
        amount[action] += 1
    position = 0
    for place in range(kinds):
        begin[seen[place]] = position
        position += amount[seen[place]]
        amount[seen[place]] = 0
    for place in range(count):
        action = group_action[items[place]]
        gathered[begin[action] + amount[action]] = sources[items[place]]
        amount[action] += 1
    return kinds


@inlined
def _push(queue: Array, queued: Array, line: Array, number: int) -> None:
    """Put a block at the end of the queue, which is a ring: `line` holds where it begins and how many wait."""
    queue[(line[0] + line[1]) % len(queue)] = number
    queued[number] = True
    line[1] += 1


@inlined
def _take_over(
    above: Array, pending: Array, before: int, old: Array, new: Array, splits: int, queue: Array, queued: Array, line: Array
) -> None:
    """Relate new blocks to all others as the blocks from which they were split."""
    _copy_columns(above, before, old, new, splits)
    _copy_columns(pending, before, old, new, splits)
    for place in range(splits):
        above[new[place]] = above[old[place]]
        pending[new[place]] = pending[old[place]]
        if queued[old[place]]:
            _push(queue, queued, line, new[place])


@inlined
def _prune_all(
    sources: Array, low: int, high: int, block: Array, whole: Array, whole_count: int, words: int, above: Array, pending: Array,
    row_stamp: Array, tick: int, queue: Array, queued: Array, line: Array,
) -> int:  # fmt: skip
    """Give up that the blocks of some states are below the blocks in `whole`. Returns the work."""
    mask = np.zeros(words if whole_count >= words else 0, dtype=np.uint64)
    if whole_count >= words:
        for place in range(whole_count):
            mask[whole[place] >> 6] |= ONE << (np.uint64(whole[place]) & LOW)
    work = 0
    for place in range(low, high):
        row = block[sources[place]]
        if row_stamp[row] != tick:
            row_stamp[row] = tick
            work += min(words, whole_count) >> 2
            if _prune(row, whole, whole_count, mask, words, above, pending) and not queued[row]:
                _push(queue, queued, line, row)
    return work


@inlined
def _entering(
    own: int, start: Array, stop: Array, members: Array, back_offsets: Array, back_groups: Array, incoming: Array
) -> int:
    """List the groups with a transition into a block. Returns their number."""
    count = 0
    for place in range(start[own], stop[own]):
        for edge in range(back_offsets[members[place]], back_offsets[members[place] + 1]):
            incoming[count] = back_groups[edge]
            count += 1
    return count


@compiled
def refine_simulation(
    group_offsets: Array, group_source: Array, group_action: Array, targets: Array, action_offsets: Array, by_action: Array,
    back_offsets: Array, back_groups: Array, block: Array, above: Array, pending: Array, counters: Array, budget: int,
    most: int,
) -> tuple[bool, Array, Array]:  # fmt: skip
    """Refine until nothing is pending, until about `budget` groups have been looked at, or until there are `most` blocks. Returns
    whether it is finished, and the relation."""
    states, groups, actions = len(block), len(group_source), len(action_offsets) - 1
    blocks = counters[0]
    start, stop = np.zeros(states + 1, dtype=np.int64), np.zeros(states + 1, dtype=np.int64)
    members, place_of = np.empty(states, dtype=np.int64), np.empty(states, dtype=np.int64)
    _layout(block, blocks, start, stop, members, place_of)
    cut, touched, whole = np.zeros(states, dtype=np.int64), np.empty(states, dtype=np.int64), np.empty(states, dtype=np.int64)
    old, new, column = np.empty(states, dtype=np.int64), np.empty(states, dtype=np.int64), np.empty(states, dtype=np.int64)
    stamp, row_stamp = np.zeros(groups, dtype=np.int64), np.zeros(states + 1, dtype=np.int64)
    incoming, in_sources = np.empty(len(back_groups), dtype=np.int64), np.empty(len(back_groups), dtype=np.int64)
    unable, unable_sources = np.empty(groups, dtype=np.int64), np.empty(groups, dtype=np.int64)
    in_count, un_count = np.zeros(actions, dtype=np.int64), np.zeros(actions, dtype=np.int64)
    in_begin, un_begin = np.empty(actions, dtype=np.int64), np.empty(actions, dtype=np.int64)
    in_actions, un_actions = np.empty(actions, dtype=np.int64), np.empty(actions, dtype=np.int64)
    queue, queued, line = np.empty(states + 1, dtype=np.int64), np.zeros(states + 1, dtype=np.bool_), np.zeros(2, dtype=np.int64)
    for number in range(blocks):
        if pending[number].any():
            _push(queue, queued, line, number)
    work, tick = 0, 0
    while line[1] > 0 and work < budget and blocks < most:
        own = queue[line[0]]
        line[0] = (line[0] + 1) % (states + 1)
        line[1] -= 1
        queued[own] = False
        arriving = _entering(own, start, stop, members, back_offsets, back_groups, incoming)
        kinds = _gather_by_action(incoming, arriving, group_action, in_count, in_begin, in_actions, in_sources, group_source)
        tick += 1
        found, effort = _unable_groups(
            own, blocks, in_actions, kinds, in_count, action_offsets, by_action, group_offsets, group_action, targets,
            back_offsets, back_groups, block, members, start, stop, above, pending, stamp, tick, column, unable,
        )  # fmt: skip
        work += effort + arriving + blocks // 64 + 1
        pending[own, :] = 0
        un_kinds = _gather_by_action(unable, found, group_action, un_count, un_begin, un_actions, unable_sources, group_source)
        for kind in range(un_kinds):
            action, before = un_actions[kind], blocks
            whole_count, splits, blocks = _split(unable_sources, un_begin[action], un_begin[action] + un_count[action], block,
                members, place_of, start, stop, cut, touched, old, new, whole, blocks)  # fmt: skip
            above = _with_room(above, before, blocks, states)
            pending = _with_room(pending, before, blocks, states)
            if splits > 0:
                _take_over(above, pending, before, old, new, splits, queue, queued, line)
                work += splits * (before >> 4)
            tick += 1
            work += _prune_all(in_sources, in_begin[action], in_begin[action] + in_count[action], block, whole, whole_count,
                               (blocks + 63) // 64, above, pending, row_stamp, tick, queue, queued, line)  # fmt: skip
        for at in range(un_kinds):
            un_count[un_actions[at]] = 0
        for at in range(kinds):
            in_count[in_actions[at]] = 0
    counters[0] = blocks
    return line[1] == 0, above, pending
