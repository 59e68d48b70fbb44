"""Strongly connected components of small graphs, which are given as lists of successors.

Reference: Tarjan, Depth-first search and linear graph algorithms, 1972.
Symbols:   `low` is the lowlink.
Invariant: `open_states` are the states whose component is not finished, in the order in which they were first met.
Deviates:  no recursion.
Cost:      linear.
"""

from __future__ import annotations

from collections.abc import Sequence


def components(successors: Sequence[Sequence[int]], roots: Sequence[int]) -> list[list[int]]:
    """The components that are reachable from the roots, each after those that it can reach.

    >>> components([[1], [2, 0], [2], [0]], [0])
    [[2], [1, 0]]
    """
    closed: list[list[int]] = []
    count = len(successors)
    order = [-1] * count  # the time when a state was first met
    low = [0] * count  # becomes `count` once the component is finished
    open_states: list[int] = []
    clock = 0
    for root in roots:
        if order[root] >= 0:
            continue
        order[root] = low[root] = clock
        clock += 1
        open_states.append(root)
        path = [(root, iter(successors[root]))]
        while path:
            state, targets = path[-1]
            for target in targets:
                if order[target] < 0:
                    order[target] = low[target] = clock
                    clock += 1
                    open_states.append(target)
                    path.append((target, iter(successors[target])))
                    break
                if order[target] < low[state] and low[target] < count:
                    low[state] = order[target]
            else:
                path.pop()
                if path and low[state] < low[path[-1][0]]:
                    low[path[-1][0]] = low[state]
                if low[state] == order[state]:
                    closed.append(_close(state, open_states, low, count))
    return closed


def _close(root: int, open_states: list[int], low: list[int], closed: int) -> list[int]:
    component = []
    while True:
        state = open_states.pop()
        low[state] = closed
        component.append(state)
        if state == root:
            return component
