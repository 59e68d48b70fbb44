"""The coarsest stable partition by signatures, looking again only at states with a changed successor.

Reference: Blom and Orzan, A distributed algorithm for strong bisimulation reduction of state spaces, 2005 (rounds);
           Jacobs and Wißmann, Fast coalgebraic bisimilarity minimization, 2023 (dirty states, the largest part keeps its number);
           Dovier, Piazza and Policriti, An efficient algorithm for computing bisimulation equivalence, 2004 (well-founded part).
Symbols:   the signature of a state is the set of pairs (action, block of the target) of its transitions.
Invariant: two states in different blocks are not bisimilar; the clean states of a block have one signature.
Deviates:  a signature is represented by the sum of the hashes of its pairs, 64 bits wide. Equal sums of different signatures
           leave a partition that is too coarse, which the caller finds when it builds the quotient. A round is followed by
           another while it moves many states, because looking at all states in order is faster than looking for those concerned.
Cost:      O(m) for the states without infinite paths and for each round; O(d) for every time that a state with d transitions
           becomes dirty, O(m d log n) in all for the largest d. Past a limit of work the kernel gives up.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined

Numbers = NDArray[np.signedinteger[Any]]
Hashes = NDArray[np.uint64]
Progress = NDArray[np.int64]

STOP, BLOCKS, WORK, ROUNDS, LIMIT = 0, 1, 2, 3, 4
"""The entries of `progress`: set by the caller to stop the kernel; blocks so far, transitions looked at, rounds; most work."""

GAVE_UP = -1
FEW = 12
OFTEN = 1 << 16
UNRESOLVED = -1


@inlined
def _mix(value: np.uint64) -> np.uint64:
    """A bijection that scatters its values."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@inlined
def _pair(action: int, block: int, seed: np.uint64) -> np.uint64:
    return _mix(((np.uint64(action) << np.uint64(32)) | np.uint64(block)) + seed)


@inlined
def _keyed(signature: np.uint64, block: int) -> np.uint64:
    """A key for states with the same signature in the same block, never 0."""
    return _mix(_mix(signature) + np.uint64(block)) | np.uint64(1)


@inlined
def _signature(
    state: int, offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers, seed: np.uint64, seen: Hashes
) -> np.uint64:
    """The hash of the signature of a state: the sum over its different pairs."""
    begin, end = offsets[state], offsets[state + 1]
    total = np.uint64(0)
    if end - begin <= FEW:
        for index in range(begin, end):
            pair = _pair(actions[index], blocks[targets[index]], seed)
            fresh = True
            for before in range(index - begin):
                if seen[before] == pair:
                    fresh = False
            seen[index - begin] = pair
            if fresh:
                total += pair
        return total
    size = 1
    while size < 2 * (end - begin):
        size *= 2
    mask = np.uint64(size - 1)
    seen[:size] = np.uint64(0)
    for index in range(begin, end):
        pair = _pair(actions[index], blocks[targets[index]], seed)
        slot = pair & mask
        while seen[slot] != np.uint64(0) and seen[slot] != pair:
            slot = (slot + np.uint64(1)) & mask
        if seen[slot] != pair:
            seen[slot] = pair
            total += pair
    return total


@inlined
def _room_for_pairs(offsets: Numbers) -> Hashes:
    most = FEW
    for state in range(len(offsets) - 1):
        most = max(most, offsets[state + 1] - offsets[state])
    size = 16
    while size < 2 * most:
        size *= 2
    return np.zeros(size, dtype=np.uint64)


@inlined
def _grown(keys: Hashes, values: Numbers) -> tuple[Hashes, Numbers]:
    """The same hash table in a larger one; an empty slot has the key 0."""
    more_keys = np.zeros(4 * len(keys), dtype=np.uint64)
    more_values = np.empty(4 * len(keys), dtype=values.dtype)
    mask = np.uint64(len(more_keys) - 1)
    for slot in range(len(keys)):
        if keys[slot] != np.uint64(0):
            place = keys[slot] & mask
            while more_keys[place] != np.uint64(0):
                place = (place + np.uint64(1)) & mask
            more_keys[place] = keys[slot]
            more_values[place] = values[slot]
    return more_keys, more_values


