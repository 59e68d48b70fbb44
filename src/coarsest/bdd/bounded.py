"""Conjunctions that are given up when they become too large.

An operation of a package cannot be stopped, and how large its result is nobody can tell from its operands. So large operands are
split at the top variable of both until the pieces are small, and after each piece we look how many nodes have come.
"""

from __future__ import annotations

from typing import Generic

from coarsest.bdd.protocol import F, Manager

FEW_PAIRS = 1_000_000
"""Pairs of a node of each operand: so many new nodes at most, and some milliseconds, for one piece."""


def both_if_small(manager: Manager[F], f: F, g: F, most_nodes: int) -> F | None:
    """f and g, unless that takes more nodes than allowed."""
    return _Pieces(manager, most_nodes).conjunction(f, g)


class _Pieces(Generic[F]):
    def __init__(self, manager: Manager[F], most_nodes: int) -> None:
        self.manager = manager
        self._most_nodes = manager.live_nodes + most_nodes
        self._level: dict[int, int] = {}
        self._conjunctions: dict[tuple[F, F], F | None] = {}

    def conjunction(self, f: F, g: F) -> F | None:
        manager, of_f, of_g = self.manager, self.manager.children(f), self.manager.children(g)
        if of_f is None or of_g is None or manager.size(f) * manager.size(g) <= FEW_PAIRS:
            piece = f & g
            return piece if manager.live_nodes <= self._most_nodes else None
        if (f, g) not in self._conjunctions:
            self._conjunctions[f, g] = self._split((f, of_f), (g, of_g))
        return self._conjunctions[f, g]

    def _split(self, *operands: tuple[F, tuple[int, F, F]]) -> F | None:
        if not self._level:
            self._level = {variable: level for level, variable in enumerate(self.manager.order)}
        top = min((variable for _, (variable, _, _) in operands), key=self._level.__getitem__)
        highs = [high if variable == top else whole for whole, (variable, high, _) in operands]
        lows = [low if variable == top else whole for whole, (variable, _, low) in operands]
        then = self.conjunction(*highs)
        otherwise = None if then is None else self.conjunction(*lows)
        return None if then is None or otherwise is None else self.manager.ite(self.manager.var(top), then, otherwise)
