"""The vertices from which a player can force a play into a set, compiled. Each edge into the set is looked at twice at most."""

from __future__ import annotations

from typing import Any

from coarsest._kernels.compile import compiled

Array = Any


@compiled
def attract(
    offsets: Array, heads: Array, back_offsets: Array, back_tails: Array, owner: Array, active: Array, player: int,
    queue: Array, filled: int, entered: Array, left: Array, choice: Array,
) -> int:  # fmt: skip
    """Add the vertices from which the player can force a play into the first `filled` vertices of the queue, which are in
    `entered`.

    Only `active` vertices belong to the game. `choice` becomes the next vertex where the player has to choose one. All entries of
    `left` are -1 before and after. Returns the number of vertices in the queue.
    """
    at = 0
    while at < filled:
        vertex = queue[at]
        at += 1
        for edge in range(back_offsets[vertex], back_offsets[vertex + 1]):
            tail = back_tails[edge]
            if not active[tail] or entered[tail]:
                continue
            if owner[tail] == player:
                choice[tail] = vertex
            else:
                if left[tail] < 0:
                    left[tail] = 0
                    for way in range(offsets[tail], offsets[tail + 1]):
                        if active[heads[way]]:
                            left[tail] += 1
                left[tail] -= 1
                if left[tail] > 0:
                    continue
            entered[tail] = True
            queue[filled] = tail
            filled += 1
    for place in range(filled):
        for edge in range(back_offsets[queue[place]], back_offsets[queue[place] + 1]):
            left[back_tails[edge]] = -1
    return filled
