"""Preimages through functions, bottom-up: for every node of the set, the preimage of the set that the node stands for.

Reference: Bustan 2002, section 6.2, figure 6.1 (the inverse algorithm).
Symbols:   Γ' is `target`, nd `node`, f_j is `functions[j]`, getCache and insertCache are the dictionary `preimages`.
Invariant: preimages[nd] = f⁻¹(nd), and f⁻¹(¬nd) = ¬f⁻¹(nd) beside it: a complemented edge costs nothing. As this depends on
           the node alone, it stays true from one call to the next, and when variables are reordered.
Deviates:  (¬f_j ∧ low) ∨ (f_j ∧ high) is one operation of BDD packages, if-then-else; a stack in place of the recursion, for sets
           may have more levels than Python has frames; a variable without a function stands for itself.
Cost:      one if-then-else for each node of the set. `VectorComposition` is the same inside the BDD package.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Generic

from coarsest.bdd.protocol import F, Manager

MOST_PREIMAGES: Final = 1 << 17
"""When the preimages of more nodes are held for the next call, all are forgotten."""


class Inverse(Generic[F]):
    def __init__(self, manager: Manager[F], functions: Mapping[int, F]) -> None:
        self.manager = manager
        self.functions = functions
        self.preimages: dict[F, F] = {}
        self.operations = 0
        """Operations on functions up to now."""

    def of(self, target: F) -> F:
        """f⁻¹(Γ')."""
        manager, preimages = self.manager, self.preimages
        if not 0 < len(preimages) < MOST_PREIMAGES:
            preimages.clear()
            preimages |= {manager.true: manager.true, manager.false: manager.false}
        waiting = [target]
        while waiting:
            node = waiting[-1]
            if node in preimages:
                waiting.pop()
                continue
            j, high, low = manager.children(node)  # type: ignore[misc]  # the constants have their preimages
            below = [child for child in (high, low) if child not in preimages]
            if below:
                waiting += below
                continue
            f = self.functions.get(j, manager.var(j))
            preimage = manager.ite(f, preimages[high], preimages[low])
            self.operations += 1
            preimages[node], preimages[~node] = preimage, ~preimage
        return preimages[target]
