"""Strongly connected components of the chosen transitions of a graph, and the transitions between them.

`component` becomes the number of the component of each state. It is smaller at the target of a chosen transition between
components than at its source.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest._kernels.compile import compiled

Array = Any


@compiled
def components(offsets: Array, targets: Array, chosen: Array, component: Array) -> int:
    """Number the components in the order in which they are finished, by Tarjan's algorithm without recursion. Returns their
    number."""
    states = len(offsets) - 1
    index, low = np.full(states, -1, dtype=np.int64), np.zeros(states, dtype=np.int64)
    edge = np.zeros(states, dtype=np.int64)
    path, stack = np.empty(states, dtype=np.int64), np.empty(states, dtype=np.int64)
    seen, found, stack_size = 0, 0, 0
    component[:] = -1
    for root in range(states):
        if index[root] >= 0:
            continue
        depth = 0
        path[0] = root
        while depth >= 0:
            state = path[depth]
            if index[state] < 0:
                index[state] = low[state] = seen
                seen += 1
                edge[state] = offsets[state]
                stack[stack_size] = state
                stack_size += 1
            entering = False
            while edge[state] < offsets[state + 1]:
                place = edge[state]
                edge[state] += 1
                if not chosen[place]:
                    continue
                target = targets[place]
                if index[target] < 0:
                    depth += 1
                    path[depth] = target
                    entering = True
                    break
                if component[target] < 0:
                    low[state] = min(low[state], index[target])
            if entering:
                continue
            depth -= 1
            if depth >= 0:
                low[path[depth]] = min(low[path[depth]], low[state])
            if low[state] == index[state]:
                while True:
                    stack_size -= 1
                    member = stack[stack_size]
                    component[member] = found
                    if member == state:
                        break
                found += 1
    return found


@compiled
def mark_action(actions: Array, action: int, chosen: Array) -> bool:
    """Choose the transitions with an action. Returns whether there are any."""
    some = False
    for index in range(len(actions)):
        chosen[index] = actions[index] == action
        some = some or chosen[index]
    return some


@compiled
def outer_transitions(
    offsets: Array, actions: Array, targets: Array, chosen: Array, component: Array, columns: Array, has_cycle: Array
) -> tuple[int, bool]:
    """Write the transitions between components, and those inside that are not chosen, as columns of sources, actions and targets.

    Components with chosen transitions inside get a mark. Returns the number of transitions, and whether any of them is chosen.
    """
    number, some = 0, False
    for state in range(len(offsets) - 1):
        tail = component[state]
        for index in range(offsets[state], offsets[state + 1]):
            head = component[targets[index]]
            if chosen[index] and tail == head:
                has_cycle[tail] = True
                continue
            columns[0, number], columns[1, number], columns[2, number] = tail, actions[index], head
            number += 1
            some = some or chosen[index]
    return number, some
