"""Operations that are given up when they take too long.

An operation of a package cannot be stopped. So it is done in parts: the operands are split at their top variables a few times,
as the package would do itself, and after each part the clock is looked at, or how many nodes there are. What was made for a part
stays in the package's cache.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from time import process_time
from typing import Any, Generic

from coarsest.bdd.protocol import F, Manager

SPLITS = 5
"""So many levels at most: a few dozen parts, which take less than half a millisecond to be told apart."""
SECONDS_FOR_A_NODE = 1e-4
"""Who has so many for each node of a set waits until functions are put in at each node, one after the other: where functions are
large, that may take long, and to tell the nodes apart takes a thirtieth of it."""
DEEPEST = 300
"""So many levels are split if everything is: Python is not asked to go deeper."""


class _OutOfTime(Exception):
    """Nobody waits for the result any more."""


class Patience:
    """Seconds of CPU time that something may take from now on."""

    def __init__(self, seconds: float, splits: int = SPLITS) -> None:
        self._end = process_time() + seconds
        self.seconds, self.splits = seconds, splits
        self._levels: Mapping[int, int] = {}

    @property
    def over(self) -> bool:
        return process_time() > self._end

    def levels(self, manager: Manager[Any]) -> Mapping[int, int]:
        """Where each variable is in the order, which stays as it is meanwhile."""
        if not self._levels:
            self._levels = {variable: level for level, variable in enumerate(manager.order)}
        return self._levels


class Room(Patience):
    """Nodes that something may add to a manager from now on, however long that takes."""

    def __init__(self, manager: Manager[Any], nodes: int) -> None:
        super().__init__(0.0)
        self._manager, self._most = manager, manager.live_nodes + nodes

    @property
    def over(self) -> bool:
        return self._manager.live_nodes > self._most


class VectorComposition(Generic[F]):
    """Functions that are put into others for their variables; a variable without a function stays."""

    def __init__(self, manager: Manager[F], functions: Mapping[int, F]) -> None:
        self.manager, self._functions = manager, functions
        self.into: Any = manager.substitution(functions)

    def of(self, f: F) -> F:
        return self.manager.substitute(f, self.into)

    def within(self, f: F, patience: Patience) -> F | None:
        """None if it takes too long."""
        everything = patience.splits >= SPLITS and patience.seconds > SECONDS_FOR_A_NODE * self.manager.size(f)
        try:
            return self._split(f, patience.splits - DEEPEST if everything else 0, {}, patience)
        except _OutOfTime:
            return None

    def _split(self, f: F, depth: int, composed: dict[F, F], patience: Patience) -> F:
        if f in composed:
            return composed[f]
        branches = self.manager.children(f) if depth < patience.splits else None
        if branches is None:
            result = self.of(f)
        else:
            variable, high, low = branches
            parts = [self._split(branch, depth + 1, composed, patience) for branch in (high, low)]
            result = self.manager.ite(self._functions.get(variable, self.manager.var(variable)), *parts)
        if patience.over:
            raise _OutOfTime
        composed[f] = result
        return result


class Product(Generic[F]):
    """The relational product: ∃ variables. f ∧ g."""

    def __init__(self, manager: Manager[F], variables: Collection[int]) -> None:
        self.manager, self._variables = manager, frozenset(variables)
        self.cube = manager.cube(variables)

    def of(self, f: F, g: F) -> F:
        return self.manager.and_exists(f, g, self.cube) if self._variables else f & g

    def within(self, f: F, g: F, patience: Patience) -> F | None:
        """None if it takes too long."""
        try:
            return self._split(f, g, 0, ({}, patience))
        except _OutOfTime:
            return None

    def _split(self, f: F, g: F, depth: int, context: tuple[dict[tuple[F, F], F], Patience]) -> F:
        products, patience = context
        if (f, g) in products:
            return products[f, g]
        of_f, of_g = (self.manager.children(f), self.manager.children(g)) if depth < patience.splits else (None, None)
        if of_f is None or of_g is None:
            result = self.of(f, g)
        else:
            top = min(of_f[0], of_g[0], key=patience.levels(self.manager).__getitem__)
            highs = of_f[1] if of_f[0] == top else f, of_g[1] if of_g[0] == top else g
            lows = of_f[2] if of_f[0] == top else f, of_g[2] if of_g[0] == top else g
            high, low = (self._split(*branches, depth + 1, context) for branches in (highs, lows))
            result = high | low if top in self._variables else self.manager.ite(self.manager.var(top), high, low)
        if depth and patience.over:
            raise _OutOfTime
        products[f, g] = result
        return result
