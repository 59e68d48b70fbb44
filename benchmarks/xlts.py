"""Symbolic labelled transition systems as Sigref writes them (`.xlts`, a BDD in XML), or LTSmin (`.bdd`, the nodes of Sylvan).

Only what `python -m benchmarks.minimisers` needs: such a system as a space for symbolic signatures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from struct import calcsize, unpack_from
from typing import Any
from xml.etree import ElementTree

from msgspec import Struct

from coarsest.bdd.oxidd import OxiddManager
from coarsest.reduce.partition.observed import Observed
from coarsest.space.bdd.actions import _Steps
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.symbolic import SymbolicSet
from coarsest.space.carrier import Action

Set = SymbolicSet[Any]
FIRST_ACTION = 1_000_000
"""Sylvan's first variable of actions. The present value of the bit i is variable 2i, the next one 2i + 1."""
COMPLEMENTED, INDEX, VARIABLE = 63, (1 << 40) - 1, 40
"""In an edge of Sylvan: the bit that says so, the bits of the node, and where the variable begins beside the second edge."""


class Symbolic(Struct):
    """What is in a file. Without states, they are all that have a transition or are entered by one, and all are initial."""

    manager: OxiddManager
    after_of: Mapping[int, int]
    action_bits: Sequence[int]
    relation: Any
    states: Any = None
    initial: Any = None


class _Relation(Monolithic[Any]):
    """The steps with one relation, as a function."""

    def __init__(self, system: Symbolic, relation: Any) -> None:
        manager, after_of = system.manager, system.after_of
        self.manager, self.relation, self.now_of_after = manager, relation, {after: now for now, after in after_of.items()}
        self.now, self.after = manager.cube(after_of), manager.cube(after_of.values())
        self.to_after = manager.substitution({now: manager.var(after) for now, after in after_of.items()})
        self.to_now = manager.substitution({after: manager.var(now) for now, after in after_of.items()})


class XltsSpace:
    """The states of a file."""

    def __init__(self, path: Path) -> None:
        system = _of_sylvan(path) if path.suffix == ".bdd" else _of_xml(path)
        manager = self.manager = system.manager
        self.bits = list(system.after_of)
        self.relation = _Relation(system, manager.exists(system.relation, manager.cube(system.action_bits)))
        sources = manager.exists(self.relation.relation, manager.cube(system.after_of.values()))
        self.states = self.set(sources | self.relation.post(manager.true) if system.states is None else system.states)
        self.initial = self.states if system.initial is None else self.set(system.initial)
        self.empty = self.set(manager.false)
        self.parts = [self]
        self.actions = tuple(self._actions(system))
        steps = _Steps(self, self.relation)  # type: ignore[arg-type]  # all that they ask for
        self.post, self.pre = steps.post, steps.pre

    def _actions(self, system: Symbolic) -> Sequence[Action[Set]]:
        manager = self.manager
        found, left = [], manager.exists(system.relation, manager.cube({*system.after_of, *system.after_of.values()}))
        while left != manager.false:
            values = {bit: (manager.pick(left) or {}).get(bit, False) for bit in system.action_bits}
            left = left & ~self.cube(values)
            number = sum(1 << i for i, bit in enumerate(system.action_bits) if values[bit])
            relation = _Relation(system, manager.restrict(system.relation, values))
            found.append(Action({"action": number}, _Steps(self, relation)))  # type: ignore[arg-type]
        return found

    def set(self, function: Any) -> Set:
        return SymbolicSet(function, self.manager)

    def cube(self, literals: Mapping[int, bool]) -> Any:
        result = self.manager.true
        for place in sorted(literals, reverse=True):
            variable = self.manager.var(place)
            result = (variable if literals[place] else ~variable) & result
        return result

    def cost(self, states: Set) -> dict[str, int]:
        return {"nodes": self.manager.live_nodes}

    def count(self, states: Set) -> int:
        return self.manager.count(states.function, len(self.bits))

    def observed(self) -> Observed[Any]:
        """Nothing is seen of the states, and every action is seen."""
        return Observed(self, (self.states,), self.actions)  # type: ignore[arg-type]


