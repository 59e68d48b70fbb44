"""Whether two Büchi automata accept the same words, exactly: all that finite words do to both of them is listed.

Reference: Büchi, On a decision method in restricted second order arithmetic, 1962. What a finite word does to an automaton is a
relation: from where to where it leads, and whether past an accepting state. There are finitely many such relations, and whether
`u v v v …` is accepted depends on those of u and v alone; two automata that differ at all differ on such a word.
"""

from __future__ import annotations

from collections.abc import Iterable

Transitions = Iterable[tuple[int, int, int]]
"""Letter, source, target."""
Effect = tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]
"""Pairs of states with a path between them, and those with one past an accepting state, the last one of a path not counted."""


class Buchi:
    """From the definition: sets of states, and triples."""

    def __init__(self, transitions: Transitions, initial: Iterable[int], accepting: Iterable[int]) -> None:
        self.transitions, self.initial, self.accepting = set(transitions), set(initial), set(accepting)

    def effect(self, letter: int) -> Effect:
        pairs = frozenset((source, target) for read, source, target in self.transitions if read == letter)
        return pairs, frozenset((source, target) for source, target in pairs if source in self.accepting)


def after(one: Effect, other: Effect) -> Effect:
    """What two words do, one after the other."""
    return compose(one[0], other[0]), compose(one[1], other[0]) | compose(one[0], other[1])


def compose(one: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    beyond: dict[int, set[int]] = {}
    for source, target in other:
        beyond.setdefault(source, set()).add(target)
    return frozenset((source, last) for source, target in one for last in beyond.get(target, ()))


def closed(cycle: Effect) -> Effect:
    """What any number of rounds do, at least one."""
    total = cycle
    while True:
        longer = after(total, cycle)
        both = (total[0] | longer[0], total[1] | longer[1])
        if both == total:
            return total
        total = both


def difference(one: Buchi, other: Buchi, letters: int, most: int = 4000) -> tuple[list[int], list[int]] | None:
    """A stem and a cycle of a word that one of the two accepts, or None if there is none; ValueError if there is too much to
    list."""
    singles = {letter: (one.effect(letter), other.effect(letter)) for letter in range(letters)}
    words: dict[tuple[Effect, Effect], list[int]] = {}
    waiting = [(effects, [letter]) for letter, effects in singles.items()]
    for effects, word in waiting:
        if effects in words:
            continue
        words[effects] = word
        if len(words) > most:
            raise ValueError("too many")
        waiting += [
            ((after(effects[0], more[0]), after(effects[1], more[1])), [*word, letter]) for letter, more in singles.items()
        ]
    stems: dict[tuple[frozenset[int], frozenset[int]], list[int]] = {(frozenset(one.initial), frozenset(other.initial)): []}
    for effects, word in words.items():
        reached = (_reached(one.initial, effects[0]), _reached(other.initial, effects[1]))
        stems.setdefault(reached, word)
    for effects, cycle in words.items():
        good_for_one, good_for_other = _accepting_from(effects[0]), _accepting_from(effects[1])
        for (in_one, in_other), stem in stems.items():
            if in_one.isdisjoint(good_for_one) != in_other.isdisjoint(good_for_other):
                return stem, cycle
    return None


def _reached(initial: Iterable[int], effect: Effect) -> frozenset[int]:
    return frozenset(target for source, target in effect[0] if source in initial)


def _accepting_from(cycle: Effect) -> set[int]:
    """The states from which the cycle, again and again, is accepted."""
    total = closed(cycle)
    turning = {source for source, target in total[1] if source == target}
    return {source for source, target in total[0] if target in turning}
