"""Functions that matter only on some arguments, in fewer nodes.

Reference: Coudert, Berthet, Madre 1989, "Verification of synchronous sequential machines based on symbolic execution": restrict;
           Coudert, Madre 1990, "A unified framework for the formal verification of sequential circuits".
Symbols:   f is the function, c the care set, where nobody asks for the value of f outside of c.
Invariant: what comes out agrees with f on c, and has no more nodes.
Deviates:  after so many pairs of nodes, or below so many levels, what is left of f stays as it is: that agrees with it, too.
           OxiDD has no such operation, so that the walk is ours; it takes some microseconds for a pair.
Cost:      one visit for each pair of a node of f and one of c, at most `SIMPLIFIED_PAIRS`.
"""

from __future__ import annotations

from typing import Final, Generic

from coarsest import tuning
from coarsest.bdd.protocol import F, Manager

MOST_LEVELS: Final = 400
"""Levels below which Python is not asked to recur."""


def simplified(manager: Manager[F], function: F, care: F) -> F:
    """A function with the same values on the care set, and no more nodes.

    >>> from coarsest.bdd.packages import new_manager
    >>> manager = new_manager()
    >>> x, y = map(manager.var, manager.add_variables(["x", "y"]))
    >>> simplified(manager, x & y, x) == y
    True
    """
    if care in (manager.true, manager.false):
        return function
    other = _Walk(manager).restricted(function, care, 0)
    return other if manager.size(other) < manager.size(function) else function


class _Walk(Generic[F]):
    def __init__(self, manager: Manager[F]) -> None:
        self.manager = manager
        self._level = {variable: level for level, variable in enumerate(manager.order)}
        self._restricted: dict[tuple[F, F], F] = {}

    def restricted(self, f: F, c: F, depth: int) -> F:
        """f where c is: a variable is left out where c knows its value, or knows of no other variable."""
        manager, of_f, of_c = self.manager, self.manager.children(f), self.manager.children(c)
        if of_f is None or of_c is None:
            return f
        if (f, c) not in self._restricted:
            if len(self._restricted) >= tuning.SIMPLIFIED_PAIRS or depth >= MOST_LEVELS:
                return f
            (at_f, f1, f0), (at_c, c1, c0) = of_f, of_c
            if self._level[at_c] < self._level[at_f]:
                result = self.restricted(f, c1 | c0, depth + 1)
            elif at_c != at_f:
                result = self._either(at_f, (f1, c), (f0, c), depth)
            elif manager.false in (c0, c1):
                result = self.restricted(f1, c1, depth + 1) if c0 == manager.false else self.restricted(f0, c0, depth + 1)
            else:
                result = self._either(at_f, (f1, c1), (f0, c0), depth)
            self._restricted[f, c] = result
        return self._restricted[f, c]

    def _either(self, variable: int, then: tuple[F, F], otherwise: tuple[F, F], depth: int) -> F:
        where_true = self.restricted(*then, depth + 1)
        return self.manager.ite(self.manager.var(variable), where_true, self.restricted(*otherwise, depth + 1))
