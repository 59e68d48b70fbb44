"""Operations that are given up when they take too long.

An operation of a package cannot be stopped. So it is done in parts: the operands are split at their top variables a few times,
as the package would do itself, and the clock is looked at after each part. What was made for a part stays in the package's cache.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from time import process_time
from typing import Any, Generic

from coarsest.bdd.protocol import F, Manager

SPLITS = 6
"""So many levels at most: a few dozen parts, which take less than half a millisecond to be told apart."""


class _OutOfTime(Exception):
    """Nobody waits for the result any more."""


class Patience:
    """Seconds of CPU time that something may take from now on."""

    def __init__(self, seconds: float) -> None:
        self._end = process_time() + seconds

    @property
    def over(self) -> bool:
        return process_time() > self._end


class VectorComposition(Generic[F]):
    """Functions that are put into others for their variables; a variable without a function stays."""

    def __init__(self, manager: Manager[F], functions: Mapping[int, F]) -> None:
        self.manager, self._functions = manager, functions
        self.into: Any = manager.substitution(functions)

    def of(self, f: F) -> F:
        return self.manager.substitute(f, self.into)

    def within(self, f: F, patience: Patience) -> F | None:
        """None if it takes too long."""
        try:
            return self._split(f, SPLITS, {}, patience)
        except _OutOfTime:
            return None

    def _split(self, f: F, splits: int, composed: dict[F, F], patience: Patience) -> F:
        if f in composed:
            return composed[f]
        branches = self.manager.children(f) if splits else None
        if branches is None:
            result = self.of(f)
        else:
            variable, high, low = branches
            parts = [self._split(branch, splits - 1, composed, patience) for branch in (high, low)]
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
        level = {variable: level for level, variable in enumerate(self.manager.order)}
        try:
            return self._split(f, g, SPLITS, ({}, level, patience))
        except _OutOfTime:
            return None

    def _split(self, f: F, g: F, splits: int, context: tuple[dict[tuple[F, F], F], Mapping[int, int], Patience]) -> F:
        products, level, patience = context
        if (f, g) in products:
            return products[f, g]
        of_f, of_g = (self.manager.children(f), self.manager.children(g)) if splits else (None, None)
        if of_f is None or of_g is None:
            result = self.of(f, g)
        else:
            top = min(of_f[0], of_g[0], key=level.__getitem__)
            highs = of_f[1] if of_f[0] == top else f, of_g[1] if of_g[0] == top else g
            lows = of_f[2] if of_f[0] == top else f, of_g[2] if of_g[0] == top else g
            high, low = (self._split(*branches, splits - 1, context) for branches in (highs, lows))
            result = high | low if top in self._variables else self.manager.ite(self.manager.var(top), high, low)
        if patience.over:
            raise _OutOfTime
        products[f, g] = result
        return result
