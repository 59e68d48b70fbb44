"""Automata on infinite words with generalised Büchi acceptance on edges.

An edge is a triple `(guard, marks, target)`: the letters that it reads, the acceptance sets that it belongs to as a bit mask, and
the state that it leads to. A run is accepting if it visits each of the `sets` acceptance sets infinitely often; without sets,
every run is accepting. A Büchi automaton with accepting states has a single set, and all edges of a state have the same marks
(`is_state_based`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from coarsest.logic.letters.guards import Alphabet, Guard

Edge: TypeAlias = tuple[Guard, int, int]
"""Guard, marks, target."""

Edges: TypeAlias = Sequence[Sequence[Edge]]
"""The edges out of each state."""


class Automaton(Struct, frozen=True, eq=False):
    """States are numbered from 0; guards are of `alphabet`."""

    alphabet: Alphabet
    initial: tuple[int, ...]
    edges: Edges
    sets: int = 0

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.edges)

    @property
    def edge_count(self) -> int:
        return sum(map(len, self.edges))

    @property
    def all_sets(self) -> int:
        """The mask of all acceptance sets."""
        return (1 << self.sets) - 1

    @property
    def is_state_based(self) -> bool:
        """Do all edges out of a state have the same marks, for every state?"""
        return all(marks == edges[0][1] for edges in self.edges for _, marks, _ in edges)

    @property
    def is_deterministic(self) -> bool:
        """Is there at most one run on every word?"""
        if len(self.initial) > 1:
            return False
        for edges in self.edges:
            letters = self.alphabet.empty
            for guard, _, _ in edges:
                if guard & letters:
                    return False
                letters = letters | guard
        return True

    @property
    def is_complete(self) -> bool:
        """Is there a run on every finite word?"""
        for edges in self.edges:
            letters = self.alphabet.empty
            for guard, _, _ in edges:
                letters = letters | guard
            if letters != self.alphabet.full:
                return False
        return bool(self.initial)

    def state_marks(self, state: int) -> int:
        """The marks of a state of a state-based automaton; a state without edges has none."""
        return self.edges[state][0][1] if self.edges[state] else 0

    def successors(self) -> list[list[int]]:
        """The targets of the edges out of each state, with repetitions."""
        return [[target for _, _, target in edges] for edges in self.edges]


def united(edges: Iterable[Edge]) -> list[Edge]:
    """The edges of a state, where edges with the same marks and target become one."""
    guards: dict[tuple[int, int], Any] = {}
    for guard, marks, target in edges:
        key = marks, target
        guards[key] = guards[key] | guard if key in guards else guard
    return [(guard, marks, target) for (marks, target), guard in guards.items()]