@inlined
def _find(key: np.uint64, keys: Hashes) -> np.uint64:
    mask = np.uint64(len(keys) - 1)
    slot = key & mask
    while keys[slot] != np.uint64(0) and keys[slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


# -- states without infinite paths: successors first, each class is known at once --------------------------------------------


@inlined
def _ordered_downwards(offsets: Numbers, targets: Numbers) -> bool:
    for state in range(len(offsets) - 1):
        for index in range(offsets[state], offsets[state + 1]):
            if targets[index] <= state:
                return False
    return True


@inlined
def _successors_first(offsets: Numbers, in_offsets: Numbers, in_sources: Numbers, order: Numbers) -> int:
    """Put the states without infinite paths into `order`, each after all its successors; how many are there?"""
    states = len(offsets) - 1
    missing = np.empty(states, dtype=order.dtype)
    found = 0
    for state in range(states):
        missing[state] = offsets[state + 1] - offsets[state]
        if missing[state] == 0:
            order[found] = state
            found += 1
    at = 0
    while at < found:
        state = order[at]
        at += 1
        for index in range(in_offsets[state], in_offsets[state + 1]):
            source = in_sources[index]
            missing[source] -= 1
            if missing[source] == 0:
                order[found] = source
                found += 1
    return found


@inlined
def _classify(
    offsets: Numbers, actions: Numbers, targets: Numbers, order: Numbers, found: int, labels: Numbers, blocks: Numbers,
    seed: np.uint64, progress: Progress,
) -> int:  # fmt: skip
    """Number the classes of the states in `order`; the number of classes."""
    seen = _room_for_pairs(offsets)
    keys = np.zeros(1 << 10, dtype=np.uint64)
    values = np.empty(1 << 10, dtype=blocks.dtype)
    classes = 0
    for at in range(found):
        state = order[at] if len(order) else found - 1 - at
        key = _keyed(_signature(state, offsets, actions, targets, blocks, seed, seen), labels[state])
        slot = _find(key, keys)
        if keys[slot] == np.uint64(0):
            keys[slot] = key
            values[slot] = classes
            classes += 1
            blocks[state] = classes - 1
            if 5 * classes > 3 * len(keys):
                keys, values = _grown(keys, values)
        else:
            blocks[state] = values[slot]
        if at % OFTEN == 0:
            progress[BLOCKS] = classes
            progress[WORK] += OFTEN
            if progress[STOP]:
                break
    return classes


# -- rounds over all states that are not yet alone in their block ------------------------------------------------------------


@inlined
def _rounds(
    offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers, active: Numbers, frozen: int, count: int,
    seed: np.uint64, moved: NDArray[np.bool_], progress: Progress,
) -> tuple[int, int, int, bool]:  # fmt: skip
    """Split all blocks by signatures until that moves few states.

    Blocks below `frozen` are final; the states of the others are in `active`. Gives how many states remain active, the two
    counts of blocks, and whether the partition is stable. If it is not, `moved` holds the states whose predecessors are dirty.
    """
    seen = _room_for_pairs(offsets)
    number = len(active)
    hashes = np.empty(number, dtype=np.uint64)
    fresh_of = np.empty(number, dtype=blocks.dtype)
    while True:
        work = 0
        for at in range(number):
            state = active[at]
            key = _signature(state, offsets, actions, targets, blocks, seed, seen)
            hashes[at] = _keyed(key, blocks[state])
            work += offsets[state + 1] - offsets[state]
            if at % OFTEN == 0 and progress[STOP]:
                return number, frozen, count, False
        keys = np.zeros(1 << 10, dtype=np.uint64)
        values = np.empty(1 << 10, dtype=blocks.dtype)
        fresh = 0
        for at in range(number):
            slot = _find(hashes[at], keys)
            if keys[slot] == np.uint64(0):
                keys[slot] = hashes[at]
                values[slot] = fresh
                fresh_of[at] = fresh
                fresh += 1
                if 5 * fresh > 3 * len(keys):
                    keys, values = _grown(keys, values)
            else:
                fresh_of[at] = values[slot]
        progress[ROUNDS] += 1
        progress[WORK] += work
        progress[BLOCKS] = frozen + fresh
        if fresh == count - frozen:
            return number, frozen, count, True
        sizes = np.zeros(fresh, dtype=blocks.dtype)
        old_of = np.empty(fresh, dtype=blocks.dtype)
        for at in range(number):
            sizes[fresh_of[at]] += 1
            old_of[fresh_of[at]] = blocks[active[at]] - frozen
        largest = np.full(count - frozen, -1, dtype=blocks.dtype)
        for block in range(fresh):
            if largest[old_of[block]] < 0 or sizes[block] > sizes[largest[old_of[block]]]:
                largest[old_of[block]] = block
        staying = 0
        for block in range(len(largest)):
            staying += sizes[largest[block]]
        few = 4 * (number - staying) < number
        if few:
            for at in range(number):
                moved[active[at]] = largest[old_of[fresh_of[at]]] != fresh_of[at]
        number, frozen, count = _renumber(blocks, active, number, frozen, fresh_of, sizes)
        if few or number == 0:
            return number, frozen, count, number == 0


@inlined
def _renumber(
    blocks: Numbers, active: Numbers, number: int, frozen: int, fresh_of: Numbers, sizes: Numbers
) -> tuple[int, int, int]:
    """Give blocks their new numbers, those of one state first: they are final and their states no longer active."""
    names = np.empty(len(sizes), dtype=blocks.dtype)
    single = 0
    for block in range(len(sizes)):
        if sizes[block] == 1:
            names[block] = frozen + single
            single += 1
    count = frozen + single
    for block in range(len(sizes)):
        if sizes[block] > 1:
            names[block] = count
            count += 1
    kept = 0
    for at in range(number):
        state = active[at]
        blocks[state] = names[fresh_of[at]]
        if sizes[fresh_of[at]] > 1:
            active[kept] = state
            kept += 1
    return kept, frozen + single, count


# -- only the states with a successor in a new block --------------------------------------------------------------------------


@inlined
def _dirty(
    offsets: Numbers, actions: Numbers, targets: Numbers, in_offsets: Numbers, in_sources: Numbers, blocks: Numbers,
    active: Numbers, frozen: int, count: int, moved: NDArray[np.bool_], seed: np.uint64, progress: Progress,
) -> tuple[bool, int]:  # fmt: skip
    """Split blocks with dirty states until there are none: is the partition stable, and how many blocks has it?

    The states of block b are at the places `first[b]` to `end[b]` of `order`; those from `dirty[b]` on are dirty.
    """
    kind = blocks.dtype
    number = len(active)
    first = np.empty(number + count - frozen + 1, dtype=kind)
    end = np.zeros(number + count - frozen + 1, dtype=kind)
    dirty = np.empty(number + count - frozen + 1, dtype=kind)
    waiting = np.empty(number + count - frozen + 1, dtype=kind)
    order = np.empty(number, dtype=kind)
    place = np.empty(len(blocks), dtype=kind)
    for at in range(number):
        end[blocks[active[at]] - frozen] += 1
    total = 0
    for block in range(count - frozen):
        first[block] = total
        total += end[block]
        end[block] = first[block]
    for at in range(number):
        block = blocks[active[at]] - frozen
        order[end[block]] = active[at]
        place[active[at]] = end[block]
        end[block] += 1
    for block in range(count - frozen):
        dirty[block] = end[block]
    tail = 0
    for target in range(len(blocks)):
        if moved[target]:
            for index in range(in_offsets[target], in_offsets[target + 1]):
                tail = _mark(in_sources[index], blocks, frozen, first, end, dirty, order, place, waiting, tail)
    seen = _room_for_pairs(offsets)
    widest = 1
    for block in range(count - frozen):
        widest = max(widest, end[block] - first[block])
    hashes = np.empty(widest + 1, dtype=np.uint64)
    part_of = np.empty(widest + 1, dtype=kind)
    sorted_states = np.empty(widest, dtype=kind)
    part_ends = np.empty(widest + 2, dtype=kind)
    keys = np.zeros(1 << 6, dtype=np.uint64)
    values = np.empty(1 << 6, dtype=kind)
    work = 0
    steps = 0
    while tail > 0:
        tail -= 1
        block = waiting[tail]
        steps += 1
        if steps % 256 == 0:
            progress[BLOCKS] = count
            progress[WORK] += work
            work = 0
            if progress[STOP] or (progress[LIMIT] and progress[WORK] > progress[LIMIT]):
                return False, count
        begin, middle, stop = first[block], dirty[block], end[block]
        clean = middle - begin
        # Part 0 is the part of the clean states, or of the first dirty state where all are dirty.
        lead = _signature(order[begin], offsets, actions, targets, blocks, seed, seen)
        same = True
        for at in range(middle, stop):
            state = order[at]
            hashes[at - middle] = _signature(state, offsets, actions, targets, blocks, seed, seen)
            work += offsets[state + 1] - offsets[state]
            if hashes[at - middle] != lead:
                same = False
        dirty[block] = stop
        if same:
            continue
        parts = 1
        part_ends[1] = clean
        if stop - middle <= 8:
            heads = keys  # a short list instead of a table
            heads[0] = lead
            for at in range(stop - middle):
                part = 0
                while part < parts and heads[part] != hashes[at]:
                    part += 1
                if part == parts:
                    heads[part] = hashes[at]
                    parts += 1
                    part_ends[parts] = 0
                part_of[at] = part
                part_ends[part + 1] += 1
        else:
            size = 64
            keys[:64] = np.uint64(0)
            slot = _find_within(lead | np.uint64(1), keys, size)
            keys[slot] = lead | np.uint64(1)
            values[slot] = 0
            for at in range(stop - middle):
                key = hashes[at] | np.uint64(1)
                slot = _find_within(key, keys, size)
                if keys[slot] == np.uint64(0):
                    keys[slot] = key
                    values[slot] = parts
                    parts += 1
                    part_ends[parts] = 0
                    if 2 * parts > size:
                        keys, values, size = _widened(keys, values, size)
                        slot = _find_within(key, keys, size)
                part_of[at] = values[slot]
                part_ends[values[slot] + 1] += 1
            if parts == 1:
                continue
        count, tail = _split(
            block, begin, middle, stop, parts, part_of, part_ends, sorted_states, blocks, frozen, count, first, end, dirty,
            order, place, in_offsets, in_sources, waiting, tail,
        )  # fmt: skip
    progress[BLOCKS] = count
    progress[WORK] += work
    return True, count


@inlined
def _find_within(key: np.uint64, keys: Hashes, size: int) -> np.uint64:
    mask = np.uint64(size - 1)
    slot = (key >> np.uint64(1)) & mask
    while keys[slot] != np.uint64(0) and keys[slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


@inlined
def _widened(keys: Hashes, values: Numbers, size: int) -> tuple[Hashes, Numbers, int]:
    """Twice as many slots in use; the arrays are kept for other blocks."""
    old_keys, old_values = keys[:size].copy(), values[:size].copy()
    if 4 * size > len(keys):
        keys = np.empty(4 * size, dtype=np.uint64)
        values = np.empty(4 * size, dtype=old_values.dtype)
    keys[: 4 * size] = np.uint64(0)
    for slot in range(size):
        if old_keys[slot] != np.uint64(0):
            place = _find_within(old_keys[slot], keys, 4 * size)
            keys[place] = old_keys[slot]
            values[place] = old_values[slot]
    return keys, values, 4 * size


@inlined
def _split(
    block: int, begin: int, middle: int, stop: int, parts: int, part_of: Numbers, part_ends: Numbers, sorted_states: Numbers,
    blocks: Numbers, frozen: int, count: int, first: Numbers, end: Numbers, dirty: Numbers, order: Numbers, place: Numbers,
    in_offsets: Numbers, in_sources: Numbers, waiting: Numbers, tail: int,
) -> tuple[int, int]:  # fmt: skip
    """Part k of a block has `part_ends[k + 1]` states, those of part 0 with the clean ones; the largest keeps the number."""
    clean = middle - begin
    largest = 0
    for part in range(1, parts):
        if part_ends[part + 1] > part_ends[largest + 1]:
            largest = part
    part_ends[0] = 0
    for part in range(parts):
        part_ends[part + 1] += part_ends[part]
    # Places are filled from the end of each part, so part_ends becomes the list of beginnings, one entry later.
    for at in range(stop - middle):
        sorted_states[at] = order[middle + at]
    for at in range(stop - middle - 1, -1, -1):
        part = part_of[at]
        part_ends[part + 1] -= 1
        where = begin + part_ends[part + 1]
        order[where] = sorted_states[at]
        place[sorted_states[at]] = where
    part_ends[1] -= clean  # the clean states lie where they were, before the rest of part 0
    part_ends[parts + 1] = stop - begin
    fresh_from = count
    for part in range(parts):
        low, high = begin + part_ends[part + 1], begin + part_ends[part + 2]
        name = block
        if part != largest:
            name = count - frozen
            count += 1
            for at in range(low, high):
                blocks[order[at]] = name + frozen
        first[name], end[name], dirty[name] = low, high, high
    for fresh in range(fresh_from, count):
        low, high = first[fresh - frozen], end[fresh - frozen]
        for at in range(low, high):
            sorted_states[at - begin] = order[at]  # marking may move states within the block
        for at in range(low, high):
            state = sorted_states[at - begin]
            for index in range(in_offsets[state], in_offsets[state + 1]):
                tail = _mark(in_sources[index], blocks, frozen, first, end, dirty, order, place, waiting, tail)
    return count, tail


@inlined
def _mark(
    state: int, blocks: Numbers, frozen: int, first: Numbers, end: Numbers, dirty: Numbers, order: Numbers, place: Numbers,
    waiting: Numbers, tail: int,
) -> int:  # fmt: skip
    """Make a state dirty, unless it is alone in its block."""
    block = blocks[state] - frozen
    if block < 0 or end[block] - first[block] == 1:
        return tail
    border = dirty[block]
    where = place[state]
    if where < border:
        if border == end[block]:
            waiting[tail] = block
            tail += 1
        other = order[border - 1]
        order[border - 1], order[where] = state, other
        place[state], place[other] = border - 1, where
        dirty[block] = border - 1
    return tail


@inlined
def _turned_round(offsets: Numbers, targets: Numbers) -> tuple[Numbers, Numbers]:
    """The sources of the transitions into each state."""
    states = len(offsets) - 1
    in_offsets = np.zeros(states + 1, dtype=offsets.dtype)
    in_sources = np.empty(len(targets), dtype=targets.dtype)
    for index in range(len(targets)):
        in_offsets[targets[index]] += 1
    for state in range(1, states + 1):
        in_offsets[state] += in_offsets[state - 1]
    for state in range(states):
        for index in range(offsets[state], offsets[state + 1]):
            target = targets[index]
            in_offsets[target] -= 1
            in_sources[in_offsets[target]] = state
    return in_offsets, in_sources


@inlined
def _active(blocks: Numbers, labels: Numbers, classes: int) -> tuple[Numbers, int]:
    """The states whose block is not yet known, put into blocks by their labels, from `classes` on."""
    number = 0
    largest = 0
    for state in range(len(blocks)):
        largest = max(largest, labels[state])
        if blocks[state] == UNRESOLVED:
            number += 1
    active = np.empty(number, dtype=blocks.dtype)
    names = np.full(largest + 1, -1, dtype=blocks.dtype)
    count = classes
    at = 0
    for state in range(len(blocks)):
        if blocks[state] == UNRESOLVED:
            if names[labels[state]] < 0:
                names[labels[state]] = count
                count += 1
            blocks[state] = names[labels[state]]
            active[at] = state
            at += 1
    return active, count


@inlined
def _in_order(blocks: Numbers, count: int) -> int:
    """Number the blocks in the order of their first states."""
    names = np.full(count, -1, dtype=blocks.dtype)
    used = 0
    for state in range(len(blocks)):
        if names[blocks[state]] < 0:
            names[blocks[state]] = used
            used += 1
        blocks[state] = names[blocks[state]]
    return used


@compiled
def coarsest_partition(
    offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers, progress: Progress, seed: int
) -> int:
    """Refine `blocks`, numbered from 0, to the coarsest stable partition; the number of blocks, or GAVE_UP.

    Blocks are numbered in the order of their first states. After giving up, by a limit or on request, `blocks` is a partition
    between the first and the stable one.
    """
    states = len(blocks)
    labels = blocks.copy()
    salt = _mix(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15))
    in_order = _ordered_downwards(offsets, targets)
    blocks[:] = UNRESOLVED
    if in_order:
        classes = _classify(offsets, actions, targets, blocks[:0], states, labels, blocks, salt, progress)
    else:
        in_offsets, in_sources = _turned_round(offsets, targets)
        order = np.empty(states, dtype=blocks.dtype)
        found = _successors_first(offsets, in_offsets, in_sources, order)
        classes = _classify(offsets, actions, targets, order[: max(found, 1)], found, labels, blocks, salt, progress)
    if progress[STOP]:
        blocks[:] = labels
        return GAVE_UP
    if in_order:
        return _in_order(blocks, classes)
    active, count = _active(blocks, labels, classes)
    moved = np.zeros(states, dtype=np.bool_)
    number, frozen, count, stable = _rounds(offsets, actions, targets, blocks, active, classes, count, salt, moved, progress)
    if not stable and not progress[STOP]:
        stable, count = _dirty(
            offsets, actions, targets, in_offsets, in_sources, blocks, active[:number], frozen, count, moved, salt, progress
        )
    count = _in_order(blocks, count)
    return count if stable else GAVE_UP
