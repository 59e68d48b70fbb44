"""Breadth-first numbers for states that do not depend on the numbers they had: the twin of `numbering`."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.signedinteger[Any]]
Hashes = NDArray[np.uint64]


def _mix(value: Hashes) -> Hashes:
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


def look_ahead(offsets: Numbers, actions: Numbers, targets: Numbers, hashes: Hashes, chosen: Numbers, out: Hashes) -> None:
    """For each chosen state, a hash of its own hash and of its transitions with the hashes of their targets."""
    seen = _mix(hashes[targets] + _mix(actions.astype(np.uint64) + np.uint64(1)))
    totals = np.zeros(len(hashes), dtype=np.uint64)
    np.add.at(totals, np.repeat(np.arange(len(hashes)), np.diff(offsets)), seen)
    out[:] = _mix(hashes[chosen] + _mix(totals[chosen]))


def ties(
    offsets: Numbers, actions: Numbers, targets: Numbers, hashes: Hashes, rows: Numbers, tied: NDArray[np.bool_]
) -> tuple[int, int]:
    """Put each of the rows in the order of actions and hashes, and mark targets with the same action and hash as others.

    The rows with marks are moved to the front of `rows`. How many are they, and how many neighbours are alike?
    """
    hash_of, bounds = hashes.tolist(), offsets.tolist()
    kept: list[int] = []
    alike = 0
    for row in rows.tolist():
        part = slice(bounds[row], bounds[row + 1])
        triples = [(action, hash_of[target], target) for action, target in zip(actions[part].tolist(), targets[part].tolist())]
        triples.sort(key=lambda triple: triple[:2])
        targets[part] = [target for _, _, target in triples]
        same = [(first[2], second[2]) for first, second in pairwise(triples) if first[:2] == second[:2]]
        if same:
            kept.append(row)
            tied[np.array(same).ravel()] = True
            alike += len(same)
    rows[: len(kept)] = kept
    return len(kept), alike


def breadth_first(offsets: Numbers, targets: Numbers, roots: Numbers, numbers: Numbers, order: Numbers, keep: bool) -> int:
    """Number the states reached from the roots as a breadth-first search meets them; how many are reached?

    The others have the number -1, unless they are kept: then the search goes on from the first of them.
    """
    bounds, heads = offsets.tolist(), targets.tolist()
    found: dict[int, None] = {}
    waiting: list[int] = []
    for more in [roots.tolist(), *([root] for root in range(len(numbers)) if keep)]:
        at = len(waiting)
        waiting += [root for root in dict.fromkeys(more) if root not in found]
        found.update(dict.fromkeys(more))
        while at < len(waiting):
            state = waiting[at]
            at += 1
            for target in heads[bounds[state] : bounds[state + 1]]:
                if target not in found:
                    found[target] = None
                    waiting.append(target)
    numbers[:] = -1
    numbers[waiting] = np.arange(len(waiting))
    order[: len(waiting)] = waiting
    return len(waiting)
