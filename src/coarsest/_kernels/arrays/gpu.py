"""Rounds over arrays on a GPU: what CuPy is asked for, and how much memory a graph takes there."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.arrays.rounds import coarsest_partition
from coarsest._kernels.arrays.rows import (
    SHORT_ROW,
    Array,
    Arrays,
    cuts,
    grouped,
    is_repeated,
    narrowed,
    pair_hash,
    places_of,
    row_of,
    state_key,
)
from coarsest._kernels.progress import BLOCKS, GAVE_UP, STOP

Numbers = NDArray[np.signedinteger[Any]]

AT_ONCE: Final = 1 << 26
"""The number of transitions whose signatures are computed together."""
WORTH_A_ROUND: Final = 1 << 17
"""A round takes as long as looking at this many states one by one, however few states it concerns."""
BYTES_OF_A_STATE: Final = 110
"""An upper estimate of the memory for each state, and for each transition of those that are looked at together. Graphs without
very long rows were measured to need less."""
BYTES_OF_A_TRANSITION: Final = 30


def trouble() -> str | None:
    """Why there is no GPU to work with, or None if there is one."""
    if find_spec("cupy") is None:
        return "CuPy is not installed"
    try:
        return None if _cupy().cuda.runtime.getDeviceCount() else "there is no GPU"
    except Exception as problem:  # whatever the driver, or what is missing of it, makes of it
        return f"there is no GPU that CuPy can use ({str(problem).strip() or type(problem).__name__})"


def bytes_needed(states: int, transitions: int) -> int:
    """How much memory of the GPU a graph takes at most."""
    return BYTES_OF_A_STATE * (states + min(transitions, AT_ONCE)) + BYTES_OF_A_TRANSITION * transitions


def bytes_free() -> int:
    """How much memory of the GPU is free."""
    free, _ = _cupy().cuda.runtime.memGetInfo()
    return int(free) + int(_cupy().get_default_memory_pool().free_bytes())


@cache
def _cupy() -> Any:
    import cupy

    return cupy


SUM_OF_ROW = f"""
    unsigned long long sum = 0, before[{SHORT_ROW}];
    long long begin = offsets[i], end = offsets[i + 1];
    for (long long at = begin; at < end; at++) {{
        unsigned long long hash = (((unsigned long long) actions[at] << 32) ^ blocks[targets[at]]) + salt;
        hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9ull;
        hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBull;
        hash ^= hash >> 31;
        bool again = false;
        if (end - begin <= {SHORT_ROW}) {{
            for (int other = 0; other < at - begin; other++) again |= before[other] == hash;
            before[at - begin] = hash;
        }} else {{
            again = repeated[at];
        }}
        if (!again) sum += hash;
    }}
    out = sum;
"""
ALL_OF_ROW = """
    bool all = true;
    for (long long at = offsets[i]; all && at < offsets[i + 1]; at++) all = marked[targets[at]];
    out = all;
