"""Two-player games on explicit graphs: arenas with an owner and a priority for each vertex, and the winner from each vertex.

Two players, called 0 and 1, move a token along edges for ever; at each vertex its owner chooses. Player 0 wins a play if the
largest priority that comes up infinitely often is even, and player 1 if it is odd. A player who cannot move has lost.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from coarsest._kernels.choose import kernels
from coarsest.lts.csr import Csr, Mask

Vertices = NDArray[np.int64]


class Game(Struct, frozen=True, eq=False, dict=True):
    """An arena: the vertices and edges of a graph, and beside it the player who moves and the priority, for each vertex.

    >>> game = Game.from_edges([0, 1, 1], [0, 1, 2], [(0, 1), (1, 0), (1, 2), (2, 2)])
    >>> game.vertices, game.graph.edges
    (3, 4)
    """

    graph: Csr
    owner: NDArray[np.int8]
    priority: NDArray[np.int64]

    @classmethod
    def from_edges(cls, owner: ArrayLike, priority: ArrayLike, edges: ArrayLike) -> Game:
        """Build from lists with an entry for each vertex, and pairs of vertices."""
        owners, pairs = np.asarray(owner, dtype=np.int8), np.asarray(edges, dtype=np.int64).reshape(-1, 2)
        return cls(Csr.from_edges(len(owners), *pairs.T), owners, np.asarray(priority, dtype=np.int64))

    @property
    def vertices(self) -> int:
        return len(self.owner)


class Solution(Struct, frozen=True, eq=False):
    """The winner from each vertex, and where the winner goes from it, if that is the winner's to choose (-1 otherwise)."""

    winner: NDArray[np.int8]
    choice: Vertices


class Attractors:
    """The vertices from which a player forces plays into sets of vertices: what such questions about one game share."""

    def __init__(self, game: Game, choice: str = "auto") -> None:
        self.game = game
        self._kernel = kernels("games.attractor", game.graph.edges, choice)
        self._queue = np.empty(game.vertices, dtype=np.int64)
        self._left = np.full(game.vertices, -1, dtype=np.int64)

    @cached_property
    def _static(self) -> tuple[Any, ...]:
        graph, back = self.game.graph, self.game.graph.transposed
        return graph.offsets, graph.targets, back.offsets, back.targets, self.game.owner

    def attract(self, player: int, goal: Vertices, active: Mask, choice: Vertices) -> Vertices:
        """The vertices of the attractor, those of the goal first; the player's moves are written into `choice`."""
        entered = np.zeros(self.game.vertices, dtype=np.bool_)
        entered[goal] = True
        self._queue[: len(goal)] = goal
        filled = self._kernel.attract(
            *self._static, active, player, self._queue, len(goal), entered, self._left, choice
        )  # fmt: skip
        return self._queue[:filled].copy()
