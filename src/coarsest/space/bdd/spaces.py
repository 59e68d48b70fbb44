"""The symbolic spaces of one task.

A manager's room for nodes is set by the memory limit and committed only when it is used, so that small models stay small. When
it is full in spite of collecting and reordering, the limit is reached.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Run, Statistic
from coarsest.space.bdd.build import build
from coarsest.space.bdd.symbolic import SymbolicSpace
from coarsest.space.carrier import Spaces


class SymbolicSpaces(Spaces[SymbolicSpace[Any]]):
    """Builds spaces of BDDs."""

    carrier = "bdd"
    holds = "nodes"
    measure = "peak_nodes"

    def __init__(self, options: BuildOptions, run: Run) -> None:
        super().__init__(options, run)
        self._product: SymbolicSpace[Any] | None = None
        self._peak_of_products = 0

    def _built(self, machine: Machine) -> SymbolicSpace[Any]:
        orders = [space.order_found for space in self._spaces.values()]
        return build(machine, self.run, replace(self.options, like=max(orders, key=len, default=())))

    def account_for(self, product: SymbolicSpace[Any]) -> None:
        """Its nodes count in the statistics, until the next one comes."""
        self._peak_of_products = self._peak()
        self._product = product

    def _peak(self) -> int:
        if self._product is None:
            return self._peak_of_products
        return max(self._peak_of_products, self._product.manager.live_nodes, self._product.manager.peak_nodes)

    def statistics(self) -> dict[str, Statistic]:
        managers = [space.manager for space in self._spaces.values()]
        live = [manager.live_nodes for manager in managers]
        peak = max([sum(live), *(m.peak_nodes for m in managers), self._peak()])
        return {"nodes": sum(live), "peak_nodes": peak}

    def order(self) -> list[str]:
        largest = max(self._spaces.values(), key=lambda space: len(space.machine.variables), default=None)
        if largest is None:
            return []
        return [largest.manager.names[place] for place in largest.manager.order if place not in largest.layout.now_of_after]
