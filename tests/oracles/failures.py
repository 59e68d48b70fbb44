"""Failures and impossible futures, slowly, from their definitions: all words up to a length, and where they lead.

A word is a sequence of actions, with the label that is seen before each and at the end. In weak words, an internal action is a
look at the label: silent steps are free anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

from coarsest.lts.labelled import Graph
from oracles.weak_relations import Weak

Sides = tuple[set[int], set[int], set[int]]
"""Where both sides can be, if the label is as it was seen; and where the second can be before one looks."""


class Refinement:
    """Is what the first states do allowed by what the second do? As far as words of some length tell."""

    def __init__(self, graph: Graph, *, weak: bool = True) -> None:
        self.weak, self.steps = weak, Weak(graph)
        self.seen = sorted(set(self.steps.labels))
        self.letters = self.steps.actions if weak and len(self.seen) == 1 else ["i", *self.steps.actions]

    def _after(self, states: set[int], letter: str) -> set[int]:
        if self.weak:
            return set().union(*(self.steps.after(s, letter) for s in states))
        return {t for s in states for a, t in self.steps.steps[s] if a == letter}

    def _fallen(self, states: set[int]) -> set[int]:
        return set().union(*(self.steps.silent[s] for s in states)) if self.weak else states

    def words(self, ones: set[int], others: set[int], length: int) -> Iterator[list[Sides]]:
        """Where both sides can be after each beginning of each word of the first side."""
        layer: list[list[Sides]] = [[(one, two, two)] for one, two, _ in self._looked(ones, others)]
        for _ in range(length + 1):
            yield from layer
            layer = [
                [*word, sides]
                for word in layer
                for letter in self.letters
                for sides in self._looked(self._after(word[-1][0], letter), self._after(word[-1][1], letter))
            ]

    def _looked(self, ones: set[int], others: set[int]) -> list[Sides]:
        looked = []
        for label in self.seen:
            one, two = ({s for s in states if self.steps.labels[s] == label} for states in (ones, others))
            looked += [(one, two, others)] if one else []
        return looked

    def refusals(self, states: set[int]) -> set[frozenset[str]]:
        """All sets of actions that states refuse; weakly, only those without internal transitions, after silent steps."""
        actions = self.steps.actions if self.weak else ["i", *self.steps.actions]
        found = set()
        for s in self._fallen(states):
            able = {a for a, _ in self.steps.steps[s]}
            if not self.weak or "i" not in able:
                refused = [a for a in actions if a not in able]
                found |= set(map(frozenset, chain.from_iterable(combinations(refused, n) for n in range(len(refused) + 1))))
        return found

    def failures_included(self, ones: set[int], others: set[int], length: int, *, divergence: bool = False) -> bool:
        for word in self.words(ones, others, length):
            if divergence and any(self._diverges(before) for _, _, before in word):
                continue
            one, two, _ = word[-1]
            if not two or (divergence and self._diverges(one)) or not self.refusals(one) <= self.refusals(two):
                return False
        return True

    def _diverges(self, states: set[int]) -> bool:
        return any(self.steps.divergent(s) for s in states)

    def traces_included(self, ones: set[int], others: set[int], length: int) -> bool:
        return all(word[-1][1] for word in self.words(ones, others, length))

    def futures_included(self, ones: set[int], others: set[int], length: int) -> bool:
        """After every word, each state of the first has one of the second, after silent steps, without more traces."""
        for word in self.words(ones, others, length):
            one, two, _ = word[-1]
            if any(not any(self.traces_included({q}, {p}, length) for q in self._fallen(two)) for p in one):
                return False
        return True
