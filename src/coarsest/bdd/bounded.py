"""Relational products that are given up when they make too many nodes.

An operation of a package cannot be stopped, and the size of its result cannot be foreseen from its operands. Large operands are
therefore split at their top variables until the pieces are small, and the nodes are counted after each piece.
"""

from __future__ import annotations

from typing import Generic

from coarsest import tuning
from coarsest.bdd.protocol import F, Manager


def product_within(manager: Manager[F], f: F, g: F, cube: F, most_live: int) -> F | None:
    """∃ cube. f ∧ g, unless the manager then holds more nodes than allowed."""
    return _Pieces(manager, cube, most_live).product(f, g)


class _Pieces(Generic[F]):
    def __init__(self, manager: Manager[F], cube: F, most_live: int) -> None:
        self.manager, self._cube, self._most_live = manager, cube, most_live
        self._quantified = manager.support(cube)
        self._level: dict[int, int] = {}
        self._products: dict[tuple[F, F], F | None] = {}

    def product(self, f: F, g: F) -> F | None:
        manager, of_f, of_g = self.manager, self.manager.children(f), self.manager.children(g)
        if of_f is None or of_g is None or manager.size(f) * manager.size(g) <= tuning.PAIRS_IN_A_PIECE:
            piece = manager.and_exists(f, g, self._cube) if self._quantified else f & g
            return piece if manager.live_nodes <= self._most_live else None
        if (f, g) not in self._products:
            self._products[f, g] = self._split((f, of_f), (g, of_g))
        return self._products[f, g]

    def _split(self, *operands: tuple[F, tuple[int, F, F]]) -> F | None:
        if not self._level:
            self._level = {variable: level for level, variable in enumerate(self.manager.order)}
        top = min((variable for _, (variable, _, _) in operands), key=self._level.__getitem__)
        highs = [high if variable == top else whole for whole, (variable, high, _) in operands]
        lows = [low if variable == top else whole for whole, (variable, _, low) in operands]
        then = self.product(*highs)
        otherwise = None if then is None else self.product(*lows)
        if then is None or otherwise is None:
            return None
        return then | otherwise if top in self._quantified else self.manager.ite(self.manager.var(top), then, otherwise)
