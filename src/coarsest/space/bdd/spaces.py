"""The symbolic spaces of one task: each machine built once, all within one budget.

A manager's room for nodes is set by the memory limit and committed only when it is used, so that small models stay small. When
it is full in spite of collecting and reordering, the limit is reached.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from coarsest.errors import LimitExceeded
from coarsest.model.machine import Kind, Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.bdd.symbolic import SymbolicSpace

T = TypeVar("T")


class Spaces:
    """Builds the space of each machine once."""

    def __init__(self, options: BuildOptions, run: Run) -> None:
        self.options = options
        self.run = run
        self._spaces: dict[frozenset[tuple[str, Kind]], SymbolicSpace[Any]] = {}
        self._product: SymbolicSpace[Any] | None = None
        self._peak_of_products = 0

    def space(self, machine: Machine) -> SymbolicSpace[Any]:
        """The space of the machine, or of one of its cones: those with the same variables of the same kinds are the same here."""
        key = frozenset((name, variable.kind) for name, variable in machine.variables.items())  # inputs may be promoted
        if key not in self._spaces:
            self._spaces[key] = build(machine, self.run, self.options)
        return self._spaces[key]

    def account_for(self, product: SymbolicSpace[Any]) -> None:
        """A space built for one formula only: its nodes count in the statistics, until the next one comes."""
        self._peak_of_products = self._peak()
        self._product = product

    def _peak(self) -> int:
        if self._product is None:
            return self._peak_of_products
        return max(self._peak_of_products, self._product.manager.live_nodes, self._product.manager.peak_nodes)

    def within_limits(self, work: Callable[[], T]) -> T:
        """Do the work; no memory for a manager is a limit reached, like a manager that is full."""
        try:
            return work()
        except MemoryError:
            raise LimitExceeded("memory", "there is no more room for nodes within the memory limit") from None

    def statistics(self) -> dict[str, int | float | str]:
        managers = [space.manager for space in self._spaces.values()]
        live = [manager.live_nodes for manager in managers]
        peak = max([sum(live), *(m.peak_nodes for m in managers), self._peak()])
        return {"nodes": sum(live), "peak_nodes": peak}

    def order(self) -> list[str]:
        """The names of the BDD variables of the largest space built, from the top of the order down."""
        largest = max(self._spaces.values(), key=lambda space: len(space.machine.variables), default=None)
        if largest is None:
            return []
        return [largest.manager.names[place] for place in largest.manager.order if place not in largest.layout.now_of_after]