def _of_xml(path: Path) -> Symbolic:
    root = ElementTree.parse(path).getroot()
    variables = {int(v.get("index", "")): v for v in root.iter("variable")}
    manager = OxiddManager()
    manager.add_variables([str(variables[i].get("name")) for i in sorted(variables)])
    place = {index: number for number, index in enumerate(sorted(variables))}
    after_of = {place[i]: place[int(v.get("corr", ""))] for i, v in variables.items() if v.get("type") == "ps"}
    action_bits = [place[i] for i, v in variables.items() if v.get("type") == "in"]
    return Symbolic(manager, after_of, action_bits, _function(next(root.iter("dd")), manager, place))


def _function(element: ElementTree.Element, manager: OxiddManager, place: Mapping[int, int]) -> Any:
    """A node is defined where it is met first, within its parent; later it is referred to."""
    known: dict[str, Any] = {}

    def of(edge: ElementTree.Element | None) -> Any:
        assert edge is not None
        value, reference = edge.get("const_value"), edge.get("node_ref")
        if value is not None:
            return manager.true if value == "1" else manager.false
        return known[reference] if reference is not None else node(edge.find("dd_node"))

    def node(found: ElementTree.Element | None) -> Any:
        assert found is not None
        variable = manager.var(place[int(found.get("index", ""))])
        high = of(found.find("dd_then"))
        function = manager.ite(variable, high, of(found.find("dd_else")))
        known[str(found.get("id"))] = function
        return function

    return node(element.find("dd_node"))


class _Sylvan:
    """Nodes of Sylvan, numbered from 1 on as they come, in a file of numbers."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0
        parts, bits, self.action_bits = self.numbers("3i")
        self.bits = parts * bits
        names = [f"{kind}{i}" for i in range(self.bits) for kind in ("now", "after")]
        self.manager = OxiddManager()
        self.manager.add_variables(names + [f"action{i}" for i in range(self.action_bits)])
        self._functions = [self.manager.false]

    def numbers(self, form: str) -> tuple[int, ...]:
        self._at += calcsize("<" + form)
        return unpack_from("<" + form, self._content, self._at - calcsize("<" + form))

    def functions(self, number: int) -> list[Any]:
        """So many functions, after the nodes that they need and that were not there before."""
        for _ in range(self.numbers("Q")[0]):
            high, low = self.numbers("2Q")
            place = low >> VARIABLE
            variable = self.manager.var(place if place < FIRST_ACTION else 2 * self.bits + place - FIRST_ACTION)
            self._functions.append(self.manager.ite(variable, self._edge(high), self._edge(low & INDEX)))
        return [self._edge(edge) for edge in self.numbers(f"{number}Q")]

    def _edge(self, edge: int) -> Any:
        function = self._functions[edge & INDEX]
        return ~function if edge >> COMPLEMENTED else function

    def unchanged(self, places: set[int]) -> Any:
        """Bits that are not among some variables stay as they are."""
        result = self.manager.true
        for bit in reversed(range(self.bits)):
            if places.isdisjoint((2 * bit, 2 * bit + 1)):
                result = self.manager.iff(self.manager.var(2 * bit), self.manager.var(2 * bit + 1)) & result
        return result


def _of_sylvan(path: Path) -> Symbolic:
    """The initial states, relations with their variables, and the reachable states."""
    file = _Sylvan(path.read_bytes())
    manager, relation = file.manager, file.manager.false
    initial = file.functions(1)[0]
    file.numbers("2Q")
    for _ in range(file.numbers("i")[0]):
        part, variables = file.functions(2)
        relation = relation | (part & file.unchanged(manager.support(variables)))
    assert file.numbers("i") == (1,), "the reachable states are not in the file"
    states = file.functions(1)[0]
    after_of = {2 * bit: 2 * bit + 1 for bit in range(file.bits)}
    action_bits = range(2 * file.bits, 2 * file.bits + file.action_bits)
    return Symbolic(manager, after_of, action_bits, relation & states, states, initial)
