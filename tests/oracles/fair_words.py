"""Inclusion of ω-words as Büchi decided it in 1962: finite words that do the same to every state of both graphs are one class.

An ultimately periodic word u v v v … is fair in a graph or not by the classes of u and v alone, so that all words are decided by
all pairs of classes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from coarsest.lts.fair import FairGraph

Effect: TypeAlias = frozenset[tuple[int, int, frozenset[int]]]
"""What a word does: from which state to which, and which fairness sets are visited on the way, behind the first state."""


class Words:
    """A fair graph, in which the letter of a step is the label of the state where it begins, and its action."""

    def __init__(self, fair: FairGraph) -> None:
        graph = fair.graph
        self.states, self.sets = range(graph.states), len(fair.fairness)
        self.initial = graph.initial.tolist()
        visits = [frozenset(k for k, members in enumerate(fair.fairness) if members[state]) for state in self.states]
        self.letters: dict[object, set[tuple[int, int, frozenset[int]]]] = {}
        for source, action, target in zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()):
            letter = graph.label_names[graph.labels[source]], graph.action_names[action]
            self.letters.setdefault(letter, set()).add((source, target, visits[target]))

    def effect(self, letter: object) -> Effect:
        return frozenset(self.letters.get(letter, ()))

    def is_fair(self, stem: Effect | None, loop: Effect) -> bool:
        """Is the loop, again and again after the stem, seen along a fair path? Without a stem, from an initial state itself."""
        begin = {q for p, q, _ in stem if p in self.initial} if stem is not None else set(self.initial)
        reach = {state: self._reached([state], loop) for state in self.states}
        for state in self._reached(begin, loop):
            together = {other for other in reach[state] if state in reach[other]}
            visited = [sets for p, q, sets in loop if p in together and q in together]
            if visited and len(frozenset().union(*visited)) == self.sets:
                return True
        return False

    def _reached(self, states: Iterable[int], loop: Effect) -> set[int]:
        reached, waiting = set(states), list(states)
        while waiting:
            state = waiting.pop()
            fresh = {q for p, q, _ in loop if p == state} - reached
            reached |= fresh
            waiting += fresh
        return reached


def _after(one: Effect, other: Effect) -> Effect:
    return frozenset((p, r, some | more) for p, q, some in one for q2, r, more in other if q == q2)


def inclusions(first: FairGraph, second: FairGraph, most: int) -> tuple[bool, bool] | None:
    """Are the words of the first among those of the second, and conversely? None where there are more classes than `most`."""
    graphs = Words(first), Words(second)
    letters = sorted({*graphs[0].letters, *graphs[1].letters}, key=str)
    generators = {tuple(graph.effect(letter) for graph in graphs) for letter in letters}
    classes, waiting = set(generators), list(generators)
    while waiting:
        word = waiting.pop()
        for letter in generators:
            longer = tuple(_after(one, other) for one, other in zip(word, letter))
            if longer not in classes:
                classes.add(longer)
                waiting.append(longer)
        if len(classes) > most:
            return None
    missing = [False, False]
    for loop in classes:
        for stem in (None, *classes):
            fair = [graph.is_fair(None if stem is None else stem[side], loop[side]) for side, graph in enumerate(graphs)]
            missing[0] |= fair[0] and not fair[1]
            missing[1] |= fair[1] and not fair[0]
    return not missing[0], not missing[1]
