"""Simulation games on automata that read letters, compiled: sets of answers as rows of bits.

The transitions with letter a lie at `by_letter[a]` to `by_letter[a + 1]` of `sources` and `targets`, and those into state t, in
the order of their letters, at `before[t]` to `before[t + 1]` of `before_letters` and `before_sources`; `after` is the same for
those out of a state. Bit q of row p of `free` says that q may answer p with nothing owed, of `owing` that it may although it
still owes an accepting state. `accepting` is a row of bits, `spoils[p]` says that p is accepting. `dirty[p]` tells that
row p has changed and what follows from it has not been looked at. Rows are changed in place, so that work can go on
later.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest._kernels.compile import compiled, inlined

Array = Any

ONE = np.uint64(1)
LOW = np.uint64(63)


@inlined
def _has(row: Array, column: int) -> bool:
    return bool((row[column >> 6] >> (np.uint64(column) & LOW)) & ONE)


@inlined
def _answers(free: Array, owing: Array, accepting: Array, owes: bool, answers: Array) -> None:
    """The answers to a state: where something is owed then, those that pay it at once and those that may go on owing."""
    for word in range(len(answers)):
        if owes:
            answers[word] = (free[word] & accepting[word]) | (owing[word] & ~accepting[word])
        else:
            answers[word] = free[word]


@inlined
def _sources_into(members: Array, low: int, high: int, sources: Array, targets: Array, into: Array) -> None:
    """The sources of transitions that lead into a set."""
    into[:] = 0
    for place in range(low, high):
        if _has(members, targets[place]):
            into[sources[place] >> 6] |= ONE << (np.uint64(sources[place]) & LOW)


@compiled
def shrink_answers(
    by_letter: Array, sources: Array, targets: Array, before: Array, before_letters: Array, before_sources: Array,
    free: Array, owing: Array, accepting: Array, spoils: Array, dirty: Array, budget: int,
) -> bool:  # fmt: skip
    """Take out of `free` who cannot answer some step; rows of `owing` stay. Is it finished, before so much work was done?"""
    states, words = free.shape
    answers, into = np.empty(words, dtype=np.uint64), np.empty(words, dtype=np.uint64)
    work = 0
    again = True
    while again:
        again = False
        for state in range(states):
            if not dirty[state]:
                continue
            if work > budget:
                return False
            dirty[state] = False
            _answers(free[state], owing[state], accepting, spoils[state], answers)
            letter = -1
            for place in range(before[state], before[state + 1]):
                if before_letters[place] != letter:
                    letter = before_letters[place]
                    _sources_into(answers, by_letter[letter], by_letter[letter + 1], sources, targets, into)
                    work += by_letter[letter + 1] - by_letter[letter] + words
                source = before_sources[place]
                changed = False
                for word in range(words):
                    fewer = free[source, word] & into[word]
                    if fewer != free[source, word]:
                        free[source, word] = fewer
                        changed = True
                work += words >> 2
                if changed:
                    dirty[source] = True
                    again = True
    return True


@inlined
def _can_answer(
    state: int, other: int, after: Array, after_letters: Array, after_targets: Array, free: Array, owing: Array, accepting: Array,
) -> bool:  # fmt: skip
    """Can every step of a state be answered by the other one, which owes something?"""
    for step in range(after[state], after[state + 1]):
        target, answered = after_targets[step], False
        for place in range(after[other], after[other + 1]):
            if after_letters[place] == after_letters[step]:
                reached = after_targets[place]
                rows = free if _has(accepting, reached) else owing
                if _has(rows[target], reached):
                    answered = True
                    break
        if not answered:
            return False
    return True


@compiled
def grow_answers(
    by_letter: Array, sources: Array, targets: Array, before: Array, before_letters: Array, before_sources: Array,
    after: Array, after_letters: Array, after_targets: Array, free: Array, owing: Array, most: Array, accepting: Array,
    dirty: Array, budget: int,
) -> bool:  # fmt: skip
    """Put into `owing`, as far as `most` allows, who can pay what it owes whatever the steps are. Is it finished?"""
    states, words = free.shape
    answers, into = np.empty(words, dtype=np.uint64), np.empty(words, dtype=np.uint64)
    work = 0
    again = True
    while again:
        again = False
        for state in range(states):
            if not dirty[state]:
                continue
            if work > budget:
                return False
            dirty[state] = False
            _answers(free[state], owing[state], accepting, True, answers)
            letter = -1
            for place in range(before[state], before[state + 1]):
                if before_letters[place] != letter:
                    letter = before_letters[place]
                    _sources_into(answers, by_letter[letter], by_letter[letter + 1], sources, targets, into)
                    work += by_letter[letter + 1] - by_letter[letter] + words
                source = before_sources[place]
                for word in range(words):
                    candidates = into[word] & most[source, word] & ~owing[source, word]
                    while candidates:
                        lowest = candidates & (~candidates + ONE)
                        candidates ^= lowest
                        other = 64 * word
                        while lowest >> np.uint64(other & 63) != ONE:
                            other += 1
                        work += 2
                        if _can_answer(source, other, after, after_letters, after_targets, free, owing, accepting):
                            owing[source, word] |= lowest
                            dirty[source] = True
                            again = True
    return True
