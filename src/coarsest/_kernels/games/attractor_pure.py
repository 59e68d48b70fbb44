"""The vertices from which a player can force a play into a set, in plain Python: the twin of `attractor`."""

from __future__ import annotations

from typing import Any

Array = Any


def attract(
    offsets: Array, heads: Array, back_offsets: Array, back_tails: Array, owner: Array, active: Array, player: int,
    queue: Array, filled: int, entered: Array, left: Array, choice: Array,
) -> int:  # fmt: skip
    """Add the vertices from which the player can force a play into the first `filled` vertices of the queue, which are in
    `entered`.

    Only `active` vertices belong to the game. `choice` becomes the next vertex where the player has to choose one. All entries of
    `left` are -1 before and after. Returns the number of vertices in the queue.
    """
    waiting = queue[:filled].tolist()
    open_ways: dict[int, int] = {}
    for vertex in waiting:
        for tail in back_tails[back_offsets[vertex] : back_offsets[vertex + 1]].tolist():
            if not active[tail] or entered[tail]:
                continue
            if owner[tail] == player:
                choice[tail] = vertex
            else:
                if tail not in open_ways:
                    open_ways[tail] = int(active[heads[offsets[tail] : offsets[tail + 1]]].sum())
                open_ways[tail] -= 1
                if open_ways[tail] > 0:
                    continue
            entered[tail] = True
            waiting.append(tail)
    queue[: len(waiting)] = waiting
    return len(waiting)
