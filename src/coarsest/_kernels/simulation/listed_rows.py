"""The greatest simulation between states, compiled, where few states are above each: their numbers are listed, in order.

The transitions of state s lie at `offsets[s]` to `offsets[s + 1]` of `actions` and `targets`, in the order of their actions, and
those into it at `before_offsets[s]` to `before_offsets[s + 1]` of `before`, by their numbers; `sources` has where they begin. The
states above s lie at `begin[s]` to `begin[s] + size[s]` of `pool`. As long as `begin[s]` is negative, they have not been listed,
and are the members of the blocks above that of s: `block` numbers these, bit C of row B of `above` says that C is above B, and
the states of block B lie at `member_offsets[B]` to `member_offsets[B + 1]` of `members`. `bound` has, for each state, how many
states may have to be looked at to list those above it.

States wait for their turn in queues, one for each number of digits of that bound: `head` has the first state of each queue,
`links` the next and the last one of each state, and `level` the queue of each, or -1. `ticks` has when the states above each were
looked at, and when they became fewer, and `stamp` when each state was last a candidate. `counters` has the time, how much of the
pool is used, and how many candidates have been looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.sorting import copy_into, put_in_order

Array = Any


@inlined
def lists(number: int, low: int, last: int, pool: Array) -> bool:
    """Is a number in this part of the pool?"""
    high = last
    while low < high:
        middle = (low + high) >> 1
        if pool[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low < last and pool[low] == number


@inlined
def _is_above(other: int, state: int, block: Array, above: Array, begin: Array, size: Array, pool: Array) -> bool:
    if begin[state] >= 0:
        return lists(other, begin[state], begin[state] + size[state], pool)
    column = block[other]
    return bool((above[block[state], column >> 6] >> np.uint64(column & 63)) & np.uint64(1))


@inlined
def _answers(
    other: int, edge: int, offsets: Array, actions: Array, targets: Array, block: Array, above: Array, begin: Array, size: Array,
    pool: Array,
) -> bool:  # fmt: skip
    """Has a state a transition with the action of another transition, to a state above the target of that?"""
    low, high, action = offsets[other], offsets[other + 1], actions[edge]
    last = high
    while low < high:
        middle = (low + high) >> 1
        if actions[middle] < action:
            low = middle + 1
        else:
            high = middle
    while low < last and actions[low] == action:
        if _is_above(targets[low], targets[edge], block, above, begin, size, pool):
            return True
        low += 1
    return False


@inlined
def _wait(state: int, amount: int, head: Array, links: Array, level: Array) -> None:
    """Put a state into the queue for this amount, unless it waits in that of a smaller one."""
    digits = 0
    while amount >> digits:
        digits += 1
    if level[state] >= 0:
        if level[state] <= digits:
            return
        _leave(state, head, links, level)
    links[0, state], links[1, state] = head[digits], -1
    if head[digits] >= 0:
        links[1, head[digits]] = state
    head[digits] = state
    level[state] = digits


@inlined
def _leave(state: int, head: Array, links: Array, level: Array) -> None:
    following, preceding = links[0, state], links[1, state]
    if preceding >= 0:
        links[0, preceding] = following
    else:
        head[level[state]] = following
    if following >= 0:
        links[1, following] = preceding
    level[state] = -1


@inlined
def _candidates(
    state: int, offsets: Array, actions: Array, targets: Array, before_offsets: Array, before: Array, sources: Array,
    block: Array, above: Array, member_offsets: Array, members: Array, bound: Array, begin: Array, size: Array, pool: Array,
    now: int, stamp: Array, candidates: Array,
) -> int:  # fmt: skip
    """List states among which are all that are above one: those that may answer one of its transitions, or those of the blocks
    above its own, whichever are fewer. Returns their number."""
    least, through, count = bound[state], -1, 0
    for edge in range(offsets[state], offsets[state + 1]):
        target = targets[edge]
        if begin[target] >= 0:
            effort = 0
            for place in range(begin[target], begin[target] + size[target]):
                effort += before_offsets[pool[place] + 1] - before_offsets[pool[place]]
                if effort >= least:
                    break
            if effort < least:
                least, through = effort, edge
    if through < 0:
        for word in range(above.shape[1]):
            bits, number = above[block[state], word], 64 * word
            while bits:
                if bits & np.uint64(1):
                    for place in range(member_offsets[number], member_offsets[number + 1]):
                        candidates[count] = members[place]
                        count += 1
                bits >>= np.uint64(1)
                number += 1
        return count
    row = block[state]
    for place in range(begin[targets[through]], begin[targets[through]] + size[targets[through]]):
        for at in range(before_offsets[pool[place]], before_offsets[pool[place] + 1]):
            source = sources[before[at]]
            if actions[before[at]] == actions[through] and stamp[source] != now:
                stamp[source] = now
                column = block[source]
                if (above[row, column >> 6] >> np.uint64(column & 63)) & np.uint64(1):
                    candidates[count] = source
                    count += 1
    return count


@inlined
def _able(
    state: int, candidates: Array, count: int, since: int, ticks: Array, offsets: Array, actions: Array, targets: Array,
    block: Array, above: Array, begin: Array, size: Array, pool: Array,
) -> int:  # fmt: skip
    """Keep, of the first `count` states, those that answer the transitions to states above which there are fewer
    than at some time. Returns their number."""
    for edge in range(offsets[state], offsets[state + 1]):
        if ticks[1, targets[edge]] >= since:
            able = 0
            for place in range(count):
                if _answers(candidates[place], edge, offsets, actions, targets, block, above, begin, size, pool):
                    candidates[able] = candidates[place]
                    able += 1
            count = able
    return count


@inlined
def _list_for_the_first_time(
    state: int, offsets: Array, actions: Array, targets: Array, before_offsets: Array, before: Array, sources: Array,
    block: Array, above: Array, member_offsets: Array, members: Array, bound: Array, begin: Array, size: Array, pool: Array,
    ticks: Array, stamp: Array, counters: Array, candidates: Array,
) -> bool:  # fmt: skip
    """List the states above one at the end of the pool. Returns whether they have room there."""
    count = _candidates(
        state, offsets, actions, targets, before_offsets, before, sources, block, above, member_offsets, members, bound, begin,
        size, pool, counters[0], stamp, candidates,
    )  # fmt: skip
    counters[2] += count + above.shape[1] // 64
    count = _able(state, candidates, count, 0, ticks, offsets, actions, targets, block, above, begin, size, pool)
    if counters[1] + count > len(pool):
        return False
    put_in_order(candidates, 0, count)
    copy_into(pool, counters[1], candidates, 0, count)
    begin[state], size[state] = counters[1], count
    counters[1] += count
    return True


@inlined
def _struck_out(
    state: int, candidates: Array, ticks: Array, offsets: Array, actions: Array, targets: Array, block: Array, above: Array,
    begin: Array, size: Array, pool: Array,
) -> bool:  # fmt: skip
    """Strike out those above a state that cannot answer any more. Returns whether there are any."""
    copy_into(candidates, 0, pool, begin[state], begin[state] + size[state])  # the state may be its own successor
    since = ticks[0, state]
    count = _able(state, candidates, size[state], since, ticks, offsets, actions, targets, block, above, begin, size, pool)
    is_shorter = count < size[state]
    copy_into(pool, begin[state], candidates, 0, count)
    size[state] = count
    return bool(is_shorter)


@inlined
def _wake(
    state: int, before_offsets: Array, before: Array, sources: Array, bound: Array, begin: Array, size: Array, pool: Array,
    head: Array, links: Array, level: Array,
) -> None:  # fmt: skip
    """Have the sources of the transitions into a state wait, as there are fewer states above it now."""
    amount = 0
    for place in range(begin[state], begin[state] + size[state]):
        amount += before_offsets[pool[place] + 1] - before_offsets[pool[place]]
    for at in range(before_offsets[state], before_offsets[state + 1]):
        source = sources[before[at]]
        _wait(source, min(amount, bound[source]) if begin[source] < 0 else size[source], head, links, level)


@compiled
def refine_listed(
    offsets: Array, actions: Array, targets: Array, before_offsets: Array, before: Array, sources: Array, block: Array,
    above: Array, member_offsets: Array, members: Array, bound: Array, begin: Array, size: Array, pool: Array, head: Array,
    links: Array, level: Array, ticks: Array, stamp: Array, counters: Array, budget: int,
) -> int:  # fmt: skip
    """List the states above each and strike out those that cannot answer, until no state waits. Returns 0 then, 1 after about
    `budget` steps, and 2 if the pool is full."""
    candidates = np.empty(len(begin), dtype=pool.dtype)
    lowest, enough = 0, counters[2] + budget
    if counters[0] == 0:
        for state in range(len(begin)):
            _wait(state, bound[state], head, links, level)
    while counters[2] < enough:
        while lowest < len(head) and head[lowest] < 0:
            lowest += 1
        if lowest == len(head):
            return 0
        state = head[lowest]
        counters[0] += 1
        if begin[state] < 0:
            if not _list_for_the_first_time(
                state, offsets, actions, targets, before_offsets, before, sources, block, above, member_offsets, members, bound,
                begin, size, pool, ticks, stamp, counters, candidates,
            ):  # fmt: skip
                return 2
            fewer = True
        else:
            counters[2] += size[state]
            fewer = _struck_out(state, candidates, ticks, offsets, actions, targets, block, above, begin, size, pool)
        _leave(state, head, links, level)
        ticks[0, state] = counters[0]
        counters[2] += 1
        if fewer:
            ticks[1, state] = counters[0]
            _wake(state, before_offsets, before, sources, bound, begin, size, pool, head, links, level)
            lowest = 0
    return 1


@compiled
def gather_classes(begin: Array, size: Array, pool: Array, block: Array) -> int:
    """Number the classes of states above each other in `block`, and put the classes above each in the place of the states above
    its first state; `begin` and `size` become those of the classes. Returns their number."""
    count = 0
    for state in range(len(begin)):
        block[state] = -1
        for place in range(begin[state], begin[state] + size[state]):
            other = pool[place]
            if other >= state:
                break
            if lists(state, begin[other], begin[other] + size[other], pool):
                block[state] = block[other]
                break
        if block[state] < 0:
            block[state] = count
            count += 1
    first = np.empty(count, dtype=np.int64)
    for state in range(len(begin) - 1, -1, -1):
        first[block[state]] = state
    for number in range(count):
        state = first[number]
        last = begin[state]
        for place in range(begin[state], begin[state] + size[state]):
            other = pool[place]
            if first[block[other]] == other:
                pool[last] = block[other]
                last += 1
        begin[number], size[number] = begin[state], last - begin[state]
    return count
