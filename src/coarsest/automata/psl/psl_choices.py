"""The transitions of the alternating automaton of a PSL formula: choices that meet obligations letter by letter.

Reference: Vardi 1996; the removal of dominated choices as in Gastin, Oddoux, Fast LTL to Büchi automata translation, 2001.
Symbols:   a choice is a guard and a set of obligations: for a letter of the guard, it suffices to meet them from the next on.
Invariant: if one choice demands strictly more than another, their guards are disjoint.
Deviates:  only the letters for which another choice demands less are removed from a choice, not whole choices.
Cost:      the choices of an `every` can be exponential in the moves of its state; those of a `some` are linear.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coarsest.automata.psl.psl_obligations import Obligations, Tail

Choice = tuple[Any, frozenset[int]]


class Choices:
    """The choices for the obligations of one table."""

    def __init__(self, obligations: Obligations) -> None:
        self.obligations = obligations
        self._full = obligations.alphabet.full
        self._choices: dict[int, list[Choice]] = {}

    def of(self, part: int) -> list[Choice]:
        """The ways to meet an obligation with the next letter."""
        if part not in self._choices:
            self.obligations.run.step("psl-obligations", obligations=len(self.obligations.nodes))
            self._choices[part] = self._compute(part)
        return self._choices[part]

    def all_of(self, several: Iterable[list[Choice]]) -> list[Choice]:
        """The ways to choose one from each."""
        result: list[Choice] = [(self._full, frozenset())]
        for choices in several:
            result = simplest((guard & more, later | later_more) for guard, later in result for more, later_more in choices)
        return result

    def _compute(self, part: int) -> list[Choice]:
        op, *content = self.obligations.nodes[part]
        match op:
            case "lit":
                return [(content[0], frozenset())] if content[0] else []
            case "and":
                return self.all_of(self.of(inner) for inner in content[0])
            case "or":
                return simplest(choice for inner in content[0] for choice in self.of(inner))
            case "X":
                return self._later(content[0])
            case "U":
                left, right = content
                return simplest((*self.of(right), *self.all_of((self.of(left), self._later(part)))))
            case "R":
                left, right = content
                return self.all_of((self.of(right), simplest((*self.of(left), *self._later(part)))))
        return self._tail(op, content[0])

    def _later(self, part: int) -> list[Choice]:
        return [] if part == self.obligations.false else [(self._full, self.obligations.parts(part))]

    def _tail(self, op: str, tail: Tail) -> list[Choice]:
        obligations = self.obligations
        complement = obligations.alphabet.complement
        automaton = obligations.automata[tail.automaton]
        make, join = (obligations.some, obligations.either) if op == "some" else (obligations.every, obligations.both)
        moves: list[list[Choice]] = []
        for guard, target, ends in automaton.moves[tail.state]:
            outcomes = [tail.then] if ends else []
            if automaton.can_go_on[target]:
                outcomes.append(obligations.next(make(tail._replace(state=target))))
            taken = self.all_of(([(guard, frozenset())], self.of(join(*outcomes))))
            moves.append(taken if op == "some" else simplest((*taken, (complement(guard), frozenset()))))
        moved = (choice for choices in moves for choice in choices) if op == "some" else self.all_of(moves)
        open_letters = complement(tail.won | tail.lost)
        return simplest([(tail.won, frozenset()), *((guard & open_letters, later) for guard, later in moved)])


def simplest(choices: Iterable[Choice]) -> list[Choice]:
    """The choices, united where they demand the same, and without letters for which another choice demands less."""
    joined: dict[frozenset[int], Any] = {}
    for guard, later in choices:
        if guard:
            joined[later] = joined[later] | guard if later in joined else guard
    choices_left: list[Choice] = []
    for later in sorted(joined, key=lambda obligations: (len(obligations), sorted(obligations))):
        guard = joined[later]
        for other_guard, other in choices_left:
            if other < later:
                guard = guard & (guard ^ other_guard)
        if guard:
            choices_left.append((guard, later))
    return choices_left
