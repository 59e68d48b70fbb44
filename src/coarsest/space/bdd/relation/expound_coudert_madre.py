"""Preimages through functions, top-down: for every node of the set, what leads from the root to it.

Reference: Coudert, Madre 1990 (the expound subroutine); Bustan 2002, section 6.1.1.
Symbols:   Γ' is `target`, nd_pre is `leading[nd]`, c_i is `f` on a high edge and `~f` on a low one.
Invariant: when a level is entered, leading[nd] = ∨ (nd_i,pre ∧ c_i) over all predecessors nd_i of each node nd of it.
Deviates:  what leads to the leaf 0 is not computed; a variable without a function stands for itself.
Cost:      two conjunctions and at most two disjunctions for each node of the set, where a node that is also met through a
           complemented edge counts as two nodes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Generic

from coarsest.bdd.protocol import F, Manager


class Expound(Generic[F]):
    def __init__(self, manager: Manager[F], functions: Mapping[int, F]) -> None:
        self.manager = manager
        self.functions = functions
        self.operations = 0
        """Operations on functions up to now."""

    def of(self, target: F) -> F:
        """f⁻¹(Γ'): what leads to the leaf 1."""
        manager = self.manager
        leading = {target: manager.true}
        for j, nodes in self._levels(target):
            f = self.functions.get(j, manager.var(j))
            for node, high, low in nodes:
                pre = leading.pop(node)
                for child, c in ((high, f), (low, ~f)):
                    if child == manager.false:
                        continue
                    leading[child] = leading[child] | (pre & c) if child in leading else pre & c
                    self.operations += 2
        return leading.get(manager.true, manager.false)

    def _levels(self, target: F) -> list[tuple[int, list[tuple[F, F, F]]]]:
        """The nodes of the set with their successors by variables, from the top level down: nodes do not know who is above."""
        manager = self.manager
        levels: dict[int, list[tuple[F, F, F]]] = defaultdict(list)
        met, waiting = {target}, [target]
        while waiting:
            node = waiting.pop()
            parts = manager.children(node)
            if parts is None:
                continue
            j, high, low = parts
            levels[j].append((node, high, low))
            below = [child for child in (high, low) if child not in met]
            waiting += below
            met.update(below)
        return [(j, levels[j]) for j in manager.order if j in levels]
