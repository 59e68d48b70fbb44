"""The positions of a simulation game in plain Python: the twin of `positions`, which says what the arguments are."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def reach_positions(
    offsets: Array, actions: Array, targets: Array, labels: Array, arrival: Array, arrival_action: Array, arrival_target: Array,
    marks: Array, care: Array, after: Array, allowed: Array, roots: Array, counters: Array,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Codes in the order of a breadth-first search from the codes in `roots`, and the moves between them in compressed rows.

    `marks` numbers what is seen of the fairness of each state. What is to be remembered is `after[c, x, y]` where tokens come to
    states with the marks x and y; they may come there if `allowed[x, y]`. `counters` tells how many codes there are, for
    people who wait, and the search ends early if its second entry becomes true.
    """
    states, memories, cares = len(labels), len(care), len(after)
    begin, label, mark, cared = (array.tolist() for array in (offsets, labels, marks, care))
    arrivals, arrived = arrival.tolist(), list(zip(arrival_action.tolist(), arrival_target.tolist()))
    by_action = _by_action(begin, actions.tolist(), targets.tolist())

    def following(code: int) -> list[int]:
        place = code // 2
        if code % 2 == 0:
            own, other = divmod(place // memories, states)
            coming = arrivals[begin[own] : begin[own + 1]]
            return [2 * ((one * states + other) * cares + cared[place % memories]) + 1 for one in coming]
        one, other = divmod(place // cares, states)
        action, own = arrived[one]
        fits = [q for q in by_action[other].get(action, ()) if label[q] == label[own] and allowed[mark[own], mark[q]]]
        return [2 * ((own * states + q) * memories + int(after[place % cares, mark[own], mark[q]])) for q in fits]

    number = {code: place for place, code in enumerate(dict.fromkeys(roots.tolist()))}
    codes, rows, heads = list(number), [0], []
    for code in codes:
        if counters[1]:
            break
        for step in following(code):
            if step not in number:
                number[step] = len(number)
                codes.append(step)
            heads.append(number[step])
        rows.append(len(heads))
        counters[0] = len(codes)
    return np.array(codes, dtype=np.int64), np.array(rows, dtype=np.int64), np.array(heads, dtype=np.int64)


def _by_action(begin: list[int], actions: list[int], targets: list[int]) -> list[dict[int, list[int]]]:
    """For each state, the targets of its transitions with each action."""
    after: list[dict[int, list[int]]] = [{} for _ in begin[1:]]
    for state, steps in enumerate(after):
        for edge in range(begin[state], begin[state + 1]):
            steps.setdefault(actions[edge], []).append(targets[edge])
    return after
