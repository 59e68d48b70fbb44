"""Non-deterministic Büchi automata from alternating ones: sets of obligations, with those that are still due.

Reference: Miyano, Hayashi, Alternating finite automata on ω-words, 1984.
Symbols:   a state is a pair (obligations, due): all obligations must be met from here on, and the due ones may not last.
Invariant: `due` is a subset of `obligations` that may not last for ever; it is empty only if no obligation can be due.
Deviates:  acceptance is on edges: when the last due obligation is met, the edge is marked, and all that may not last become due.
           Choices that demand more than another one do not have its letters.
Cost:      up to 3^n states for n obligations; only the reachable ones are made.
"""

from __future__ import annotations

from typing import Any

from coarsest.automata.automaton import Automaton, Edge, united
from coarsest.automata.psl.psl_choices import Choices

_State = tuple[frozenset[int], frozenset[int]]
_Way = tuple[frozenset[int], frozenset[int]]
"""Obligations for the next letter on: all of them, and those that come from due ones."""


def remove_alternation(choices: Choices, start: int) -> Automaton:
    """The automaton of the words that meet the obligation `start`."""
    obligations = choices.obligations
    if start == obligations.false:
        return Automaton(obligations.alphabet, (), ())
    removal = _Removal(choices)
    first = obligations.parts(start)
    states: list[_State] = [(first, removal.may_not_last(first))]
    number_of = {states[0]: 0}
    edges: list[list[Edge]] = []
    for state in states:  # grows while it is walked
        obligations.run.step("alternation-removal", states=len(states), explored=len(edges))
        own: list[Edge] = []
        for guard, marks, target in removal.edges(state):
            if target not in number_of:
                number_of[target] = len(states)
                states.append(target)
            own.append((guard, marks, number_of[target]))
        edges.append(united(own))
    return Automaton(obligations.alphabet, (0,), edges, sets=1)


class _Removal:
    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        self._obligations = choices.obligations

    def may_not_last(self, parts: frozenset[int]) -> frozenset[int]:
        return frozenset(part for part in parts if not self._obligations.may_last(part))

    def edges(self, state: _State) -> list[tuple[Any, int, _State]]:
        parts, due = state
        edges: list[tuple[Any, int, _State]] = []
        for (later, later_due), guard in self._ways(parts, due).items():
            still_due = self.may_not_last(later_due)
            if still_due:
                edges.append((guard, 0, (later, still_due)))
            else:
                edges.append((guard, 1, (later, self.may_not_last(later))))
        return edges

    def _ways(self, parts: frozenset[int], due: frozenset[int]) -> dict[_Way, Any]:
        nothing: frozenset[int] = frozenset()
        ways: dict[_Way, Any] = {(nothing, nothing): self._obligations.alphabet.full}
        for part in sorted(parts):
            is_due = part in due
            longer: dict[_Way, Any] = {}
            for (later, later_due), guard in ways.items():
                for more, obligations in self._choices.of(part):
                    both = guard & more
                    if both:
                        way = (later | obligations, later_due | obligations if is_due else later_due)
                        longer[way] = longer[way] | both if way in longer else both
            ways = _without_dominated(longer)
        return ways


def _without_dominated(ways: dict[_Way, Any]) -> dict[_Way, Any]:
    undominated: dict[_Way, Any] = {}
    for way in sorted(ways, key=lambda way: (len(way[0]) + len(way[1]), sorted(way[0]), sorted(way[1]))):
        guard = ways[way]
        for other, letters in undominated.items():
            if other[0] <= way[0] and other[1] <= way[1]:
                guard = guard & (guard ^ letters)
        if guard:
            undominated[way] = guard
    return undominated
