"""A graph beside an automaton, in plain Python: the twin of `product`, which says what the arguments are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Array = Any


def _after(
    offsets: Array, targets: Array, letter: Array, letters: int, ways: Array, moves: Array, vertices: int
) -> Callable[[int], Iterator[int]]:
    """The codes that a code leads to."""
    ends, heads, read, starts, entered = (column.tolist() for column in (offsets, targets, letter, ways, moves))

    def after(code: int) -> Iterator[int]:
        state, vertex = divmod(code, vertices)
        for edge in range(ends[state], ends[state + 1]):
            way = vertex * letters + read[edge]
            yield from (heads[edge] * vertices + move for move in entered[starts[way] : starts[way + 1]])

    return after


def reach_pairs(
    offsets: Array, targets: Array, letter: Array, letters: int, ways: Array, moves: Array, vertices: int,
    number: Array, codes: Array, filled: int, before: Array,
) -> tuple[int, int]:  # fmt: skip
    """Number the pairs in the order of a breadth-first search from the first `filled` of `codes`, which have numbers already.

    `number` is -1 for other codes; `before` becomes the number of the pair from which each was reached. Returns the numbers of
    pairs and of steps between them.
    """
    after = _after(offsets, targets, letter, letters, ways, moves, vertices)
    order, numbers, parents, steps = codes[:filled].tolist(), number.tolist(), before[:filled].tolist(), 0
    for at, code in enumerate(order):  # grows
        for target in after(code):
            steps += 1
            if numbers[target] < 0:
                numbers[target] = len(order)
                order.append(target)
                parents.append(at)
    number[:], codes[: len(order)], before[: len(order)] = numbers, order, parents
    return len(order), steps


def list_steps(
    offsets: Array, targets: Array, letter: Array, letters: int, ways: Array, moves: Array, vertices: int,
    number: Array, codes: Array, filled: int, rows: Array, heads: Array,
) -> None:  # fmt: skip
    """Write the steps between the pairs in compressed sparse rows."""
    after = _after(offsets, targets, letter, letters, ways, moves, vertices)
    numbers, steps = number.tolist(), 0
    for at, code in enumerate(codes[:filled].tolist()):
        rows[at] = steps
        for target in after(code):
            heads[steps] = numbers[target]
            steps += 1
    rows[filled] = steps
