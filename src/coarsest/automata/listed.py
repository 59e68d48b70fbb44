"""Büchi automata with listed letters: arrays of transitions and of accepting states.

Letters that no guard distinguishes are one. An automaton of a formula has few such classes; one from a file may have as many as
the file has words.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest.automata.automaton import Automaton, Edge, united
from coarsest.logic.letters.guards import Alphabet, Guard

Numbers = NDArray[np.int64]
Bits = NDArray[np.bool_]

MOST_LETTERS: Final = 1 << 12
MOST_TRANSITIONS: Final = 20_000_000
"""An automaton with more letters or transitions is not listed, because it would not fit into memory."""


class ListedAutomaton(Struct, frozen=True, eq=False):
    """Transitions are in the order of letters, sources and targets, without repetitions."""

    guards: tuple[Guard, ...]
    """The guard of each letter in an alphabet; guards are disjoint."""
    letters: Numbers
    sources: Numbers
    targets: Numbers
    accepting: Bits
    initial: Bits

    @property
    def states(self) -> int:
        return len(self.accepting)

    @property
    def transitions(self) -> int:
        return len(self.letters)

    def reversed(self) -> ListedAutomaton:
        """The same transitions in the other direction."""
        return self.with_transitions(self.letters, self.targets, self.sources)

    def with_transitions(self, letters: Numbers, sources: Numbers, targets: Numbers) -> ListedAutomaton:
        """The same states with other transitions."""
        order = np.lexsort((targets, sources, letters))
        columns = np.stack([letters, sources, targets])[:, order]
        if columns.shape[1]:
            columns = columns[:, np.append(True, (columns[:, 1:] != columns[:, :-1]).any(axis=0))]
        return ListedAutomaton(self.guards, columns[0], columns[1], columns[2], self.accepting, self.initial)

    def with_states(self, number_of: Numbers, count: int) -> ListedAutomaton:
        """The automaton where states with the same number are united, and those with negative numbers are left out. A union is
        accepting or initial if one of its states is."""
        accepting, initial = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
        accepting[number_of[self.accepting & (number_of >= 0)]] = True
        initial[number_of[self.initial & (number_of >= 0)]] = True
        bare = ListedAutomaton(self.guards, self.letters[:0], self.sources[:0], self.targets[:0], accepting, initial)
        stays = (number_of[self.sources] >= 0) & (number_of[self.targets] >= 0)
        return bare.with_transitions(self.letters[stays], number_of[self.sources[stays]], number_of[self.targets[stays]])


def letter_classes(automaton: Automaton, most: int = MOST_LETTERS) -> list[Guard] | None:
    """The coarsest partition of the letters on edges such that every guard is a union of classes; None if it has more than `most`
    classes."""
    classes: list[Any] = [automaton.alphabet.full]
    guards = dict.fromkeys(guard for own in automaton.edges for guard, _, _ in own)
    for guard in guards:
        if len(classes) > most:
            return None
        pieces = [(letters & guard, letters) for letters in classes]
        classes = [part for inside, letters in pieces for part in (inside, letters ^ inside) if part]
    union: Any = automaton.alphabet.empty
    for guard in guards:
        union = union | guard
    return [letters for letters in classes if letters & union]


def listed(automaton: Automaton, most: int = MOST_LETTERS) -> ListedAutomaton | None:
    """A state-based Büchi automaton with its letters listed; None if there are too many letters."""
    classes = letter_classes(automaton, most)
    if classes is None:
        return None
    letters_of: dict[Guard, list[int]] = {}
    rows: list[tuple[int, int, int]] = []
    for source, own in enumerate(automaton.edges):
        for guard, _, target in own:
            if guard not in letters_of:
                letters_of[guard] = [number for number, letters in enumerate(classes) if cast("Any", letters) & guard]
            rows += [(number, source, target) for number in letters_of[guard]]
        if len(rows) > MOST_TRANSITIONS:
            return None
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    accepting = np.array([not automaton.sets or automaton.state_marks(state) == 1 for state in range(automaton.states)])
    initial = np.zeros(automaton.states, dtype=np.bool_)
    initial[list(automaton.initial)] = True
    empty = np.empty(0, dtype=np.int64)
    return ListedAutomaton(tuple(classes), empty, empty, empty, accepting.astype(np.bool_), initial).with_transitions(*columns)


def unlisted(buchi: ListedAutomaton, alphabet: Alphabet) -> Automaton:
    """The automaton with guards, and one acceptance set of states."""
    edges: list[list[Edge]] = [[] for _ in range(buchi.states)]
    marks = buchi.accepting.astype(np.int64).tolist()
    for letter, source, target in zip(buchi.letters.tolist(), buchi.sources.tolist(), buchi.targets.tolist()):
        edges[source].append((buchi.guards[letter], marks[source], target))
    return Automaton(alphabet, tuple(np.flatnonzero(buchi.initial).tolist()), list(map(united, edges)), 1)
