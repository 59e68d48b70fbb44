"""Formulas of Hennessy–Milner logic, with what branching bisimulation and state labels need, as shared trees without recursion.

A formula that tells two graphs apart may be as deep as the graphs, so it is a list of nodes in which parts come before the
wholes.

    true                    every state
    label "p"               states that carry the label p
    ! φ    φ & ψ
    <a>φ                    some transition with action a leads to a state with φ; [a]φ is written for !<a>!φ, and false for !true
    (φ U <a>ψ)              internal transitions along states with φ, then a transition with a, to a state with ψ;
                            if a is internal itself, that last transition may be left out; <<a>>ψ is written for
                            (true U <a>ψ), and [[a]]ψ for !<<a>>!ψ
    diverges(φ)             some path of internal transitions through states with φ never ends
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field


class Node(NamedTuple):
    """One node: its kind, the action or label it names, and the places of its parts."""

    kind: str
    name: str = ""
    parts: tuple[int, ...] = ()


MODAL = frozenset({"diamond", "until", "diverges"})


class Formula(Struct, frozen=True, dict=True):
    """The last node is the formula; the parts of a node stand before it."""

    nodes: tuple[Node, ...]

    def __str__(self) -> str:
        from coarsest.logic.modal.hennessy_milner_text import show

        return show(self)

    @cached_property
    def depth(self) -> int:
        """How many modalities are nested."""
        depths: list[int] = []
        for node in self.nodes:
            depths.append(max((depths[part] for part in node.parts), default=0) + (node.kind in MODAL))
        return depths[-1]

    @cached_property
    def tree_size(self) -> int:
        """How many nodes it has when nothing is shared."""
        sizes: list[int] = []
        for node in self.nodes:
            sizes.append(1 + sum(sizes[part] for part in node.parts))
        return sizes[-1]

    @property
    def negations(self) -> bool:
        """Does a negation occur?"""
        return any(node.kind == "not" for node in self.nodes)


class Builder(Struct, dict=True):
    """Makes formulas; equal ones are made once.

    >>> make = Builder()
    >>> one = make.diamond("a", make.conjunction([make.true, make.negation(make.diamond("b", make.true))]))
    >>> make.formula(one).depth
    2
    """

    nodes: list[Node] = field(default_factory=list)
    _places: dict[Node, int] = field(default_factory=dict)

    def _add(self, node: Node) -> int:
        place = self._places.get(node)
        if place is None:
            place = self._places[node] = len(self.nodes)
            self.nodes.append(node)
        return place

    @property
    def true(self) -> int:
        return self._add(Node("true"))

    def label(self, name: str) -> int:
        return self._add(Node("label", name))

    def negation(self, part: int) -> int:
        inner = self.nodes[part]
        return inner.parts[0] if inner.kind == "not" else self._add(Node("not", "", (part,)))

    def conjunction(self, parts: Iterable[int]) -> int:
        """Flat, without repetitions; of one part: that part."""
        flat: dict[int, None] = {}
        for part in parts:
            node = self.nodes[part]
            flat.update(dict.fromkeys(node.parts if node.kind == "and" else () if node.kind == "true" else (part,)))
        if not flat:
            return self.true
        return next(iter(flat)) if len(flat) == 1 else self._add(Node("and", "", tuple(flat)))

    def diamond(self, action: str, part: int) -> int:
        return self._add(Node("diamond", action, (part,)))

    def until(self, along: int, action: str, part: int) -> int:
        return self._add(Node("until", action, (along, part)))

    def diverges(self, along: int) -> int:
        return self._add(Node("diverges", "", (along,)))

    def formula(self, root: int) -> Formula:
        """The formula at a place, with its own parts only, in the order in which its text names them."""
        moved: dict[int, int] = {}
        kept: list[Node] = []
        stack = [root]
        while stack:
            place = stack[-1]
            missing = [part for part in self.nodes[place].parts if part not in moved]
            if place in moved or not missing:
                stack.pop()
                if place not in moved:
                    moved[place] = len(kept)
                    kept.append(self.nodes[place]._replace(parts=tuple(moved[part] for part in self.nodes[place].parts)))
            else:
                stack += reversed(missing)
        return Formula(tuple(kept))
