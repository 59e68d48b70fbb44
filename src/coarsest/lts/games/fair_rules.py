"""The rules of fair simulations: what has to be remembered of a play, and which plays the duplicator wins.

Reference: Bustan 2002, definitions 4.1.1 and 4.1.3 to 4.1.8; Etessami, Wilke, Schuller 2005, Fair simulation relations, parity
           games, and state space reduction for Büchi automata, section 3 (the priorities of positions); for several fairness
           sets Bustan 2002, definition 4.4.5 (one counter for each player).
Symbols:   marks x and y are the fairness sets that the states of the two tokens are in, as bits.
Invariant: the duplicator is player 0. The priority belongs to what is remembered: even if the play has come to something good.
Deviates:  obligations of delay simulation are kept for each set by itself: a visit to set k is answered by one to set k.
Cost:      a table with an entry for each memory and each pair of marks that occur.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import product
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest.errors import Unsupported
from coarsest.run import Run

Memory: TypeAlias = tuple[int, ...]
MOST_ENTRIES: Final = 30_000_000
"""Larger tables are refused: they would take gigabytes."""


class Rules(Struct, frozen=True):
    """The memory `after` a play came to two marks, its priority, and with which marks the tokens may stand at all. A memory of
    None is that of a play that has not begun."""

    after: Callable[[Memory | None, int, int], Memory]
    priority: Callable[[Memory], int]
    carry: Callable[[Memory], Hashable]
    """The part of a memory that matters for the next one."""
    allowed: Callable[[int, int], bool] = lambda x, y: True


def direct(sets: int) -> Rules:
    """Whenever the spoiler is in a fairness set, the duplicator is, too."""
    return Rules(lambda memory, x, y: (), lambda memory: 0, lambda memory: (), lambda x, y: x & ~y == 0)


def delay(sets: int) -> Rules:
    """A visit of the spoiler to a set is an obligation, until the duplicator visits it: at the same time, or later. No
    obligation lasts for ever: again and again each set in turn is without one."""

    def after(memory: Memory | None, x: int, y: int) -> Memory:
        owed, turn, _ = memory or (0, 0, 0)
        owed = (owed | x) & ~y
        turn, done = _advanced(turn, ~owed, sets)
        return owed, turn, done

    return Rules(after, lambda memory: 1 + memory[2], lambda memory: memory[:2])


def game(sets: int) -> Rules:
    """If the spoiler visits all sets infinitely often, the duplicator does so, too."""

    def after(memory: Memory | None, x: int, y: int) -> Memory:
        one, other, _, _ = memory or (0, 0, 0, 0)
        one, fair = _advanced(one, x, sets)
        other, answered = _advanced(other, y, sets)
        return one, other, fair, answered

    return Rules(after, lambda memory: 2 if memory[3] else memory[2], lambda memory: memory[:2])


def _advanced(turn: int, members: int, sets: int) -> tuple[int, int]:
    """The set whose turn it is after a visit to some sets; and 1 if all of them have had their turn."""
    while turn < sets and members >> turn & 1:
        turn += 1
    return (0, 1) if turn == sets else (turn, 0)


RULES: dict[str, Callable[[int], Rules]] = {"direct": direct, "delay": delay, "game": game}
"""The fair simulations that are games on pairs of states, by their words."""


class RuleTables(Struct, frozen=True, eq=False):
    """Rules as arrays. Marks are numbered as they occur, and so are memories; `first` is the memory of a play that begins with
    two marks, and `care` what of a memory matters."""

    first: NDArray[np.int64]
    after: NDArray[np.int64]
    care: NDArray[np.int64]
    priority: NDArray[np.int64]
    allowed: NDArray[np.bool_]


def tables(rules: Rules, marks: list[int], run: Run) -> RuleTables:
    """The tables of the rules, where only these marks occur."""
    pairs = list(product(range(len(marks)), repeat=2))
    numbers: dict[Memory, int] = {}
    cares: dict[Hashable, int] = {}
    first = np.zeros((len(marks), len(marks)), dtype=np.int64)
    for x, y in pairs:
        first[x, y] = numbers.setdefault(rules.after(None, marks[x], marks[y]), len(numbers))
    rows: list[NDArray[np.int64]] = []
    memories = list(numbers)
    for memory in memories:
        if rules.carry(memory) in cares:
            continue
        run.step("rules", memories=len(memories))
        cares[rules.carry(memory)] = len(cares)
        if len(cares) * len(pairs) > MOST_ENTRIES:
            raise Unsupported("there are too many fairness sets to remember which of them were visited")
        row = np.zeros_like(first)
        for x, y in pairs:
            following = rules.after(memory, marks[x], marks[y])
            if following not in numbers:
                numbers[following] = len(numbers)
                memories.append(following)
            row[x, y] = numbers[following]
        rows.append(row)
    return RuleTables(
        first, np.array(rows).reshape(len(cares), len(marks), len(marks)),
        np.array([cares[rules.carry(memory)] for memory in memories], dtype=np.int64),
        np.array([rules.priority(memory) for memory in memories], dtype=np.int64),
        np.array([rules.allowed(marks[x], marks[y]) for x, y in pairs], dtype=np.bool_).reshape(len(marks), len(marks)),
    )  # fmt: skip
