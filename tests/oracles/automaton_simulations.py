"""Simulations between the states of a Büchi automaton, from their games: positions are listed, and won by iteration."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from oracles.buchi_words import Buchi

Pairs = set[tuple[int, int]]


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
