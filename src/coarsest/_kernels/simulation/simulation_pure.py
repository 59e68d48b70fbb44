"""The greatest simulation in plain Python, with whole numbers as sets of states: the twin of `simulation`, which says what the
arguments are."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

Array = Any


def refine_simulation(
    group_offsets: Array, group_source: Array, group_action: Array, targets: Array, action_offsets: Array, by_action: Array,
    back_offsets: Array, back_groups: Array, block: Array, above: Array, pending: Array, counters: Array, budget: int,
    most: int,
) -> tuple[bool, Array, Array]:  # fmt: skip
    """Compute for each state the set of states that may simulate it. Sets shrink until all their members answer every step."""
    simulators = _at_first(block, above, pending)
    successors: dict[int, list[tuple[int, list[int]]]] = defaultdict(list)
    before: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))  # by action and target: the sources, as a set
    offsets = group_offsets.tolist()
    entered: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for group, (source, action) in enumerate(zip(group_source.tolist(), group_action.tolist())):
        ends = targets[offsets[group] : offsets[group + 1]].tolist()
        successors[source].append((action, ends))
        for target in ends:
            before[action][target] |= 1 << source
            entered[target].add((action, source))
    waiting = dict.fromkeys(range(len(block)))
    while waiting:
        state = next(iter(waiting))
        del waiting[state]
        able: dict[int, int] = {}
        for action, source in sorted(entered[state]):
            if action not in able:
                able[action] = _sources_of(before[action], simulators[state])
            fewer = simulators[source] & able[action]
            if fewer != simulators[source]:
                simulators[source] = fewer
                waiting[source] = None
    return True, *_as_blocks(simulators, block, counters)


def _at_first(block: Array, above: Array, pending: Array) -> list[int]:
    """The set of states above each state. What is pending counts as given up."""
    members: dict[int, int] = defaultdict(int)
    for state, number in enumerate(block.tolist()):
        members[number] |= 1 << state
    rows = {}
    for number in members:
        bits = [other for other in members if (int(above[number, other >> 6]) >> (other & 63)) & 1]
        rows[number] = sum(members[other] for other in bits)
    return [rows[number] for number in block.tolist()]


def _sources_of(before: dict[int, int], members: int) -> int:
    """The states with a transition into the set."""
    found = 0
    for target, sources in before.items():
        if (members >> target) & 1:
            found |= sources
    return found


def _as_blocks(simulators: list[int], block: Array, counters: Array) -> tuple[Array, Array]:
    """States that simulate each other have the same simulators: one block."""
    numbers: dict[int, int] = {}
    first: list[int] = []
    for state, mask in enumerate(simulators):
        if mask not in numbers:
            numbers[mask] = len(first)
            first.append(state)
        block[state] = numbers[mask]
    count = len(first)
    above, pending = (np.zeros((count, (count + 63) // 64), dtype=np.uint64) for _ in range(2))
    for number, state in enumerate(first):
        row = sum(1 << other for other, representative in enumerate(first) if (simulators[state] >> representative) & 1)
        for word in range(above.shape[1]):
            above[number, word] = (row >> (64 * word)) & (2**64 - 1)
    counters[0] = count
    return above, pending
