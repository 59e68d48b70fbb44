"""Simulation games on automata that read letters, compiled. Sets of answers are rows of bits.

The transitions with letter a lie at `by_letter[a]` to `by_letter[a + 1]` of `sources` and `targets`, and those into state t, in
the order of their letters, at `before[t]` to `before[t + 1]` of `before_letters` and `before_sources`; `after` is the same for
those out of a state. Bit q of row p of `free` says that q may answer p when it owes nothing, and of `owing` that q may answer p
when it still owes an accepting state. `accepting` is a row of bits, `spoils[p]` says that p is accepting. `dirty[p]` is 1 if row
p has changed and what follows from it has not been looked at, and 2 if it was never looked at; `drawn_upon[p]` are the answers to
p from which conclusions have been drawn. Rows are changed in place, so that work can go on later.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest._kernels.compile import compiled, inlined
from coarsest._kernels.sorting import copy_into

Array = Any

ONE = np.uint64(1)
LOW = np.uint64(63)


@inlined
def _has(row: Array, column: int) -> bool:
    return bool((row[column >> 6] >> (np.uint64(column) & LOW)) & ONE)


@inlined
def _answers(free: Array, owing: Array, accepting: Array, owes: bool, answers: Array) -> None:
    """The answers to a state. If an answer owes something then, it either pays it at once or may go on owing it."""
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


@inlined
def _leads_into(state: int, letter: int, members: Array, after: Array, after_letters: Array, after_targets: Array) -> bool:
    """Does a letter lead from a state into a set?"""
    for place in range(after[state], after[state + 1]):
        if after_letters[place] == letter and _has(members, after_targets[place]):
            return True
    return False


@inlined
def _sources_of_some(
    some: Array, letter: int, before: Array, before_letters: Array, before_sources: Array, into: Array
) -> int:
    """The sources of transitions with a letter into a few states. Returns the work."""
    into[:] = 0
    work = len(some)
    for word in range(len(some)):
        bits = some[word]
        while bits:
            state = 64 * word
            rest = bits
            while not rest & ONE:
                rest >>= ONE
                state += 1
            bits &= bits - ONE
            for place in range(before[state], before[state + 1]):
                if before_letters[place] == letter:
                    into[before_sources[place] >> 6] |= ONE << (np.uint64(before_sources[place]) & LOW)
            work += before[state + 1] - before[state] + 8
    return work


@inlined
def _difference(one: Array, other: Array, members: Array) -> int:
    """The members of one set that are not in the other. Returns their number."""
    size = 0
    for word in range(len(members)):
        members[word] = one[word] & ~other[word]
        bits = members[word]
        while bits:
            bits &= bits - ONE
            size += 1
    return size


@inlined
def _still_able(
    letter: int, answers: Array, gone: Array, before: Array, before_letters: Array, before_sources: Array, after: Array,
    after_letters: Array, after_targets: Array, into: Array,
) -> int:  # fmt: skip
    """All states except those whose last transition into a set led to a member that has left it. Returns the work."""
    work = _sources_of_some(gone, letter, before, before_letters, before_sources, into)
    for word in range(len(into)):
        candidates, unable = into[word], np.uint64(0)
        while candidates:
            lowest = candidates & (~candidates + ONE)
            candidates ^= lowest
            state = 64 * word
            while lowest >> np.uint64(state & 63) != ONE:
                state += 1
            work += 4
            if not _leads_into(state, letter, answers, after, after_letters, after_targets):
                unable |= lowest
        into[word] = ~unable
    return work


@inlined
def _narrow(members: Array, others: Array) -> bool:
    """Remove from the first set what is not in the second. Returns whether it becomes smaller."""
    changed = False
    for word in range(len(members)):
        fewer = members[word] & others[word]
        if fewer != members[word]:
            members[word] = fewer
            changed = True
    return changed


@compiled
def shrink_answers(
    by_letter: Array, sources: Array, targets: Array, before: Array, before_letters: Array, before_sources: Array,
    after: Array, after_letters: Array, after_targets: Array, free: Array, owing: Array, accepting: Array, spoils: Array,
    drawn_upon: Array, dirty: Array, budget: int,
) -> bool:  # fmt: skip
    """Remove from `free` the states that cannot answer some step; `owing` stays as it is. Returns whether it is finished, before
    the work exceeds the budget."""
    states, words = free.shape
    answers, gone, into = np.empty(words, dtype=np.uint64), np.empty(words, dtype=np.uint64), np.empty(words, dtype=np.uint64)
    work = 0
    again = True
    while again:
        again = False
        for state in range(states):
            if not dirty[state]:
                continue
            if work > budget:
                return False
            _answers(free[state], owing[state], accepting, spoils[state], answers)
            few = _difference(drawn_upon[state], answers, gone) < states >> 4 and dirty[state] == 1
            copy_into(drawn_upon[state], 0, answers, 0, len(answers))
            dirty[state] = 0
            letter = -1
            for place in range(before[state], before[state + 1]):
                if before_letters[place] != letter:
                    letter = before_letters[place]
                    if few:
                        work += _still_able(letter, answers, gone, before, before_letters, before_sources, after, after_letters,
                                            after_targets, into)  # fmt: skip
                    else:
                        _sources_into(answers, by_letter[letter], by_letter[letter + 1], sources, targets, into)
                        work += by_letter[letter + 1] - by_letter[letter] + words
                work += words >> 2
                if _narrow(free[before_sources[place]], into):
                    dirty[before_sources[place]] = max(dirty[before_sources[place]], 1)
                    again = True
    return True


@inlined
def _can_answer(
    state: int, other: int, after: Array, after_letters: Array, after_targets: Array, free: Array, owing: Array, accepting: Array,
) -> bool:  # fmt: skip
    """Can the other state, which owes something, answer every step of a state?"""
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


@inlined
def _grow_row(
    state: int, into: Array, after: Array, after_letters: Array, after_targets: Array, free: Array, owing: Array, most: Array,
    accepting: Array,
) -> bool:  # fmt: skip
    """Add to a row the states of `into` that can answer. Returns whether there was one."""
    changed = False
    for word in range(len(into)):
        candidates = into[word] & most[state, word] & ~owing[state, word]
        while candidates:
            lowest = candidates & (~candidates + ONE)
            candidates ^= lowest
            other = 64 * word
            while lowest >> np.uint64(other & 63) != ONE:
                other += 1
            if _can_answer(state, other, after, after_letters, after_targets, free, owing, accepting):
                owing[state, word] |= lowest
                changed = True
    return changed


@compiled
def grow_answers(
    by_letter: Array, sources: Array, targets: Array, before: Array, before_letters: Array, before_sources: Array,
    after: Array, after_letters: Array, after_targets: Array, free: Array, owing: Array, most: Array, accepting: Array,
    drawn_upon: Array, dirty: Array, budget: int,
) -> bool:  # fmt: skip
    """Add to `owing`, as far as `most` allows, the states that can pay what they owe whatever the steps are. Returns whether it
    is finished."""
    states, words = free.shape
    answers, more, into = np.empty(words, dtype=np.uint64), np.empty(words, dtype=np.uint64), np.empty(words, dtype=np.uint64)
    work = 0
    again = True
    while again:
        again = False
        for state in range(states):
            if not dirty[state]:
                continue
            if work > budget:
                return False
            dirty[state] = 0
            _answers(free[state], owing[state], accepting, True, answers)
            few = _difference(answers, drawn_upon[state], more) < states >> 4
            copy_into(drawn_upon[state], 0, answers, 0, len(answers))
            letter = -1
            for place in range(before[state], before[state + 1]):
                if before_letters[place] != letter:
                    letter = before_letters[place]
                    if few:
                        work += _sources_of_some(more, letter, before, before_letters, before_sources, into)
                    else:
                        _sources_into(more, by_letter[letter], by_letter[letter + 1], sources, targets, into)
                        work += by_letter[letter + 1] - by_letter[letter] + words
                work += words >> 2
                if _grow_row(before_sources[place], into, after, after_letters, after_targets, free, owing, most, accepting):
                    dirty[before_sources[place]] = 1
                    again = True
    return True
