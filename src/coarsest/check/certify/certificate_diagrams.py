"""Sets and choices taken out of the engine: decision diagrams that share their nodes."""

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
    """A certificate would have more nodes than may be written."""


class DiagramWriter:
    """Writes functions of any number of spaces as decision diagrams."""

    def __init__(self, most_nodes: int | None = None) -> None:
        self.most_nodes = most_nodes
        self._bits: dict[Bit, int] = {}
        self._nodes: dict[DiagramNode, int] = {}
        self._bit_of: dict[int, dict[int, Bit]] = {}
        """For each manager, the bit that each BDD variable is."""
        self._roots: dict[int, dict[Any, int]] = {}
        self._spaces: list[SymbolicSpace[Any]] = []  # kept so that the identity of a manager stays its own

    @property
    def graphs(self) -> DecisionDiagrams:
        return DecisionDiagrams(tuple(self._bits), tuple(self._nodes))

    def choice(self, space: SymbolicSpace[Any], bits: list[tuple[int, Any]]) -> StepChoice:
        """A choice given by BDD variables and their functions."""
        self._register(space)
        bit_of = self._bit_of[id(space.manager)]
        return StepChoice(tuple((self._bit(bit_of[variable]), self.root(space, function)) for variable, function in bits))

    def listed(self, space: ListedSpace, states: ExplicitSet, variables: Sequence[Variable]) -> int:
        """The root of a set of listed states, as far as some variables tell them apart."""
        from coarsest.space.decision_rows import decided

        bits = [Bit(v.name, number) for v in variables for number in reversed(range(bits_of(v.type)))]
        self._require_room(space.count(states) * len(bits) // BITS_FOR_A_NODE)

        def test(column: int, low: int, high: int) -> int:
            return low if low == high else self._node(DiagramNode(self._bit(bits[column]), high, low))

        return decided(space.rows_of_bits(states, variables), (0, 1), test)

    def clause(self, literals: Iterable[tuple[str, int, bool]]) -> int:
        """The root of a clause: at least one of the bits has the value given with it."""
        root = 0
        for name, number, value in literals:
            bit = self._bit(Bit(name, number))
            root = self._node(DiagramNode(bit, 1, root) if value else DiagramNode(bit, root, 1))
        return root

    def where_equal(self, machine: Machine, merged: Mapping[str, Expr], root: int) -> int:
        """The root of the part of a set in which merged variables, which it does not mention, have their values."""
        for name, value in merged.items() if root else ():
            kind = machine.variables[name].type
            for number in range(bits_of(kind)):
                if isinstance(value, Constant):
                    high, low = (root, 0) if code_of(kind, value.value) >> number & 1 else (0, root)
                else:
                    other, negated = (value.args[0], True) if isinstance(value, Apply) else (value, False)
                    assert isinstance(other, Name)
                    bit = self._bit(Bit(other.name, number))
                    tests = [self._node(DiagramNode(bit, root, 0)), self._node(DiagramNode(bit, 0, root))]
                    high, low = reversed(tests) if negated else tests
                root = self._node(DiagramNode(self._bit(Bit(name, number)), high, low))
        return root

    def _node(self, node: DiagramNode) -> int:
        number = self._nodes.setdefault(node, len(self._nodes) + 2)
        self._require_room(len(self._nodes))
        return number

    def expect(self, nodes: int, choices: int) -> None:
        """Raise TooLarge if there is no room for this many nodes and choices of one bit, which take longer."""
        self._require_room(nodes + NODES_FOR_A_CHOICE * choices)

    def _require_room(self, nodes: int) -> None:
        if self.most_nodes is not None and nodes > self.most_nodes:
            raise TooLarge(f"its certificate would have more than {self.most_nodes} nodes")

    def _bit(self, bit: Bit) -> int:
        return self._bits.setdefault(bit, len(self._bits))

    def _register(self, space: SymbolicSpace[Any]) -> None:
        key = id(space.manager)
        if key in self._roots:
            return
        self._spaces.append(space)
        self._roots[key] = {space.manager.false: 0, space.manager.true: 1}
        self._bit_of[key] = {
            variable: Bit(name, number, after)
            for name, slots in space.layout.slots.items()
            for after, variables in ((False, slots.now), (True, slots.after))
            for number, variable in enumerate(variables)
        }

    def root(self, space: SymbolicSpace[Any], function: Any) -> int:
        """The root of a function."""
        self._register(space)
        manager = space.manager
        self._require_room(manager.size(function))
        roots, bit_of = self._roots[id(manager)], self._bit_of[id(manager)]
        waiting = [function]
        while waiting:
            top = waiting[-1]
            if top in roots:
                waiting.pop()
                continue
            variable, high, low = manager.children(top) or (0, manager.true, manager.false)
            missing = [child for child in (high, low) if child not in roots]
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            roots[top] = self._node(DiagramNode(self._bit(bit_of[variable]), roots[high], roots[low]))
        return roots[function]
