"""Simulation games on automata in plain Python, with whole numbers as sets of states: the twin of `delay`, which says what the
arguments are."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
Before = list[dict[int, int]]
"""For each letter, the sources of the transitions into each state, as sets."""


def _sets(rows: Array) -> list[int]:
    return [int.from_bytes(row.tobytes(), "little") for row in np.atleast_2d(rows)]


def _write(sets: list[int], rows: Array) -> None:
    for row, members in zip(rows, sets):
        row[:] = np.frombuffer(members.to_bytes(8 * len(row), "little"), dtype=np.uint64)


def _sources_by_target(by_letter: Array, sources: Array, targets: Array) -> Before:
    before: Before = [{} for _ in range(len(by_letter) - 1)]
    letters = np.repeat(np.arange(len(by_letter) - 1), np.diff(by_letter))
    for letter, source, target in zip(letters.tolist(), sources.tolist(), targets.tolist()):
        before[letter][target] = before[letter].get(target, 0) | 1 << source
    return before


def _sources_into(members: int, before: dict[int, int]) -> int:
    into = 0
    for target, sources in before.items():
        if members >> target & 1:
            into |= sources
    return into


def shrink_answers(
    by_letter: Array, sources: Array, targets: Array, before: Array, before_letters: Array, before_sources: Array,
    after: Array, after_letters: Array, after_targets: Array, free: Array, owing: Array, accepting: Array, spoils: Array,
    drawn_upon: Array, dirty: Array, budget: int,
) -> bool:  # fmt: skip
    """Remove from `free` the states that cannot answer some step; `owing` stays as it is."""
    nothing_owed, owed, (pays,) = _sets(free), _sets(owing), _sets(accepting)
    sources_into = _sources_by_target(by_letter, sources, targets)
    waiting = dict.fromkeys(np.flatnonzero(dirty).tolist())
    while waiting:
        state = next(iter(waiting))
        del waiting[state]
        answers = (nothing_owed[state] & pays) | (owed[state] & ~pays) if spoils[state] else nothing_owed[state]
        able: dict[int, int] = {}
        for place in range(before[state], before[state + 1]):
            letter, source = int(before_letters[place]), int(before_sources[place])
            if letter not in able:
                able[letter] = _sources_into(answers, sources_into[letter])
            fewer = nothing_owed[source] & able[letter]
            if fewer != nothing_owed[source]:
                nothing_owed[source] = fewer
                waiting[source] = None
    _write(nothing_owed, free)
    dirty[:] = 0
    return True


def grow_answers(
    by_letter: Array, sources: Array, targets: Array, before: Array, before_letters: Array, before_sources: Array,
    after: Array, after_letters: Array, after_targets: Array, free: Array, owing: Array, most: Array, accepting: Array,
    drawn_upon: Array, dirty: Array, budget: int,
) -> bool:  # fmt: skip
    """Add to `owing`, as far as `most` allows, the states that can pay what they owe whatever the steps are."""
    nothing_owed, owed, allowed, (pays,) = _sets(free), _sets(owing), _sets(most), _sets(accepting)
    sources_into = _sources_by_target(by_letter, sources, targets)
    changed = True
    while changed:
        changed = False
        answers = [(one & pays) | (other & ~pays) for one, other in zip(nothing_owed, owed)]
        for state, members in enumerate(owed):
            able = allowed[state]
            for step in range(after[state], after[state + 1]):
                if able == members:
                    break
                able &= _sources_into(answers[after_targets[step]], sources_into[after_letters[step]])
            if able & ~members:
                owed[state] = members | able
                changed = True
    _write(owed, owing)
    dirty[:] = 0
    return True
