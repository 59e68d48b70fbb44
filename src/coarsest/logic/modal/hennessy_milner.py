"""Formulas of Hennessy–Milner logic, with operators for branching bisimulation and labels, as shared trees without recursion.

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
    deadlock                there is no transition
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import Final, NamedTuple

from msgspec import Struct, field

from coarsest.text.printable import printable

LONGEST_TREE: Final = 200
"""Parts of formulas with more nodes get names, where they are used again."""
PLAIN = re.compile(r"[^\s<>()\[\]{}\"\\]+\Z")
DEEPEST_TEXT: Final = 60
"""A part gets a name where its text would be nested more deeply."""


class ModalNode(NamedTuple):
    """A node: its kind, the action or label that it mentions, and the numbers of its parts."""

    kind: str
    name: str = ""
    parts: tuple[int, ...] = ()


MODAL = frozenset({"diamond", "until", "diverges", "deadlock"})


class Formula(Struct, frozen=True, dict=True):
    """A list of nodes. The last node is the formula; the parts of a node come before it."""

    nodes: tuple[ModalNode, ...]

    def __str__(self) -> str:
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


class Builder(Struct, dict=True):
    """Makes formulas; equal ones are made once.

    >>> make = Builder()
    >>> one = make.diamond("a", make.conjunction([make.true, make.negation(make.diamond("b", make.true))]))
    >>> make.formula(one).depth
    2
    """

    nodes: list[ModalNode] = field(default_factory=list)
    _places: dict[ModalNode, int] = field(default_factory=dict)

    def _add(self, node: ModalNode) -> int:
        place = self._places.get(node)
        if place is None:
            place = self._places[node] = len(self.nodes)
            self.nodes.append(node)
        return place

    @property
    def true(self) -> int:
        return self._add(ModalNode("true"))

    def label(self, name: str) -> int:
        return self._add(ModalNode("label", name))

    def negation(self, part: int) -> int:
        inner = self.nodes[part]
        return inner.parts[0] if inner.kind == "not" else self._add(ModalNode("not", "", (part,)))

    def conjunction(self, parts: Iterable[int]) -> int:
        """Flat, without repetitions; of one part: that part."""
        flat: dict[int, None] = {}
        for part in parts:
            node = self.nodes[part]
            flat.update(dict.fromkeys(node.parts if node.kind == "and" else () if node.kind == "true" else (part,)))
        if not flat:
            return self.true
        return next(iter(flat)) if len(flat) == 1 else self._add(ModalNode("and", "", tuple(flat)))

    def diamond(self, action: str, part: int) -> int:
        return self._add(ModalNode("diamond", action, (part,)))

    def until(self, along: int, action: str, part: int) -> int:
        return self._add(ModalNode("until", action, (along, part)))

    def diverges(self, along: int) -> int:
        return self._add(ModalNode("diverges", "", (along,)))

    def deadlock(self, action: str = "") -> int:
        """Perhaps with the action of the step to itself that such states have in the graph that is looked at."""
        return self._add(ModalNode("deadlock", action))

    def formula(self, root: int) -> Formula:
        """The formula at a place, with its own parts only, in the order in which its text names them."""
        moved: dict[int, int] = {}
        nodes: list[ModalNode] = []
        stack = [root]
        while stack:
            place = stack[-1]
            missing = [part for part in self.nodes[place].parts if part not in moved]
            if place in moved or not missing:
                stack.pop()
                if place not in moved:
                    moved[place] = len(nodes)
                    kind, name, parts = self.nodes[place]
                    nodes.append(ModalNode(kind, "" if kind == "deadlock" else name, tuple(moved[part] for part in parts)))
            else:
                stack += reversed(missing)
        return Formula(tuple(nodes))


class _Text(NamedTuple):
    """A formula and its negation, as text."""

    plain: str
    negated: str
    bound: bool = True
    """Does the formula bind as strongly as a negation?"""

    @property
    def tight(self) -> str:
        return self.plain if self.bound else f"({self.plain})"


def show(formula: Formula) -> str:
    """The text of a formula: a tree where that is short, otherwise with definitions after `where`. `[a]φ` is `!<a>!φ`.

    >>> make = Builder()
    >>> show(make.formula(make.diamond("a", make.negation(make.diamond("b c", make.true)))))
    '<a>["b c"]false'
    """
    named = _named(formula)
    texts: list[_Text] = []
    definitions: list[str] = []
    for place, node in enumerate(formula.nodes):
        text = _node_text(node, [texts[part] for part in node.parts])
        if place in named:
            name = f"X{len(definitions) + 1}"
            definitions.append(f"{name} = {text.plain}")
            text = _Text(name, f"!{name}")
        texts.append(text)
    return texts[-1].plain + (f" where {'; '.join(definitions)}" if definitions else "")


def _named(formula: Formula) -> set[int]:
    """Places that get a name: those that are used again in a long formula, and some on the way down a deep one."""
    uses = Counter(part for node in formula.nodes for part in node.parts)
    named: set[int] = set()
    heights: list[int] = []
    long = formula.tree_size > LONGEST_TREE
    for place, node in enumerate(formula.nodes):
        height = 1 + max((heights[part] for part in node.parts), default=0)
        last = place == len(formula.nodes) - 1
        again = long and uses[place] > 1 and height > 2 and node.kind != "not"
        if not last and (again or height >= DEEPEST_TEXT):
            named.add(place)
            height = 0
        heights.append(height)
    return named


def _node_text(node: ModalNode, parts: list[_Text]) -> _Text:
    match node.kind:
        case "label":
            text = f"label {_quoted(node.name)}"
            return _Text(text, f"!{text}")
        case "not":
            return _Text(parts[0].negated, parts[0].tight)
        case "and":
            text = " & ".join(part.tight for part in parts)
            return _Text(text, f"!({text})", bound=False)
        case "diamond":
            action = action_text(node.name)
            return _Text(f"<{action}>{parts[0].tight}", f"[{action}]{parts[0].negated}")
        case "until":
            if parts[0].plain == "true":
                action = action_text(node.name)
                return _Text(f"<<{action}>>{parts[1].tight}", f"[[{action}]]{parts[1].negated}")
            text = f"({parts[0].tight} U <{action_text(node.name)}>{parts[1].tight})"
            return _Text(text, f"!{text}")
        case "diverges":
            text = f"diverges({parts[0].plain})"
            return _Text(text, f"!{text}")
        case "deadlock":
            return _Text("deadlock", "!deadlock")
    return _Text("true", "false")


def _quoted(name: str) -> str:
    return '"' + printable(name.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def action_text(name: str) -> str:
    r"""An action as formulas write it: in quotes if it contains blanks or signs that formulas use, or what cannot be shown.

    >>> print(action_text("send"), action_text("send 1"), action_text("bell\x07"))
    send "send 1" "bell\x07"
    """
    return name if PLAIN.match(name) and name.isprintable() else _quoted(name)
