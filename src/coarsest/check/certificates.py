"""Certificates from symbolic sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from coarsest.evidence.invariants import InductiveInvariant, Node
from coarsest.system.symbolic import SymbolicSet, SymbolicSpace


@dataclass(frozen=True, slots=True)
class SymbolicInvariant:
    """An inductive invariant that is still a set of a symbolic space; `graph()` takes it out of the engine."""

    space: SymbolicSpace[Any]
    states: SymbolicSet[Any]

    @property
    def members(self) -> int:
        return self.space.count(self.states)

    @property
    def summary(self) -> str:
        nodes = self.space.size(self.states)
        return f"an inductive invariant of {self.members} states ({nodes} nodes) implies it"

    def graph(self) -> InductiveInvariant:
        """The invariant as a decision graph that can be written down and checked without the engine."""
        manager = self.space.manager
        place = {}
        for name, slots in self.space.layout.slots.items():
            place.update({number: (name, bit) for bit, number in enumerate(slots.now)})
        number_of = {manager.false: 0, manager.true: 1}
        nodes: list[Node] = []
        waiting = [self.states.function]
        while waiting:
            function = waiting[-1]
            if function in number_of:
                waiting.pop()
                continue
            top, high, low = manager.children(function) or (0, manager.true, manager.false)
            missing = [child for child in (high, low) if child not in number_of]
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            name, bit = place[top]
            nodes.append(Node(name, bit, number_of[high], number_of[low]))
            number_of[function] = len(nodes) + 1
        return InductiveInvariant(nodes, number_of[self.states.function], self.members)
