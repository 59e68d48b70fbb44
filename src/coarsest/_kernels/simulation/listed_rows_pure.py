"""The greatest simulation as lists of states, in plain Python: the twin of `listed_rows`, which says what the arguments are."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

Array = Any


def refine_listed(
    offsets: Array, actions: Array, targets: Array, before_offsets: Array, before: Array, sources: Array, block: Array,
    above: Array, member_offsets: Array, members: Array, bound: Array, begin: Array, size: Array, pool: Array, head: Array,
    links: Array, level: Array, ticks: Array, stamp: Array, counters: Array, budget: int,
) -> int:  # fmt: skip
    """List the states above each and strike out those that cannot answer, until nothing changes. Returns 0, or 2 if the pool is
    too small."""
    steps = [list(zip(actions[low:high].tolist(), targets[low:high].tolist())) for low, high in pairwise(offsets.tolist())]
    numbers = block.tolist()
    related = [int.from_bytes(row.tobytes(), "little") for row in above]
    rows = [{other for other, column in enumerate(numbers) if (related[number] >> column) & 1} for number in numbers]

    def answers(other: int, action: int, target: int) -> bool:
        return any(word == action and end in rows[target] for word, end in steps[other])

    changed = True
    while changed:
        changed = False
        for state, row in enumerate(rows):
            able = {other for other in row if all(answers(other, action, target) for action, target in steps[state])}
            changed = changed or able != row
            rows[state] = able
    size[:] = [len(row) for row in rows]
    ends = np.cumsum(size)
    if size.sum() > len(pool):
        return 2
    begin[:] = ends - size
    for state, row in enumerate(rows):
        pool[begin[state] : ends[state]] = sorted(row)
    return 0


def gather_classes(begin: Array, size: Array, pool: Array, block: Array) -> int:
    """Number the classes of states above each other in `block`, and put the classes above each in the place of the states above
    its first state; `begin` and `size` become those of the classes. Returns their number."""
    rows = [pool[low : low + length].tolist() for low, length in zip(begin.tolist(), size.tolist())]
    numbers: dict[tuple[int, ...], int] = {}
    first: dict[int, int] = {}
    for state, row in enumerate(rows):  # states that are above each other have the same states above them
        block[state] = numbers.setdefault(tuple(row), len(numbers))
        first.setdefault(int(block[state]), state)
    for number, state in first.items():
        classes = [int(block[other]) for other in rows[state] if first[int(block[other])] == other]
        pool[begin[state] : begin[state] + len(classes)] = classes
        begin[number], size[number] = begin[state], len(classes)
    return len(first)
