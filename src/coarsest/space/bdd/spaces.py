"""The symbolic spaces of one task.

A manager's room for nodes is set by the memory limit and committed only when it is used, so that small models stay small. When
it is full in spite of collecting and reordering, the limit is reached.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from coarsest.encode.layout import Bit
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
        self._peak_before = 0
        """Of products and spaces that were forgotten."""
        self._built_for: dict[object, frozenset[str]] = {}
        self._order: list[str] = []
        self._order_found: tuple[Bit, ...] = ()
        """Of the largest space, or the longest, of those that were forgotten."""

    def _built(self, machine: Machine) -> SymbolicSpace[Any]:
        orders = [space.order_found for space in self._spaces.values()]
        return build(machine, self.run, replace(self.options, like=max([*orders, self._order_found], key=len)))

    def release(self, cone: frozenset[str], needed: Collection[frozenset[str]]) -> list[SymbolicSpace[Any]]:
        """Each has a manager of its own, with some megabytes of room."""
        built_for = {key: self._built_for.setdefault(key, cone) for key in self._spaces}
        gone = [key for key, space in self._spaces.items()
                if built_for[key] not in needed and frozenset(space.machine.variables) not in needed]  # fmt: skip
        self._peak_before, self._order = self._peak_of_all(), self.order()
        self._order_found = max([self._order_found, *(self._spaces[key].order_found for key in gone)], key=len)
        self._product = None
        forgotten = [self._spaces.pop(key) for key in gone]
        for space in forgotten:
            vars(space).pop("parts", None)  # which know their space, so that it would wait for a collection of garbage
        return forgotten

    def account_for(self, product: SymbolicSpace[Any]) -> None:
        """Its nodes count in the statistics, until the next one comes."""
        self._peak_before = self._peak()
        self._product = product

    def _peak(self) -> int:
        if self._product is None:
            return self._peak_before
        return max(self._peak_before, self._product.manager.live_nodes, self._product.manager.peak_nodes)

    def statistics(self) -> dict[str, Statistic]:
        return {"nodes": self._live(), "peak_nodes": self._peak_of_all()}

    def _live(self) -> int:
        return sum(space.manager.live_nodes for space in self._spaces.values())

    def _peak_of_all(self) -> int:
        return max([self._live(), *(space.manager.peak_nodes for space in self._spaces.values()), self._peak()])

    def order(self) -> list[str]:
        largest = max(self._spaces.values(), key=lambda space: len(space.machine.variables), default=None)
        if largest is None:
            return self._order
        places = [place for place in largest.manager.order if place not in largest.layout.now_of_after]
        return max([largest.manager.names[place] for place in places], self._order, key=len)