"""


@cache
def arrays() -> Arrays:
    """CuPy; what is done to each element, or to each row, is one pass through memory."""
    cupy = _cupy()
    row = "raw O offsets, raw A actions, raw T targets, raw B blocks, raw bool repeated, uint64 salt"
    sums = cupy.ElementwiseKernel(row, "uint64 out", SUM_OF_ROW, "sums_of_rows")
    alls = cupy.ElementwiseKernel("raw O offsets, raw T targets, raw bool marked", "bool out", ALL_OF_ROW, "all_of_rows")

    def sums_of_rows(offsets: Array, actions: Array, targets: Array, blocks: Array, repeated: Array, salt: np.uint64) -> Array:
        repeated = cupy.zeros(1, dtype=np.bool_) if repeated is None else repeated
        return sums(offsets, actions, targets, blocks, repeated, salt, size=len(offsets) - 1)

    def all_of_rows(offsets: Array, targets: Array, marked: Array) -> Array:
        return alls(offsets, targets, marked, size=len(offsets) - 1)

    fused = (cupy.fuse(function) for function in (pair_hash, state_key, is_repeated))
    return Arrays(cupy, AT_ONCE, WORTH_A_ROUND, *fused)._replace(sums_of_rows=sums_of_rows, all_of_rows=all_of_rows)


def refine(offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers, progress: NDArray[np.int64], seed: int) -> int:
    """Refine `blocks` as `coarsest_partition` does, but the result is stable for certain: it is checked there, too."""
    by = arrays()
    try:
        blocks_there = by.np.asarray(blocks)
        rows, words, heads = (by.np.asarray(part) for part in (offsets, narrowed(actions), targets))
        number = refine_there(by, rows, words, heads, blocks_there, progress=progress, seed=seed)
        blocks[:] = by.np.asnumpy(blocks_there)
    except MemoryError:  # it took more than was expected: the processor begins anew
        return GAVE_UP
    return number


def refine_there(
    by: Arrays, offsets: Array, actions: Array, targets: Array, blocks: Array, *, progress: NDArray[np.int64], seed: int
) -> int:
    """The same, where the arrays are."""
    labels = blocks.copy()
    while True:
        number = coarsest_partition(offsets, actions, targets, blocks, progress, seed, by)
        if number == GAVE_UP or progress[STOP] or is_stable(by, offsets, actions, targets, blocks, number):
            progress[BLOCKS] = max(number, 0)
            return number
        blocks[:] = labels
        seed += 1


def is_stable(by: Arrays, offsets: Array, actions: Array, targets: Array, blocks: Array, number: int) -> bool:
    """Have all states of each block the same pairs of action and block of a target? `blocks` are numbered from 0."""
    xp = by.np
    leads = xp.zeros(number, dtype=targets.dtype)
    leads[blocks] = xp.arange(len(blocks), dtype=targets.dtype)
    goes_on = offsets[1:] > offsets[:-1]
    if not bool((goes_on == goes_on[leads[blocks]]).all()):
        return False
    others = xp.flatnonzero((leads[blocks] != xp.arange(len(blocks), dtype=targets.dtype)) & goes_on)
    graph = offsets, actions, targets, blocks
    matters = xp.zeros(number, dtype=np.bool_)
    matters[blocks[others]] = True
    lead_rows = _Pairs(by, graph, leads[matters])
    row_of_block = xp.cumsum(matters) - 1
    bounds = xp.zeros(len(others) + 1, dtype=offsets.dtype)
    xp.cumsum(offsets[others + 1] - offsets[others], out=bounds[1:])
    borders = cuts(by, bounds)
    pieces = (others[first:last] for first, last in pairwise(borders))
    return all(_Pairs(by, graph, piece).are(lead_rows, row_of_block[blocks[piece]]) for piece in pieces)


class _Pairs:
    """The different pairs of some rows, in order: columns of actions and blocks."""

    def __init__(self, by: Arrays, graph: tuple[Array, ...], rows: Array) -> None:
        self._xp = xp = by.np
        offsets, actions, targets, blocks = graph
        bounds, places = places_of(xp, offsets, rows)
        row = row_of(xp, bounds, targets.dtype)
        columns = actions[places], blocks[targets[places]].view(_unsigned(blocks))
        if len(places):
            order, different = grouped(xp, row.view(_unsigned(row)), *columns)
            order = order[different]
            row, columns = row[order], (columns[0][order], columns[1][order])
        self._columns = columns
        self._offsets = xp.zeros(len(rows) + 1, dtype=offsets.dtype)
        xp.cumsum(xp.bincount(row, minlength=len(rows)), out=self._offsets[1:])

    def are(self, others: _Pairs, index: Array) -> bool:
        """Are they the pairs of these rows of others?"""
        bounds, places = places_of(self._xp, others._offsets, index)
        same_lengths = bool((bounds == self._offsets).all())
        return same_lengths and all(bool((one == other[places]).all()) for one, other in zip(self._columns, others._columns))


def _unsigned(numbers: Array) -> type[np.unsignedinteger[Any]]:
    return np.uint32 if numbers.dtype.itemsize == 4 else np.uint64
