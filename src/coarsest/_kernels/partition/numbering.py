"""Breadth-first numbers for states that do not depend on the numbers they had."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.memory import prefetch_row, scattered
from coarsest._kernels.partition.signature_hash import mix
from coarsest._kernels.sorting import stable_order

Numbers = NDArray[np.signedinteger[Any]]
Hashes = NDArray[np.uint64]


@compiled
def look_ahead(offsets: Numbers, actions: Numbers, targets: Numbers, hashes: Hashes, chosen: Numbers, out: Hashes) -> None:
    """For each chosen state, a hash of its own hash and of its transitions with the hashes of their targets."""
    known = len(chosen) if scattered(offsets, targets, hashes) else 0
    for at in range(len(chosen)):
        prefetch_row(chosen, at, known, offsets, targets, hashes)
        state = chosen[at]
        total = np.uint64(0)
        for index in range(offsets[state], offsets[state + 1]):
            total += mix(hashes[targets[index]] + mix(np.uint64(actions[index]) + np.uint64(1)))
        out[at] = mix(hashes[state] + mix(total))


@inlined
def _order_by_hash(targets: Numbers, begin: int, end: int, hashes: Hashes) -> None:
    """A stable sort."""
    if end - begin > 32:
        unordered = targets[begin:end].copy()
        keys = np.empty(end - begin, dtype=np.uint64)
        for at in range(end - begin):
            keys[at] = hashes[unordered[at]]
        order = stable_order(keys)
        for at in range(end - begin):
            targets[begin + at] = unordered[order[at]]
        return
    for index in range(begin + 1, end):
        target = targets[index]
        before = index - 1
        while before >= begin and hashes[targets[before]] > hashes[target]:
            targets[before + 1] = targets[before]
            before -= 1
        targets[before + 1] = target


@compiled
def ties(
    offsets: Numbers, actions: Numbers, targets: Numbers, hashes: Hashes, rows: Numbers, tied: NDArray[np.bool_]
) -> tuple[int, int]:
    """Put each of the rows in the order of actions and hashes, and mark targets with the same action and hash as others.

    The rows with marks are moved to the front of `rows`. How many are they, and how many neighbours are alike?
    """
    kept, alike = 0, 0
    known = len(rows) if scattered(offsets, targets, hashes) else 0
    for at in range(len(rows)):
        prefetch_row(rows, at, known, offsets, targets, hashes)
        row = rows[at]
        before = alike
        begin, stop = offsets[row], offsets[row + 1]
        while begin < stop:
            end = begin + 1
            while end < stop and actions[end] == actions[begin]:
                end += 1
            if end - begin > 1:
                _order_by_hash(targets, begin, end, hashes)
                for index in range(begin + 1, end):
                    if hashes[targets[index]] == hashes[targets[index - 1]]:
                        tied[targets[index]] = True
                        tied[targets[index - 1]] = True
                        alike += 1
            begin = end
        if alike > before:
            rows[kept] = row
            kept += 1
    return kept, alike


@compiled
def breadth_first(offsets: Numbers, targets: Numbers, roots: Numbers, numbers: Numbers, order: Numbers, keep: bool) -> int:
    """Number the states reached from the roots as a breadth-first search meets them; how many are reached?

    The others have the number -1, unless they are kept: then the search goes on from the first of them.
    """
    numbers[:] = -1
    found = 0
    for at in range(len(roots)):
        if numbers[roots[at]] < 0:
            numbers[roots[at]] = found
            order[found] = roots[at]
            found += 1
    at, root = 0, 0
    far = scattered(offsets, targets, numbers)
    while found < len(numbers):
        if at == found:
            while keep and numbers[root] >= 0:
                root += 1
            if not keep:
                break
            numbers[root] = found
            order[found] = root
            found += 1
        prefetch_row(order, at, found if far else 0, offsets, targets, numbers)
        state = order[at]
        at += 1
        for index in range(offsets[state], offsets[state + 1]):
            target = targets[index]
            if numbers[target] < 0:
                numbers[target] = found
                order[found] = target
                found += 1
    return found
