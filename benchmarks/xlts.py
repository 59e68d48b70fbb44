"""Symbolic labelled transition systems as Sigref writes them (`.xlts`): a BDD in XML, over present, next and action variables.

Only what `python -m benchmarks.minimisers` needs: such a system as a space for symbolic signatures, all its states initial.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from coarsest.bdd.oxidd import OxiddManager
from coarsest.reduce.partition.observed import Observed
from coarsest.space.bdd.symbolic import SymbolicSet
from coarsest.space.carrier import Action

Set = SymbolicSet[Any]


class _Steps:
    """The steps with one relation."""

    def __init__(self, space: XltsSpace, relation: Any) -> None:
        self.space = space
        self.relation = relation

    def pre(self, states: Set) -> Set:
        space = self.space
        after = space.manager.substitute(states.function, space.to_after)
        return space.set(space.manager.and_exists(after, self.relation, space.after_cube))

    def post(self, states: Set) -> Set:
        space = self.space
        after = space.manager.and_exists(states.function, self.relation, space.now_cube)
        return space.set(space.manager.substitute(after, space.to_now))


class XltsSpace:
    """The states of a file: all that have a transition or are entered by one."""

    def __init__(self, path: Path) -> None:
        root = ElementTree.parse(path).getroot()
        variables = {int(v.get("index", "")): v for v in root.iter("variable")}
        self.manager = manager = OxiddManager()
        self.manager.add_variables([str(variables[i].get("name")) for i in sorted(variables)])
        place = {index: number for number, index in enumerate(sorted(variables))}
        after_of = {place[i]: place[int(v.get("corr", ""))] for i, v in variables.items() if v.get("type") == "ps"}
        self.bits = list(after_of)
        self.now_cube, self.after_cube = manager.cube(after_of), manager.cube(after_of.values())
        self.to_after = manager.substitution({now: manager.var(after) for now, after in after_of.items()})
        self.to_now = manager.substitution({after: manager.var(now) for now, after in after_of.items()})
        relation = _function(next(root.iter("dd")), manager, place)
        self.action_bits = [place[i] for i, v in variables.items() if v.get("type") == "in"]
        whole = manager.exists(relation, manager.cube(self.action_bits))
        self.steps = _Steps(self, whole)
        sources, targets = manager.exists(whole, self.after_cube), manager.exists(whole, self.now_cube)
        self.states = self.initial = self.set(sources | manager.substitute(targets, self.to_now))
        self.empty = self.set(manager.false)
        self.parts = [self]
        self.actions = tuple(self._actions(relation))
        self.post, self.pre = self.steps.post, self.steps.pre

    def _actions(self, relation: Any) -> Sequence[Action[Set]]:
        found, left = [], self.manager.exists(relation, self.manager.cube({*self.bits, *self._after()}))
        while left != self.manager.false:
            values = {bit: (self.manager.pick(left) or {}).get(bit, False) for bit in self.action_bits}
            left = left & ~self.cube(values)
            number = sum(1 << i for i, bit in enumerate(self.action_bits) if values[bit])
            found.append(Action({"action": number}, _Steps(self, self.manager.restrict(relation, values))))
        return found

    def _after(self) -> set[int]:
        return self.manager.support(self.after_cube)

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
