"""Strongly connected components in plain Python: the twin of `silent_components`, which says what the arguments are."""

from __future__ import annotations

from typing import Any

Array = Any


def components(offsets: Array, targets: Array, chosen: Array, component: Array) -> int:
    """Number the components in the order in which they are finished."""
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
