"""Breadth-first numbers for states that do not depend on the numbers they had: the twin of `numbering`."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.signedinteger[Any]]
Hashes = NDArray[np.uint64]
Marks = NDArray[np.bool_]


def _mix(value: Hashes) -> Hashes:
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


def _look_ahead(offsets: Numbers, actions: Numbers, targets: Numbers, hashes: Hashes, chosen: Numbers) -> None:
    """Replace the hash of each chosen state by a hash of itself and of its transitions with the hashes of their targets."""
    glances = _mix(hashes[targets] + _mix(actions.astype(np.uint64) + np.uint64(1)))
    totals = np.zeros(len(hashes), dtype=np.uint64)
    np.add.at(totals, np.repeat(np.arange(len(hashes)), np.diff(offsets)), glances)
    hashes[chosen] = _mix(hashes[chosen] + _mix(totals[chosen]))


def _ties(
    offsets: Numbers, actions: Numbers, targets: Numbers, hashes: Hashes, rows: list[int], tied: Marks
) -> tuple[list[int], int]:
    """Put each of the rows in the order of actions and hashes, and mark targets with the same action and hash as others.

    Returns the rows with marks, and how many pairs of neighbours are alike.
    """
    hash_of, bounds = hashes.tolist(), offsets.tolist()
    rows_with_ties: list[int] = []
    alike = 0
    for row in rows:
        part = slice(bounds[row], bounds[row + 1])
        triples = [(action, hash_of[target], target) for action, target in zip(actions[part].tolist(), targets[part].tolist())]
        triples.sort(key=lambda triple: triple[:2])
        targets[part] = [target for _, _, target in triples]
        same = [(first[2], second[2]) for first, second in pairwise(triples) if first[:2] == second[:2]]
        if same:
            rows_with_ties.append(row)
            tied[np.array(same).ravel()] = True
            alike += len(same)
    return rows_with_ties, alike


def _order_initial(initial: Numbers, hashes: Hashes, tied: Marks) -> int:
    """Put the initial states in the order of their hashes. Returns how many pairs of neighbours are alike."""
    initial[:] = initial[np.argsort(hashes[initial], kind="stable")]
    same = np.flatnonzero(hashes[initial[1:]] == hashes[initial[:-1]])
    tied[initial[same]] = tied[initial[same + 1]] = True
    return len(same)


def _wider(offsets: Numbers, targets: Numbers, hashes: Hashes, members: Numbers) -> Numbers:
    """The states and their successors; if these are the same, only those that look like another one."""
    successors = [targets[offsets[state] : offsets[state + 1]] for state in members.tolist()]
    wider = np.unique(np.concatenate([members, *successors]))
    if len(wider) > len(members):
        return wider
    _, places, counts = np.unique(hashes[members], return_inverse=True, return_counts=True)
    return members[counts[places] > 1]


def tell_apart(offsets: Numbers, actions: Numbers, targets: Numbers, initial: Numbers, hashes: Hashes, most: int) -> None:
    """Order the initial states, and the successors of each state by one action, by what can be seen from them.

    `hashes` is what can be seen of the states themselves, 0 if that is nothing. After looking at `most` states or somewhat more,
    states that are still alike stay in the order in which they are.
    """
    states, ranks = np.arange(len(hashes)), np.unique(actions, return_inverse=True)[1]
    rows, looked_at, alike_before, work = states.tolist(), states, -1, 0
    while True:
        tied = np.zeros(len(hashes), dtype=np.bool_)
        rows, alike = _ties(offsets, ranks, targets, hashes, rows, tied)
        alike += _order_initial(initial, hashes, tied)
        if not alike or work > most:
            return
        if alike == alike_before:
            looked_at = _wider(offsets, targets, hashes, looked_at)
        elif alike_before >= 0:
            looked_at = np.flatnonzero(tied)
        _look_ahead(offsets, ranks, targets, hashes, looked_at)
        alike_before = alike
        work += len(looked_at)


def breadth_first(offsets: Numbers, targets: Numbers, roots: Numbers, numbers: Numbers, order: Numbers, keep: bool) -> int:
    """Number the states reached from the roots in the order of a breadth-first search. Returns how many are reached.

    With `keep`, the search goes on from the first state that was not reached. Otherwise such states have the number -1.
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
