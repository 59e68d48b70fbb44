"""Weak transitions in plain Python: the twin of `saturation`, which says what the arguments are."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

Array = Any


def silent_rows(offsets: Array, targets: Array, start: int, ends: Array, out: Array, stamps: Array) -> int:
    """The states that each state reaches by the given transitions, itself first."""
    bounds, heads, filled = offsets.tolist(), targets.tolist(), 0
    for state in range(start, len(bounds) - 1):
        order, reached = [state], {state}
        for place in order:  # grows
            fresh = dict.fromkeys(target for target in heads[bounds[place] : bounds[place + 1]] if target not in reached)
            reached.update(fresh)
            order += fresh
        if filled + len(order) > len(out):
            return state
        out[filled : filled + len(order)] = order
        filled += len(order)
        ends[state] = filled
    return len(bounds) - 1


def weak_rows(
    offsets: Array, actions: Array, targets: Array, before_offsets: Array, before: Array, after_offsets: Array, after: Array,
    start: int, ends: Array, out: Array, out_actions: Array, stamps: Array,
) -> int:  # fmt: skip
    """The states that each state reaches by silent steps (which `before` lists), a given transition, and silent steps again
    (`after`)."""
    bounds, words, heads = offsets.tolist(), actions.tolist(), targets.tolist()
    earlier, later = _lists(before_offsets, before), _lists(after_offsets, after)
    filled = 0
    for state in range(start, len(bounds) - 1):
        steps = {(words[edge], heads[edge]) for place in earlier[state] for edge in range(bounds[place], bounds[place + 1])}
        row = sorted({(action, end) for action, middle in steps for end in later[middle]})
        if filled + len(row) > len(out):
            return state
        out[filled : filled + len(row)] = [target for _, target in row]
        out_actions[filled : filled + len(row)] = [action for action, _ in row]
        filled += len(row)
        ends[state] = filled
    return len(bounds) - 1


def _lists(offsets: Array, targets: Array) -> list[list[int]]:
    return [targets[begin:end].tolist() for begin, end in pairwise(offsets.tolist())]
