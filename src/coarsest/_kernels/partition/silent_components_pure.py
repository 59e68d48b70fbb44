"""Strongly connected components in plain Python: the twin of `silent_components`, which says what the arguments are."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def components(offsets: Array, targets: Array, chosen: Array, component: Array) -> int:
    """Number the components in the order in which they are finished, by Tarjan's algorithm without recursion. Returns their
    number."""
    ends, heads, counts = offsets.tolist(), targets.tolist(), chosen.tolist()
    after = [[heads[e] for e in range(ends[s], ends[s + 1]) if counts[e]] for s in range(len(ends) - 1)]
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    number: dict[int, int] = {}
    stack: list[int] = []
    found = 0
    for root in range(len(after)):
        if root in index:
            continue
        path = [(root, iter(after[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        while path:
            state, rest = path[-1]
            for target in rest:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    path.append((target, iter(after[target])))
                    break
                if target not in number:
                    low[state] = min(low[state], index[target])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[state])
                if low[state] == index[state]:
                    while state not in number:
                        number[stack.pop()] = found
                    found += 1
    component[:] = [number[state] for state in range(len(after))]
    return found


def mark_action(actions: Array, action: int, chosen: Array) -> bool:
    """Choose the transitions with an action. Returns whether there are any."""
    chosen[:] = actions == action
    return bool(chosen.any())


def outer_transitions(
    offsets: Array, actions: Array, targets: Array, chosen: Array, component: Array, columns: Array, has_cycle: Array
) -> tuple[int, bool]:
    """Write the transitions between components, and those inside that are not chosen, as columns of sources, actions and targets.

    Components with chosen transitions inside get a mark. Returns the number of transitions, and whether any of them is chosen.
    """
    tails, heads = np.repeat(component, np.diff(offsets)), component[targets]
    inner = chosen & (tails == heads)
    has_cycle[tails[inner]] = True
    number = int(np.count_nonzero(~inner))
    columns[:, :number] = tails[~inner], actions[~inner], heads[~inner]
    return number, bool((chosen > inner).any())
