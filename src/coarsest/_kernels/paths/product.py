"""A graph beside an automaton that reads its transitions, compiled: the part of the product that can be reached.

Each transition has a letter. The automaton in its vertex v moves with letter c to the vertices at the places `ways[k]` to
`ways[k + 1]` of `moves`, where k = v · letters + c. A pair of a state s and a vertex v has the code s · vertices + v.
"""

from __future__ import annotations

from typing import Any

from coarsest._kernels.compile import compiled

Array = Any


@compiled
def reach_pairs(
    offsets: Array, targets: Array, letter: Array, letters: int, ways: Array, moves: Array, vertices: int,
    number: Array, codes: Array, filled: int, before: Array,
) -> tuple[int, int]:  # fmt: skip
    """Number the pairs in the order of a breadth-first search from the first `filled` of `codes`, which have numbers already.

    `number` is -1 for other codes; `before` becomes the number of the pair from which each was reached. Returns the numbers of
    pairs and of steps between them.
    """
    at, steps = 0, 0
    while at < filled:
        state, vertex = codes[at] // vertices, codes[at] % vertices
        for edge in range(offsets[state], offsets[state + 1]):
            way = vertex * letters + letter[edge]
            base = targets[edge] * vertices
            for move in range(ways[way], ways[way + 1]):
                steps += 1
                code = base + moves[move]
                if number[code] < 0:
                    number[code] = filled
                    codes[filled] = code
                    before[filled] = at
                    filled += 1
        at += 1
    return filled, steps


@compiled
def list_steps(
    offsets: Array, targets: Array, letter: Array, letters: int, ways: Array, moves: Array, vertices: int,
    number: Array, codes: Array, filled: int, rows: Array, heads: Array,
) -> None:  # fmt: skip
    """Write the steps between the pairs in compressed sparse rows."""
    steps = 0
    for at in range(filled):
        rows[at] = steps
        state, vertex = codes[at] // vertices, codes[at] % vertices
        for edge in range(offsets[state], offsets[state + 1]):
            way = vertex * letters + letter[edge]
            base = targets[edge] * vertices
            for move in range(ways[way], ways[way + 1]):
                heads[steps] = number[base + moves[move]]
                steps += 1
    rows[filled] = steps
