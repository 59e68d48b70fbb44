"""Parity games: the winner from each vertex, and a strategy.

Reference: Zielonka 1998, Infinite games on finitely coloured graphs with applications to automata on infinite trees; as in
           Friedmann, Lange 2009, Solving parity games in practice (dead ends first).
Symbols:   d is the largest priority of the subgame, A the attractor of its vertices for the player who likes d, B that of what
           the opponent wins in the rest.
Invariant: what has been taken out of the subgame is won by the opponent with the choices that are written down; the rest is a
           subgame, in which every vertex has a successor.
Deviates:  the loop over B is no recursion, so that recursion is no deeper than there are priorities.
Cost:      exponential in the number of priorities, at worst; with two (Büchi) quadratic, with three cubic in the vertices, and
           close to linear on the games of simulations.
"""

from __future__ import annotations

import numpy as np

from coarsest.lts.csr import Mask
from coarsest.lts.games.game import Attractors, Game, Solution, Vertices
from coarsest.run import Run


def solve(game: Game, run: Run, *, choice: str = "auto") -> Solution:
    """The winner from each vertex, with positional strategies for both players.

    >>> game = Game.from_edges([0, 1, 1], [0, 1, 2], [(0, 1), (1, 0), (1, 2), (2, 2)])
    >>> solution = solve(game, Run())
    >>> solution.winner.tolist(), solution.choice.tolist()
    ([1, 1, 0], [-1, 0, -1])
    """
    zielonka = _Zielonka(game, run, choice)
    zielonka.settle_dead_ends()
    zielonka.solve(np.flatnonzero(zielonka.active))
    own = zielonka.winner == game.owner
    return Solution(zielonka.winner, np.where(own, zielonka.choice, -1))


class _Zielonka:
    def __init__(self, game: Game, run: Run, choice: str) -> None:
        self.game, self.run = game, run
        self.winner = np.zeros(game.vertices, dtype=np.int8)
        self.choice: Vertices = np.full(game.vertices, -1, dtype=np.int64)
        self.active: Mask = np.ones(game.vertices, dtype=np.bool_)
        self._attractors = Attractors(game, choice)
        self._rounds = 0

    def settle_dead_ends(self) -> None:
        """A player who cannot move loses there, and wherever the opponent forces a play to such a vertex."""
        dead = np.diff(self.game.graph.offsets) == 0
        for opponent in (1, 0):
            goal = np.flatnonzero(dead & self.active & (self.game.owner == 1 - opponent))
            self._take(opponent, self._attractors.attract(opponent, goal, self.active, self.choice))

    def solve(self, vertices: Vertices) -> None:
        """Decide the subgame of the given vertices, which are the active ones; they are active again in the end."""
        whole = vertices
        while len(vertices):
            self._rounds += 1
            self.run.step("parity game", vertices=self.game.vertices, rounds=self._rounds)
            priorities = self.game.priority[vertices]
            largest = int(priorities.max())
            player, goal = largest % 2, vertices[priorities == largest]
            region = self._attractors.attract(player, goal, self.active, self.choice)
            self.active[region] = False
            rest = vertices[self.active[vertices]]
            self.solve(rest)
            self.active[region] = True
            lost = rest[self.winner[rest] == 1 - player]
            if not len(lost):
                self._stay(goal, player)
                self.winner[vertices] = player
                break
            self._take(1 - player, self._attractors.attract(1 - player, lost, self.active, self.choice))
            vertices = vertices[self.active[vertices]]
        self.active[whole] = True

    def _take(self, player: int, vertices: Vertices) -> None:
        self.winner[vertices] = player
        self.active[vertices] = False

    def _stay(self, goal: Vertices, player: int) -> None:
        """At vertices of the largest priority, the player goes to any vertex of the subgame."""
        graph, own = self.game.graph, goal[self.game.owner[goal] == player]
        lengths = graph.offsets[own + 1] - graph.offsets[own]
        rows = np.repeat(np.arange(len(own)), lengths)
        places = np.arange(len(rows)) + np.repeat(graph.offsets[own] - np.cumsum(lengths) + lengths, lengths)
        inside = self.active[graph.targets[places]]
        members, first = np.unique(rows[inside], return_index=True)
        self.choice[own[members]] = graph.targets[places[inside][first]]
