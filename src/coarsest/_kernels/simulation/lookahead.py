"""Lookahead simulations on automata that read letters, compiled: pairs of states, each tried by a search for an attack.

An attack on a pair (p, q) is a path of at most `ahead` steps from p such that, wherever one stops on it, no path from q with the
same letters leads to a state that may answer the state there. The transitions out of state s lie at `after[s]` to `after[s + 1]`
of `letters` and `targets`. Bit q of row p of a relation says that q may answer p. A path into a dead end counts as long enough.
Only pairs of `rows` that are not `settled` are tried. If a search takes more than `patience` steps, the attack counts as
successful, so that fewer states are related.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest._kernels.compile import compiled, inlined

Array = Any

ONE = np.uint64(1)
LOW = np.uint64(63)


@inlined
def _lowest(bits: int) -> int:
    """The position of the lowest bit that is set."""
    place = 0
    while not (bits >> np.uint64(place)) & np.uint64(0xFF):
        place += 8
    while not (bits >> np.uint64(place)) & ONE:
        place += 1
    return place


@inlined
def _follow(members: Array, letter: int, after: Array, letters: Array, targets: Array, reached: Array) -> None:
    """Add to a set the states that a letter leads to from the members of another."""
    for word in range(len(members)):
        bits = members[word]
        while bits:
            state = 64 * word + _lowest(bits)
            bits &= bits - ONE
            for place in range(after[state], after[state + 1]):
                if letters[place] == letter:
                    reached[targets[place] >> 6] |= ONE << (np.uint64(targets[place]) & LOW)


@inlined
def _is_attacked(
    one: int, other: int, ahead: int, patience: int, after: Array, letters: Array, targets: Array, labels: Array, bears: Array,
    related: Array, states: Array, places: Array, sets: Array,
) -> bool:  # fmt: skip
    """Search for an attack. An answer must bear every label that the state bears that it answers."""
    words = related.shape[1]
    states[0], places[0] = one, after[one]
    sets[0, :] = 0
    sets[0, other >> 6] |= ONE << (np.uint64(other) & LOW)
    depth, steps = 0, 0
    while depth >= 0:
        if places[depth] == after[states[depth] + 1]:
            depth -= 1
            continue
        letter, target = letters[places[depth]], targets[places[depth]]
        places[depth] += 1
        steps += 1
        reached = sets[depth + 1]
        reached[:] = 0
        _follow(sets[depth], letter, after, letters, targets, reached)
        is_empty, is_answered = True, False
        for word in range(words):
            for label in range(len(labels)):
                if bears[label, target]:
                    reached[word] &= labels[label, word]
            is_empty = is_empty and reached[word] == 0
            is_answered = is_answered or (reached[word] & related[target, word]) != 0
        if is_answered:
            continue
        depth += 1
        if is_empty or depth == ahead or steps > patience or after[target] == after[target + 1]:
            return True
        states[depth], places[depth] = target, after[target]
    return False


@compiled
def remove_attacked(
    after: Array, letters: Array, targets: Array, labels: Array, bears: Array, related: Array, settled: Array,
    ahead: int, patience: int, rows: Array,
) -> int:  # fmt: skip
    """Remove from a relation the pairs of some rows that can be attacked within it. Returns their number."""
    words = related.shape[1]
    states, places = np.empty(ahead + 1, dtype=np.int64), np.empty(ahead + 1, dtype=np.int64)
    sets = np.empty((ahead + 1, words), dtype=np.uint64)
    removed = 0
    for one in rows:
        for word in range(words):
            bits = related[one, word] & ~settled[one, word]
            while bits:
                other = 64 * word + _lowest(bits)
                bits &= bits - ONE
                if one != other and _is_attacked(
                    one, other, ahead, patience, after, letters, targets, labels, bears, related, states, places, sets
                ):
                    related[one, word] ^= ONE << (np.uint64(other) & LOW)
                    removed += 1
    return removed


@inlined
def _is_answered_later(
    reached: Array, spoils: bool, accepting: Array, free: Array, owing: Array, paying: Array
) -> tuple[bool, bool]:
    """Sort the states that answers reach by what they owe. Returns whether there are none, and whether one of them may answer."""
    is_empty, is_answered = True, False
    for word in range(len(accepting)):
        pays = (reached[0, word] | reached[1, word] | reached[2, word]) & accepting[word]
        others = ~accepting[word]
        still, nothing, again = reached[0, word] & others, reached[1, word] & others, reached[2, word] & others
        if spoils:
            again, nothing = again | nothing, pays
        else:
            nothing |= pays
        reached[0, word], reached[1, word], reached[2, word] = still, nothing, again
        is_empty = is_empty and (still | nothing | again) == 0
        answers = (still & paying[word]) | (nothing & free[word]) | (again & owing[word])
        is_answered = is_answered or answers != 0
    return is_empty, is_answered


@inlined
def _is_attacked_later(
    one: int, other: int, owes: bool, ahead: int, patience: int, after: Array, letters: Array, targets: Array, accepting: Array,
    spoils: Array, free: Array, owing: Array, paying: Array, states: Array, places: Array, sets: Array,
) -> bool:  # fmt: skip
    """Search for an attack where an answer must accept at some time after the other path does. Three sets of states are followed:
    those that have owed something all the time, those that owe nothing, and those that owed nothing once and owe again."""
    states[0], places[0] = one, after[one]
    sets[0, :, :] = 0
    sets[0, 0 if owes else 1, other >> 6] |= ONE << (np.uint64(other) & LOW)
    depth, steps = 0, 0
    while depth >= 0:
        if places[depth] == after[states[depth] + 1]:
            depth -= 1
            continue
        letter, target = letters[places[depth]], targets[places[depth]]
        places[depth] += 1
        steps += 1
        reached = sets[depth + 1]
        reached[:, :] = 0
        for kind in range(3):
            _follow(sets[depth, kind], letter, after, letters, targets, reached[kind])
        is_empty, is_answered = _is_answered_later(
            reached, spoils[target], accepting, free[target], owing[target], paying[target]
        )
        if is_answered:
            continue
        depth += 1
        if is_empty or depth == ahead or steps > patience or after[target] == after[target + 1]:
            return True
        states[depth], places[depth] = target, after[target]
    return False


@compiled
def remove_attacked_later(
    after: Array, letters: Array, targets: Array, accepting: Array, spoils: Array, free: Array, owing: Array, settled: Array,
    ahead: int, patience: int, rows: Array,
) -> int:  # fmt: skip
    """Remove from `free` the pairs of some rows that can be attacked. Returns their number."""
    words = free.shape[1]
    states, places = np.empty(ahead + 1, dtype=np.int64), np.empty(ahead + 1, dtype=np.int64)
    sets = np.empty((ahead + 1, 3, words), dtype=np.uint64)
    removed = 0
    for one in rows:
        for word in range(words):
            bits = free[one, word] & ~settled[one, word]
            while bits:
                other = 64 * word + _lowest(bits)
                bits &= bits - ONE
                if one != other and _is_attacked_later(
                    one, other, False, ahead, patience, after, letters, targets, accepting, spoils, free, owing, owing, states,
                    places, sets,
                ):  # fmt: skip
                    free[one, word] ^= ONE << (np.uint64(other) & LOW)
                    removed += 1
    return removed


@compiled
def add_paying(
    after: Array, letters: Array, targets: Array, accepting: Array, spoils: Array, free: Array, owing: Array, paying: Array,
    ahead: int, patience: int, rows: Array,
) -> int:  # fmt: skip
    """Add to `paying` the pairs of some rows of `owing` that cannot be attacked before the answer has paid, or is in `paying`
    again. Returns their number."""
    words = free.shape[1]
    states, places = np.empty(ahead + 1, dtype=np.int64), np.empty(ahead + 1, dtype=np.int64)
    sets = np.empty((ahead + 1, 3, words), dtype=np.uint64)
    added = 0
    for one in rows:
        for word in range(words):
            bits = owing[one, word] & ~paying[one, word]
            while bits:
                other = 64 * word + _lowest(bits)
                bits &= bits - ONE
                if not _is_attacked_later(
                    one, other, True, ahead, patience, after, letters, targets, accepting, spoils, free, owing, paying, states,
                    places, sets,
                ):  # fmt: skip
                    paying[one, word] |= ONE << (np.uint64(other) & LOW)
                    added += 1
    return added


@compiled
def close_transitively(related: Array, begin: int, end: int) -> None:
    """Warshall's algorithm for the middle states from `begin` to `end`."""
    states, words = related.shape
    for middle in range(begin, end):
        for one in range(states):
            if one != middle and (related[one, middle >> 6] >> (np.uint64(middle) & LOW)) & ONE:
                for word in range(words):
                    related[one, word] |= related[middle, word]
