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

from typing import Final

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import inlined
from coarsest._kernels.key_table import Hashes, Numbers, numbered
from coarsest._kernels.memory import prefetch_row, room, scattered
from coarsest._kernels.partition.signature_hash import (
    COMPARED_PAIRS,
    STATES_BETWEEN_LOOKS,
    Progress,
    TwoWayRows,
    keyed,
    pair,
    room_for_pairs,
    sum_of_different,
)
from coarsest._kernels.progress import BLOCKS, LIMIT, ROUNDS, STOP, WORK

COST_OF_A_STATE: Final = 5.0
"""The cost of a state in a round, where a look at a transition costs 1. A round goes through memory in order."""
COST_OF_A_MARK: Final = 12.0
"""The cost of marking a state as dirty, which misses the cache."""
COST_OF_A_LONE_LOOK: Final = 4.0
"""The cost of a look at a transition of a dirty state, which misses the cache as well."""


@inlined
def refine_in_rounds(
    rows: TwoWayRows, blocks: Numbers, active: Numbers, frozen: int, count: int, salt: np.uint64, moved: NDArray[np.bool_],
    progress: Progress,
) -> tuple[int, int, int, bool]:  # fmt: skip
    """Returns how many states remain active, how many blocks are frozen, how many there are, and whether the partition is stable.

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
        least = number * (COST_OF_A_STATE + degree) / (degree * (COST_OF_A_MARK + COST_OF_A_LONE_LOOK * degree)) if work else 0.0
        few = _note_moves(blocks, active, number, frozen, count, fresh_of, sizes, least, moved)
        number, frozen, count = _rename(blocks, active, number, frozen, fresh_of, sizes)
        if few or number == 0:
            return number, frozen, count, number == 0
        if 0 < progress[LIMIT] < progress[WORK]:
            moved[:] = True
            return number, frozen, count, False


@inlined
def _sign(
    active: Numbers, rows: TwoWayRows, blocks: Numbers, salt: np.uint64, keys: Hashes, plain: NDArray[np.bool_],
    progress: Progress,
) -> int:  # fmt: skip
    """Write the keys of active states by their signatures and blocks. Returns how many transitions these states have.

    States whose pairs are all different become `plain`, and stay so, because blocks are only ever split.
    """
    offsets, actions, targets = rows.offsets, rows.actions, rows.targets
    pairs, seen = room_for_pairs(offsets)
    known = len(active) if scattered(offsets, targets, blocks) else 0
    work = 0
    for at in range(len(active)):
        if at % STATES_BETWEEN_LOOKS == 0 and progress[STOP]:
            break
        prefetch_row(active, at, known, offsets, targets, blocks)
        state = active[at]
        begin, degree, total = offsets[state], offsets[state + 1] - offsets[state], np.uint64(0)
        for index in range(degree):
            pairs[index] = pair(actions[begin + index], blocks[targets[begin + index]], salt)
            total += pairs[index]
        if not plain[state]:
            different = sum_of_different(pairs, degree, seen)
            plain[state] = degree <= COMPARED_PAIRS and _all_differ(pairs, degree) if different == total else False
            total = different
        keys[at] = keyed(total, blocks[state])
        work += degree
    return work


@inlined
def _all_differ(pairs: Hashes, number: int) -> bool:
    """Are the first pairs all different? (Equal sums are no proof of it.)"""
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
    """Are fewer states than `least` outside the largest part of their old block? Then they are noted in `moved`."""
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
    """Renumber the blocks, those of one state first: these are final, and their states no longer active."""
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
