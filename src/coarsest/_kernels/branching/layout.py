"""Where the states of blocks are, and a queue of states to be looked at: parts of the kernel for branching bisimulation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined
from coarsest._kernels.key_table import Numbers
from coarsest._kernels.sorting import put_in_order


class BlockLayout(NamedTuple):
    """The states of block b are at `first[b]` to `end[b]` of `order`: clean ones with inert transitions, then from `bottom[b]` on
    clean bottom states, then from `dirty[b]` on dirty states. `place` is the inverse of `order`;
    `waiting` lists the blocks with dirty states in a circle."""

    first: Numbers
    bottom: Numbers
    dirty: Numbers
    end: Numbers
    order: Numbers
    place: Numbers
    waiting: Numbers
    is_bottom: NDArray[np.bool_]


class Queue(NamedTuple):
    """States of a block to be looked at, smallest first: those in order, and a heap of those that came later; `looked_at` lists
    the states that were."""

    in_order: Numbers
    heap: Numbers
    looked_at: Numbers
    queued: NDArray[np.bool_]


@inlined
def laid_out(blocks: Numbers, count: int) -> BlockLayout:
    """All states are dirty at first, and all blocks are waiting."""
    kind, states = blocks.dtype, len(blocks)
    first, end, waiting = np.zeros(states + 1, kind), np.zeros(states + 1, kind), np.empty(states + 1, kind)
    order, place = np.empty(states, kind), np.empty(states, kind)
    for state in range(states):
        end[blocks[state]] += 1
    total = 0
    for block in range(count):
        first[block] = total
        total += end[block]
        end[block] = first[block]
        waiting[block] = block
    for state in range(states):
        order[end[blocks[state]]] = state
        place[state] = end[blocks[state]]
        end[blocks[state]] += 1
    return BlockLayout(first, first.copy(), first.copy(), end, order, place, waiting, np.zeros(states, np.bool_))


@inlined
def _swap(one: int, other: int, order: Numbers, place: Numbers) -> None:
    first, second = order[one], order[other]
    order[one], order[other] = second, first
    place[first], place[second] = other, one


@inlined
def to_dirty(state: int, block: int, bottom: Numbers, dirty: Numbers, order: Numbers, place: Numbers) -> bool:
    """Move a state to the dirty states of its block. Returns False if it is there already."""
    where = place[state]
    if where >= dirty[block]:
        return False
    if where < bottom[block]:
        bottom[block] -= 1
        _swap(where, bottom[block], order, place)
        where = bottom[block]
    dirty[block] -= 1
    _swap(where, dirty[block], order, place)
    return True


@inlined
def to_clean(block: int, is_bottom: NDArray[np.bool_], bottom: Numbers, dirty: Numbers, order: Numbers, place: Numbers) -> None:
    """Move the first of the dirty states of a block to the clean ones."""
    where = dirty[block]
    if not is_bottom[order[where]]:
        _swap(where, bottom[block], order, place)
        bottom[block] += 1
    dirty[block] += 1


@inlined
def push(state: int, heap: Numbers, size: int) -> int:
    at = size
    while at > 0 and heap[(at - 1) // 2] > state:
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = state
    return size + 1


@inlined
def pop(heap: Numbers, size: int) -> int:
    """Remove the smallest state and return it."""
    smallest, last = int(heap[0]), heap[size - 1]
    at = 0
    while 2 * at + 1 < size - 1:
        child = 2 * at + 1
        if child + 1 < size - 1 and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= last:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = last
    return smallest


@inlined
def queue_dirty(block: int, layout: BlockLayout, queue: Queue) -> int:
    """Put the dirty states of a block in order. Returns their number."""
    begin, number = int(layout.dirty[block]), int(layout.end[block] - layout.dirty[block])
    states = queue.in_order
    for at in range(number):
        states[at] = layout.order[begin + at]
        queue.queued[states[at]] = True
    put_in_order(states, 0, number)
    return number
