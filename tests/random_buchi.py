"""Random Büchi automata with listed letters."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from coarsest.automata.listed import ListedAutomaton
from oracles.buchi_words import Buchi


def random_buchi(random: Generator, *, states: int, letters: int, density: float, accepting: float) -> ListedAutomaton:
    """So many transitions of each letter as there are states, times `density` (Tabakov, Vardi); state 0 is initial."""
    count = max(1, round(states * density))
    empty = np.empty(0, dtype=np.int64)
    initial = np.arange(states) < 1
    guards = tuple(1 << letter for letter in range(letters))
    bare = ListedAutomaton(guards, empty, empty, empty, random.random(states) < accepting, initial)
    ends = [random.integers(0, states, letters * count) for _ in range(2)]
    return bare.with_transitions(np.repeat(np.arange(letters), count), *ends)


def some_buchi(random: Generator, most: int = 6) -> ListedAutomaton:
    """A small one, of any kind."""
    return random_buchi(
        random, states=int(random.integers(1, most + 1)), letters=int(random.integers(1, 3)),
        density=float(random.choice([0.8, 1.2, 1.6, 2.0])), accepting=float(random.choice([0.2, 0.5, 0.8])),
    )  # fmt: skip


def from_definition(buchi: ListedAutomaton) -> Buchi:
    """The same automaton for the oracle."""
    rows = zip(buchi.letters.tolist(), buchi.sources.tolist(), buchi.targets.tolist())
    return Buchi(rows, np.flatnonzero(buchi.initial).tolist(), np.flatnonzero(buchi.accepting).tolist())
