"""Rounds of refinement: all states that are not alone in their block get new blocks, by block and signature.

Reference: Blom and Orzan, A distributed algorithm for strong bisimulation reduction of state spaces, 2005.
Symbols:   –
Invariant: two states in different blocks are not bisimilar. Blocks below `frozen` are final: the states in them are known, or
           alone; the states in the others are in `active`.
Deviates:  ends when a round moves so few states, other than with the largest part of a block, that it is cheaper to look only
           at their predecessors.
Cost:      O(m) for each round, in the order of the states in memory.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined
from coarsest._kernels.key_table import Hashes, Numbers, numbered
from coarsest._kernels.memory import prefetch_row, room, scattered
from coarsest._kernels.partition.signature_hash import (
    BLOCKS,
    FEW,
    LIMIT,
    OFTEN,
    ROUNDS,
    STOP,
    WORK,
    Progress,
    Rows,
    keyed,
    pair,
    room_for_pairs,
    sum_of_different,
)

SIGN, MARK, SIGN_ALONE = 5.0, 12.0, 4.0
"""Costs, in terms of a look at a transition in a round: of a state in a round; of marking a dirty state; of a look at one of its
transitions. They were measured: marking and looking here and there miss the cache, a round goes through memory in order."""


@inlined
def refine_in_rounds(
    rows: Rows, blocks: Numbers, active: Numbers, frozen: int, count: int, salt: np.uint64, moved: NDArray[np.bool_],
    progress: Progress,
) -> tuple[int, int, int, bool]:  # fmt: skip
    """How many states remain active, how many blocks are frozen, how many there are, and is the partition stable?

    If it is not, `moved` holds the states whose block changed, all but the largest part of each old block.
    """
    number = len(active)
    keys = room(number, np.uint64)
    fresh_of = room(number, blocks.dtype)
    plain = np.zeros(len(blocks), dtype=np.bool_)
    while True:
        work = _sign(active[:number], rows, blocks, salt, keys, plain, progress)
        if progress[STOP]:
            return number, frozen, count, False
        fresh = numbered(keys[:number], fresh_of)
        progress[ROUNDS] += 1
        progress[WORK] += work
        progress[BLOCKS] = frozen + fresh
        if fresh == count - frozen:
            return number, frozen, count, True
        sizes = np.zeros(fresh, dtype=blocks.dtype)
        for at in range(number):
            sizes[fresh_of[at]] += 1
        degree = work / number
        least = number * (SIGN + degree) / (degree * (MARK + SIGN_ALONE * degree)) if work else 0.0
        few = _note_moves(blocks, active, number, frozen, count, fresh_of, sizes, least, moved)
        number, frozen, count = _rename(blocks, active, number, frozen, fresh_of, sizes)
        if few or number == 0:
            return number, frozen, count, number == 0
        if 0 < progress[LIMIT] < progress[WORK]:
            moved[:] = True
            return number, frozen, count, False


@inlined
def _sign(
    active: Numbers, rows: Rows, blocks: Numbers, salt: np.uint64, keys: Hashes, plain: NDArray[np.bool_], progress: Progress
) -> int:  # fmt: skip
    """The keys of active states by their signatures and blocks; how many transitions have they?

    States whose pairs are all different become `plain`: they stay so, for blocks are only split.
    """
    offsets, actions, targets = rows.offsets, rows.actions, rows.targets
    pairs, seen = room_for_pairs(offsets)
    known = len(active) if scattered(offsets, targets, blocks) else 0
    work = 0
    for at in range(len(active)):
        if at % OFTEN == 0 and progress[STOP]:
            break
        prefetch_row(active, at, known, offsets, targets, blocks)
        state = active[at]
        begin, degree, total = offsets[state], offsets[state + 1] - offsets[state], np.uint64(0)
        for index in range(degree):
            pairs[index] = pair(actions[begin + index], blocks[targets[begin + index]], salt)
            total += pairs[index]
        if not plain[state]:
            different = sum_of_different(pairs, degree, seen)
            plain[state] = degree <= FEW and _all_differ(pairs, degree) if different == total else False
            total = different
        keys[at] = keyed(total, blocks[state])
        work += degree
    return work


@inlined
def _all_differ(pairs: Hashes, number: int) -> bool:
    """Are the first pairs all different? (That their sums say so is no proof.)"""
    for at in range(number):
        for before in range(at):
            if pairs[before] == pairs[at]:
                return False
    return True


@inlined
def _note_moves(
    blocks: Numbers, active: Numbers, number: int, frozen: int, count: int, fresh_of: Numbers, sizes: Numbers,
    least: float, moved: NDArray[np.bool_],
) -> bool:  # fmt: skip
    """Do fewer states than `least` leave the largest part of their old block? Then they are noted."""
    old_of = np.empty(len(sizes), dtype=blocks.dtype)
    for at in range(number):
        old_of[fresh_of[at]] = blocks[active[at]] - frozen
    largest = np.full(count - frozen, -1, dtype=blocks.dtype)
    for block in range(len(sizes)):
        if largest[old_of[block]] < 0 or sizes[block] > sizes[largest[old_of[block]]]:
            largest[old_of[block]] = block
    staying = 0
    for block in range(len(largest)):
        staying += sizes[largest[block]]
    if number - staying >= least:
        return False
    for at in range(number):
        moved[active[at]] = largest[old_of[fresh_of[at]]] != fresh_of[at]
    return True


@inlined
def _rename(
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
