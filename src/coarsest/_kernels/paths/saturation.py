"""Weak transitions of a graph in compressed sparse rows, compiled: silent steps, one action, silent steps.

`out` is filled with one row after the other, from row `start` on, as far as there is room; `ends` becomes where each row ends.
Each function returns the first row that was not written completely. `stamps` has an entry of -1 for each state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest._kernels.compile import compiled
from coarsest._kernels.sorting import copy_into, stable_order

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
    offsets: Array, actions: Array, targets: Array, before_offsets: Array, before: Array, after_offsets: Array, after: Array,
    start: int, ends: Array, out: Array, out_actions: Array, stamps: Array,
) -> int:  # fmt: skip
    """The states that each state reaches by silent steps (which `before` lists), a given transition, and silent steps again
    (`after`)."""
    states = len(offsets) - 1
    codes = np.empty(64, dtype=np.int64)
    filled, stamp = 0, 0
    for state in range(start, states):
        count = 0
        for place in range(before_offsets[state], before_offsets[state + 1]):
            begin, end = offsets[before[place]], offsets[before[place] + 1]
            if count + end - begin > len(codes):
                larger = np.empty(2 * (count + end - begin), dtype=np.int64)
                copy_into(larger, 0, codes, 0, count)
                codes = larger
            for edge in range(begin, end):
                codes[count] = actions[edge] * states + targets[edge]
                count += 1
        order = stable_order(codes[:count])
        last = -1
        for place in range(count):
            action, middle = codes[order[place]] // states, codes[order[place]] % states
            if action != last:
                stamp += 1
                last = action
            if stamps[middle] == stamp:  # with it, all that it reaches
                continue
            for way in range(after_offsets[middle], after_offsets[middle + 1]):
                if stamps[after[way]] == stamp:
                    continue
                if filled == len(out):
                    return state
                stamps[after[way]] = stamp
                out[filled] = after[way]
                out_actions[filled] = action
                filled += 1
        ends[state] = filled
    return states
