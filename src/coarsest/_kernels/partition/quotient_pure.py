"""Quotients of graphs by a partition: the twin of `quotient`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.signedinteger[Any]]


def first_members(blocks: Numbers, firsts: Numbers) -> None:
    """The first state of each block."""
    firsts[blocks[::-1]] = np.arange(len(blocks) - 1, -1, -1)


def follow(numbers: Numbers, further: Numbers) -> None:
    """Replace each number n by `further[n]`; -1 stays."""
    numbers[numbers >= 0] = further[numbers[numbers >= 0]]


def block_rows(
    offsets: Numbers, actions: Numbers, targets: Numbers, ranks: Numbers, blocks: Numbers, chosen: Numbers,
    row_offsets: Numbers, row_actions: Numbers, row_targets: Numbers,
) -> None:  # fmt: skip
    """The transitions of the chosen states as pairs (rank of the action, block of the target), in order and without repetitions.

    Row k is that of `chosen[k]`.
    """
    pairs = list(zip(ranks[actions].tolist(), blocks[targets].tolist()))
    found: list[tuple[int, int]] = []
    ends = [0]
    for state in chosen.tolist():
        found += sorted(set(pairs[offsets[state] : offsets[state + 1]]))
        ends.append(len(found))
    row_offsets[:] = ends
    row_actions[: len(found)] = [action for action, _ in found]
    row_targets[: len(found)] = [target for _, target in found]


def first_deviation(
    offsets: Numbers, actions: Numbers, targets: Numbers, ranks: Numbers, blocks: Numbers, chosen: Numbers,
    row_offsets: Numbers, row_actions: Numbers, row_targets: Numbers, internal: int,
) -> int:  # fmt: skip
    """A state whose transitions are not those of the row of its block, or -1: then the partition is stable.

    Transitions with the action `internal` inside a block do not count; a state with such transitions need not have all others.
    """
    inert = (actions == internal) & (np.repeat(blocks, np.diff(offsets)) == blocks[targets])
    pairs = list(zip(np.where(inert, -1, ranks[actions]).tolist(), blocks[targets].tolist()))
    expected = list(zip(row_actions.tolist(), row_targets.tolist()))
    rows = [set(expected[begin:end]) for begin, end in zip(row_offsets.tolist(), row_offsets[1:].tolist())]
    for state, block in enumerate(blocks.tolist()):
        whole = set(pairs[offsets[state] : offsets[state + 1]])
        own = whole - {(-1, block)}
        if own != rows[block] and not (len(own) < len(whole) and own <= rows[block]):
            return state
    return -1
