"""Lookahead simulations in plain Python, with whole numbers as sets of states: the twin of `lookahead`, which says what the
arguments are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

Array = Any
Sets = tuple[int, ...]
"""The states that are followed, in one set or in three."""
Steps = list[list[tuple[int, int]]]


def _steps(after: Array, letters: Array, targets: Array) -> Steps:
    ends, pairs = after.tolist(), list(zip(letters.tolist(), targets.tolist()))
    return [pairs[begin:end] for begin, end in pairwise(ends)]


def _set(row: Array) -> int:
    return int.from_bytes(row.tobytes(), "little")


def _members(states: int) -> list[int]:
    return [place for place, digit in enumerate(reversed(bin(states)[2:])) if digit == "1"]


def _is_attacked(
    state: int, sets: Sets, ahead: int, steps: Steps, arrive: Callable[[int, Sets], Sets], answered: Callable[[int, Sets], bool]
) -> bool:
    """Is there a path from a state that the states in the sets cannot answer? `arrive` says what becomes of the sets at its
    end."""
    for letter, target in steps[state]:
        reached = arrive(target, tuple(_follow(members, letter, steps) for members in sets))
        if answered(target, reached):
            continue
        is_last = ahead == 1 or not any(reached) or not steps[target]
        if is_last or _is_attacked(target, reached, ahead - 1, steps, arrive, answered):
            return True
    return False


def _follow(members: int, letter: int, steps: Steps) -> int:
    reached = 0
    for state in _members(members):
        for read, target in steps[state]:
            if read == letter:
                reached |= 1 << target
    return reached


def _change(rows: Array, one: int, other: int) -> None:
    rows[one, other >> 6] ^= np.uint64(1) << np.uint64(other & 63)


def remove_attacked(
    after: Array, letters: Array, targets: Array, labels: Array, bears: Array, related: Array, settled: Array,
    ahead: int, patience: int, rows: Array,
) -> int:  # fmt: skip
    """Remove from a relation the pairs of some rows that can be attacked within it. Returns their number."""
    steps, members = _steps(after, letters, targets), [_set(row) for row in labels]

    def arrive(target: int, sets: Sets) -> Sets:
        (reached,) = sets
        for label, bearers in enumerate(members):
            if bears[label, target]:
                reached &= bearers
        return (reached,)

    def answered(target: int, sets: Sets) -> bool:
        return bool(sets[0] & _set(related[target]))

    removed = 0
    for one in rows.tolist():
        for other in _members(_set(related[one]) & ~_set(settled[one])):
            if one != other and _is_attacked(one, (1 << other,), ahead, steps, arrive, answered):
                _change(related, one, other)
                removed += 1
    return removed


def _later(accepting: Array, spoils: Array, free: Array, owing: Array, paying: Array) -> tuple[Any, Any]:
    pays = _set(accepting)

    def arrive(target: int, sets: Sets) -> Sets:
        paid = (sets[0] | sets[1] | sets[2]) & pays
        still, nothing, again = (members & ~pays for members in sets)
        return (still, paid, again | nothing) if spoils[target] else (still, nothing | paid, again)

    def answered(target: int, sets: Sets) -> bool:
        still, nothing, again = sets
        return bool(still & _set(paying[target]) | nothing & _set(free[target]) | again & _set(owing[target]))

    return arrive, answered


def remove_attacked_later(
    after: Array, letters: Array, targets: Array, accepting: Array, spoils: Array, free: Array, owing: Array, settled: Array,
    ahead: int, patience: int, rows: Array,
) -> int:  # fmt: skip
    """Remove from `free` the pairs of some rows that can be attacked. Returns their number."""
    steps, (arrive, answered) = _steps(after, letters, targets), _later(accepting, spoils, free, owing, owing)
    removed = 0
    for one in rows.tolist():
        for other in _members(_set(free[one]) & ~_set(settled[one])):
            if one != other and _is_attacked(one, (0, 1 << other, 0), ahead, steps, arrive, answered):
                _change(free, one, other)
                removed += 1
    return removed


def add_paying(
    after: Array, letters: Array, targets: Array, accepting: Array, spoils: Array, free: Array, owing: Array, paying: Array,
    ahead: int, patience: int, rows: Array,
) -> int:  # fmt: skip
    """Add to `paying` the pairs of some rows of `owing` that cannot be attacked before the answer has paid, or is in `paying`
    again. Returns their number."""
    steps, (arrive, answered) = _steps(after, letters, targets), _later(accepting, spoils, free, owing, paying)
    added = 0
    for one in rows.tolist():
        for other in _members(_set(owing[one]) & ~_set(paying[one])):
            if not _is_attacked(one, (1 << other, 0, 0), ahead, steps, arrive, answered):
                _change(paying, one, other)
                added += 1
    return added


def close_transitively(related: Array, begin: int, end: int) -> None:
    """Warshall's algorithm for the middle states from `begin` to `end`."""
    for middle in range(begin, end):
        column = (related[:, middle >> 6] >> np.uint64(middle & 63)) & np.uint64(1)
        related[column.astype(np.bool_)] |= related[middle]
