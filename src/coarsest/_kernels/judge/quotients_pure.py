"""Is a graph related to a smaller one by a function from its states? The twin of `quotients`, from the definition."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.signedinteger[Any]]


def is_quotient(
    offsets: Numbers, actions: Numbers, targets: Numbers, ranks: Numbers, internal: int, state_of: Numbers,
    row_offsets: Numbers, row_actions: Numbers, row_targets: Numbers,
) -> bool:  # fmt: skip
    """Is each state related to its state of the smaller graph? `state_of` is -1 for states that have none.

    `ranks` are the numbers that actions of the graph have in the smaller one.
    """
    rows = [list(zip(row_actions[a:b].tolist(), row_targets[a:b].tolist())) for a, b in pairwise(row_offsets)]
    number_of, rank, silent = state_of.tolist(), ranks.tolist(), int(ranks[internal]) if internal >= 0 else -1
    if any(row != sorted(set(row)) or not all(0 <= target < len(rows) for _, target in row) for row in rows):
        return False
    if not all(-1 <= number < len(rows) for number in number_of):
        return False
    sought = [{pair for pair in row if pair != (silent, number)} for number, row in enumerate(rows)]
    steps: list[set[tuple[int, int]]] = []
    inert: list[list[int]] = []
    for state, number in enumerate(number_of):
        part = slice(offsets[state], offsets[state + 1])
        pairs = list(zip(actions[part].tolist(), targets[part].tolist()))
        inert.append([target for action, target in pairs if action == internal and number_of[target] == number])
        steps.append({(rank[a], number_of[t]) for a, t in pairs if a != internal or number_of[t] != number})
        if number >= 0 and (any(number_of[t] < 0 for _, t in pairs) or not steps[state] <= sought[number]):
            return False
    return all(_reached(state, inert, steps) == sought[number] for state, number in enumerate(number_of) if number >= 0)


def _reached(state: int, inert: list[list[int]], steps: list[set[tuple[int, int]]]) -> set[tuple[int, int]]:
    """The transitions that are possible after any number of inert ones."""
    looked_at, waiting, able = {state}, [state], set(steps[state])
    while waiting:
        for target in inert[waiting.pop()]:
            if target not in looked_at:
                looked_at.add(target)
                waiting.append(target)
                able |= steps[target]
    return able
