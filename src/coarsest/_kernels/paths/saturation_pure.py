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
    offsets: Array, actions: Array, targets: Array, reach_offsets: Array, reach: Array, start: int, ends: Array,
    out: Array, out_actions: Array, stamps: Array,
) -> int:  # fmt: skip
    """The states that each state reaches by silent steps (which `reach` lists), a given transition, and silent steps."""
    bounds, words, heads, rows, reached = (x.tolist() for x in (offsets, actions, targets, reach_offsets, reach))
    filled = 0
    for state in range(start, len(bounds) - 1):
        before = reached[rows[state] : rows[state + 1]]
        steps = {(words[edge], heads[edge]) for place in before for edge in range(bounds[place], bounds[place + 1])}
        row = sorted({(action, end) for action, middle in steps for end in reached[rows[middle] : rows[middle + 1]]})
        if filled + len(row) > len(out):
            return state
        out[filled : filled + len(row)] = [target for _, target in row]
        out_actions[filled : filled + len(row)] = [action for action, _ in row]
        filled += len(row)
        ends[state] = filled
    return len(bounds) - 1


def mark_essential(offsets: Array, actions: Array, targets: Array, internal: int, essential: Array, stamps: Array) -> None:
    """Which transitions of a saturated graph without silent cycles does no shorter way replace? A way goes through another
    state by a silent transition, before or after. Rows are in the order of actions and targets."""
    bounds = offsets.tolist()
    rows = [list(zip(actions[b:e].tolist(), targets[b:e].tolist())) for b, e in pairwise(bounds)]
    onward = [[end for action, end in row if action == internal and end != state] for state, row in enumerate(rows)]
    for state, row in enumerate(rows):
        proper = [step for step in row if step != (internal, state)]
        replaced = {(action, end) for action, middle in proper for end in onward[middle]}
        replaced |= {(action, end) for middle in onward[state] for action, end in rows[middle] if action != internal}
        essential[bounds[state] : bounds[state + 1]] = [step != (internal, state) and step not in replaced for step in row]
