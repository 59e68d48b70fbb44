"""Weak transitions of a graph in compressed sparse rows, compiled: silent steps, one action, silent steps.

`out` is filled with one row after the other, from row `start` on, as far as there is room; `ends` tells where each row ends.
All give the first row that was not written whole. `stamps` has an entry for each state, and is -1 everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest._kernels.compile import compiled

Array = Any


@compiled
def silent_rows(offsets: Array, targets: Array, start: int, ends: Array, out: Array, stamps: Array) -> int:
    """The states that each state reaches by the given transitions, itself first."""
    filled = 0
    for state in range(start, len(offsets) - 1):
        if filled == len(out):
            return state
        at = filled
        out[filled] = state
        filled += 1
        stamps[state] = state
        while at < filled:
            for edge in range(offsets[out[at]], offsets[out[at] + 1]):
                target = targets[edge]
                if stamps[target] == state:
                    continue
                if filled == len(out):
                    return state
                stamps[target] = state
                out[filled] = target
                filled += 1
            at += 1
        ends[state] = filled
    return len(offsets) - 1


@compiled
def weak_rows(
    offsets: Array, actions: Array, targets: Array, reach_offsets: Array, reach: Array, start: int, ends: Array,
    out: Array, out_actions: Array, stamps: Array,
) -> int:  # fmt: skip
    """The states that each state reaches by silent steps (which `reach` lists), a given transition, and silent steps."""
    states = len(offsets) - 1
    codes = np.empty(64, dtype=np.int64)
    filled, stamp = 0, 0
    for state in range(start, states):
        count = 0
        for place in range(reach_offsets[state], reach_offsets[state + 1]):
            begin, end = offsets[reach[place]], offsets[reach[place] + 1]
            if count + end - begin > len(codes):
                larger = np.empty(2 * (count + end - begin), dtype=np.int64)
                larger[:count] = codes[:count]
                codes = larger
            for edge in range(begin, end):
                codes[count] = actions[edge] * states + targets[edge]
                count += 1
        ordered = np.sort(codes[:count])
        before = -1
        for place in range(count):
            action, middle = ordered[place] // states, ordered[place] % states
            if action != before:
                stamp += 1
                before = action
            if stamps[middle] == stamp:  # with it, all that it reaches
                continue
            for way in range(reach_offsets[middle], reach_offsets[middle + 1]):
                if stamps[reach[way]] == stamp:
                    continue
                if filled == len(out):
                    return state
                stamps[reach[way]] = stamp
                out[filled] = reach[way]
                out_actions[filled] = action
                filled += 1
        ends[state] = filled
    return states


@compiled
def mark_essential(offsets: Array, actions: Array, targets: Array, internal: int, essential: Array, stamps: Array) -> None:
    """Which transitions of a saturated graph without silent cycles does no shorter way replace? A way goes through another
    state by a silent transition, before or after. Rows are in the order of actions and targets."""
    stamp = 0
    for state in range(len(offsets) - 1):
        begin, end = offsets[state], offsets[state + 1]
        first = begin
        while first < end:
            last = first
            while last < end and actions[last] == actions[first]:
                last += 1
            stamp += 1
            for place in range(first, last):
                middle = targets[place]
                if actions[place] == internal and middle == state:
                    continue
                for edge in range(offsets[middle], offsets[middle + 1]):
                    if actions[edge] == internal and targets[edge] != middle:
                        stamps[targets[edge]] = stamp
            for place in range(first, last):
                silent_loop = actions[place] == internal and targets[place] == state
                essential[place] = not silent_loop and stamps[targets[place]] != stamp
            first = last
    for state in range(len(offsets) - 1):
        begin, end = offsets[state], offsets[state + 1]
        for place in range(begin, end):
            if actions[place] != internal or not essential[place]:
                continue
            at = begin
            for edge in range(offsets[targets[place]], offsets[targets[place] + 1]):
                while actions[at] < actions[edge] or (actions[at] == actions[edge] and targets[at] < targets[edge]):
                    at += 1
                if actions[edge] != internal:
                    essential[at] = False
