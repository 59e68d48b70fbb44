"""Simulations between the states of a Büchi automaton, from their games: positions are listed, and won by iteration."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from oracles.buchi_words import Buchi

Pairs = set[tuple[int, int]]
Debts = set[tuple[int, int, bool]]


def direct(buchi: Buchi, states: int, *, backwards: bool = False) -> Pairs:
    """The greatest relation whose pairs answer all steps within it."""
    steps = {(read, target, source) for read, source, target in buchi.transitions} if backwards else buchi.transitions
    labels = [buchi.accepting, buchi.initial] if backwards else [buchi.accepting]
    pairs = {
        (one, other)
        for one, other in itertools.product(range(states), repeat=2)
        if all(one not in label or other in label for label in labels)
    }
    while True:
        fewer = {
            (one, other)
            for one, other in pairs
            if all(
                any(read == letter and start == other and (target, end) in pairs for read, start, end in steps)
                for letter, source, target in steps
                if source == one
            )
        }
        if fewer == pairs:
            return pairs
        pairs = fewer


def delay(buchi: Buchi, states: int) -> Pairs:
    """Positions have a debt; the one who answers has to be without it again and again: a Büchi game."""

    def debt(*, owed: bool, one: int, other: int) -> bool:
        return other not in buchi.accepting and (owed or one in buchi.accepting)

    positions = list(itertools.product(range(states), range(states), (False, True)))

    def answered(position: tuple[int, int, bool], wins: Callable[[tuple[int, int, bool]], bool]) -> bool:
        one, other, owed = position
        return all(
            any(
                read == letter and start == other and wins((target, end, debt(owed=owed, one=target, other=end)))
                for read, start, end in buchi.transitions
            )
            for letter, source, target in buchi.transitions
            if source == one
        )

    again = set(positions)
    while True:
        won: set[tuple[int, int, bool]] = set()
        while True:
            more = {at for at in positions if answered(at, (won if at[2] else again).__contains__)}
            if more == won:
                break
            won = more
        if won == again:
            break
        again = won
    pairs = itertools.product(range(states), repeat=2)
    return {(one, other) for one, other in pairs if (one, other, debt(owed=False, one=one, other=other)) in again}


# With lookahead: who attacks shows a path, and who answers chooses how much of it to answer


def paths(steps: set[tuple[int, int, int]], start: int, length: int) -> Iterator[list[tuple[int, int]]]:
    """The paths of a length, or shorter ones that end in a dead end, as letters and states."""
    onward = [(read, target) for read, source, target in steps if source == start]
    if not length or not onward:
        yield []
        return
    for read, target in onward:
        for rest in paths(steps, target, length - 1):
            yield [(read, target), *rest]


def answers(steps: set[tuple[int, int, int]], start: int, letters: list[int]) -> Iterator[list[int]]:
    """The paths that read some letters."""
    if not letters:
        yield []
        return
    for read, source, target in steps:
        if (read, source) == (letters[0], start):
            for rest in answers(steps, target, letters[1:]):
                yield [target, *rest]


def direct_ahead(buchi: Buchi, states: int, ahead: int, *, backwards: bool = False) -> Pairs:
    """All states on the part of the path that is answered must bear the labels of those that they answer."""
    steps = {(read, target, source) for read, source, target in buchi.transitions} if backwards else buchi.transitions
    labels = [buchi.accepting, buchi.initial] if backwards else [buchi.accepting]
    pairs = set(itertools.product(range(states), repeat=2))

    def bears(one: int, other: int) -> bool:
        return all(one not in label or other in label for label in labels)

    def answered(path: list[tuple[int, int]], other: int) -> bool:
        for length in range(1, len(path) + 1):
            for answer in answers(steps, other, [read for read, _ in path[:length]]):
                at_once = all(bears(one, two) for (_, one), two in zip(path, answer))
                if at_once and (path[length - 1][1], answer[-1]) in pairs:
                    return True
        return not path

    while True:
        fewer = {
            (one, other) for one, other in pairs
            if bears(one, other) and all(answered(path, other) for path in paths(steps, one, ahead))
        }  # fmt: skip
        if fewer == pairs:
            return pairs
        pairs = fewer


def backward_ahead(buchi: Buchi, states: int, ahead: int) -> Pairs:
    return direct_ahead(buchi, states, ahead, backwards=True)


def delay_ahead(buchi: Buchi, states: int, ahead: int) -> Pairs:
    """Who answers has to be without debt again and again, be it in the middle of an answer."""
    positions = list(itertools.product(range(states), range(states), (False, True)))

    def answered(path: list[tuple[int, int]], other: int, owed: bool, again: Debts, won: Debts) -> bool:
        for length in range(1, len(path) + 1):
            for answer in answers(buchi.transitions, other, [read for read, _ in path[:length]]):
                debt, paid = owed, not owed
                for (_, one), two in zip(path, answer):
                    debt = two not in buchi.accepting and (debt or one in buchi.accepting)
                    paid = paid or not debt
                if (path[length - 1][1], answer[-1], debt) in (again if paid else won):
                    return True
        return not path

    again: Debts = set(positions)
    while True:
        won: Debts = set()
        while True:
            more = {
                (one, other, owed) for one, other, owed in positions
                if all(answered(path, other, owed, again, won) for path in paths(buchi.transitions, one, ahead))
            }  # fmt: skip
            if more == won:
                break
            won = more
        if won == again:
            break
        again = won
    pairs = itertools.product(range(states), repeat=2)
    return {(one, two) for one, two in pairs if (one, two, one in buchi.accepting and two not in buchi.accepting) in again}


def closed(pairs: Pairs) -> Pairs:
    """The transitive closure."""
    while True:
        more = pairs | {(one, last) for one, two in pairs for middle, last in pairs if two == middle}
        if more == pairs:
            return pairs
        pairs = more
