"""Sets and choices taken out of the BDD engine: decision graphs that share their nodes."""

from __future__ import annotations

from typing import Any

from coarsest.evidence.certificate import Choice
from coarsest.evidence.decision_graphs import Bit, DecisionGraphs, Node
from coarsest.evidence.effort import NotConfirmed
from coarsest.space.bdd.symbolic import SymbolicSpace


class GraphWriter:
    """Writes functions of any number of spaces as graphs."""

    def __init__(self, most_nodes: int | None = None) -> None:
        self.most_nodes = most_nodes
        self._bits: dict[Bit, int] = {}
        self._nodes: dict[Node, int] = {}
        self._places: dict[int, dict[int, Bit]] = {}
        """Of each manager: which bit a BDD variable is."""
        self._roots: dict[int, dict[Any, int]] = {}
        self._spaces: list[SymbolicSpace[Any]] = []  # kept so that the identity of a manager stays its own

    @property
    def graphs(self) -> DecisionGraphs:
        return DecisionGraphs(tuple(self._bits), tuple(self._nodes))

    def choice(self, space: SymbolicSpace[Any], bits: list[tuple[int, Any]]) -> Choice:
        """A choice whose bits are BDD variables with functions."""
        self._know(space)
        places = self._places[id(space.manager)]
        return Choice(tuple((self._bit(places[place]), self.root(space, function)) for place, function in bits))

    def _bit(self, bit: Bit) -> int:
        return self._bits.setdefault(bit, len(self._bits))

    def _know(self, space: SymbolicSpace[Any]) -> None:
        key = id(space.manager)
        if key in self._roots:
            return
        self._spaces.append(space)
        self._roots[key] = {space.manager.false: 0, space.manager.true: 1}
        places = self._places[key] = {}
        for name, slots in space.layout.slots.items():
            for after, numbers in ((False, slots.now), (True, slots.after)):
                for place, number in enumerate(numbers):
                    places[number] = Bit(name, place, after)

    def root(self, space: SymbolicSpace[Any], function: Any) -> int:
        """The node at which a function begins."""
        self._know(space)
        manager = space.manager
        known, places = self._roots[id(manager)], self._places[id(manager)]
        waiting = [function]
        while waiting:
            top = waiting[-1]
            if top in known:
                waiting.pop()
                continue
            place, high, low = manager.children(top) or (0, manager.true, manager.false)
            missing = [child for child in (high, low) if child not in known]
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            node = Node(self._bit(places[place]), known[high], known[low])
            known[top] = self._nodes.setdefault(node, len(self._nodes) + 2)
            if self.most_nodes is not None and len(self._nodes) > self.most_nodes:
                raise NotConfirmed(f"its certificate would have more than {self.most_nodes} nodes")
        return known[function]
