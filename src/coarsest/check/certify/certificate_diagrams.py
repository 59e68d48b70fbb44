"""Sets and choices taken out of the engine: decision graphs that share their nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from coarsest.encode.layout import bits_of, code_of
from coarsest.evidence.certificate import StepChoice
from coarsest.evidence.decision_diagrams import Bit, DecisionDiagrams, DiagramNode
from coarsest.evidence.effort import NotConfirmed
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.model.machine import Machine, Variable
from coarsest.space.bdd.symbolic import SymbolicSpace

if TYPE_CHECKING:
    from coarsest.space.explicit.explicit import ExplicitSet
    from coarsest.space.explicit.listed import ListedSpace


NODES_FOR_A_CHOICE: Final = 50
"""Choosing one bit takes as much work as writing this many nodes."""


BITS_FOR_A_NODE: Final = 3_000
"""Sorting as many bits of listed states takes as much work as writing a node."""


class TooLarge(NotConfirmed):
    """It takes more nodes than may be written."""


class DiagramWriter:
    """Writes functions of any number of spaces as graphs."""

    def __init__(self, most_nodes: int | None = None) -> None:
        self.most_nodes = most_nodes
        self._bits: dict[Bit, int] = {}
        self._nodes: dict[DiagramNode, int] = {}
        self._places: dict[int, dict[int, Bit]] = {}
        """Of each manager: which bit a BDD variable is."""
        self._roots: dict[int, dict[Any, int]] = {}
        self._spaces: list[SymbolicSpace[Any]] = []  # kept so that the identity of a manager stays its own

    @property
    def graphs(self) -> DecisionDiagrams:
        return DecisionDiagrams(tuple(self._bits), tuple(self._nodes))

    def choice(self, space: SymbolicSpace[Any], bits: list[tuple[int, Any]]) -> StepChoice:
        """A choice whose bits are BDD variables with functions."""
        self._know(space)
        places = self._places[id(space.manager)]
        return StepChoice(tuple((self._bit(places[place]), self.root(space, function)) for place, function in bits))

    def listed(self, space: ListedSpace, states: ExplicitSet, variables: Sequence[Variable]) -> int:
        """The node at which a set of listed states begins, as far as some variables tell them apart."""
        from coarsest.space.decision_rows import decided

        bits = [Bit(v.name, place) for v in variables for place in reversed(range(bits_of(v.type)))]
        self._require_room(space.count(states) * len(bits) // BITS_FOR_A_NODE)

        def test(place: int, low: int, high: int) -> int:
            return low if low == high else self._node(DiagramNode(self._bit(bits[place]), high, low))

        return decided(space.rows_of_bits(states, variables), (0, 1), test)

    def clause(self, literals: Iterable[tuple[str, int, bool]]) -> int:
        """The node at which a clause begins: one of the bits has the value beside it."""
        root = 0
        for name, place, value in literals:
            bit = self._bit(Bit(name, place))
            root = self._node(DiagramNode(bit, 1, root) if value else DiagramNode(bit, root, 1))
        return root

    def where_equal(self, machine: Machine, merged: Mapping[str, Expr], root: int) -> int:
        """The part of a set in which variables of the machine that are not mentioned there are equal to others."""
        for name, value in merged.items() if root else ():
            kind = machine.variables[name].type
            for place in range(bits_of(kind)):
                if isinstance(value, Constant):
                    high, low = (root, 0) if code_of(kind, value.value) >> place & 1 else (0, root)
                else:
                    other, negated = (value.args[0], True) if isinstance(value, Apply) else (value, False)
                    assert isinstance(other, Name)
                    bit = self._bit(Bit(other.name, place))
                    tests = [self._node(DiagramNode(bit, root, 0)), self._node(DiagramNode(bit, 0, root))]
                    high, low = reversed(tests) if negated else tests
                root = self._node(DiagramNode(self._bit(Bit(name, place)), high, low))
        return root

    def _node(self, node: DiagramNode) -> int:
        number = self._nodes.setdefault(node, len(self._nodes) + 2)
        self._require_room(len(self._nodes))
        return number

    def expect(self, nodes: int, choices: int) -> None:
        """Raise TooLarge if there is no room for so many nodes, and as many choices of one bit, which take longer."""
        self._require_room(nodes + NODES_FOR_A_CHOICE * choices)

    def _require_room(self, nodes: int) -> None:
        if self.most_nodes is not None and nodes > self.most_nodes:
            raise TooLarge(f"its certificate would have more than {self.most_nodes} nodes")

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
        self._require_room(manager.size(function))
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
            known[top] = self._node(DiagramNode(self._bit(places[place]), known[high], known[low]))
        return known[function]
