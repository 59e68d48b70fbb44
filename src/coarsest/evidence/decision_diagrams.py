"""Decision diagrams over the bits of a machine's variables: sets of states and choices of steps, without any engine.

All diagrams of a certificate share their nodes. Node 0 is false and node 1 true; nodes[i] has the number i + 2, and its children
come before it. A diagram is the number of its first node.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from coarsest.errors import EvidenceRejected
from coarsest.logic.expr import Apply, Expr, Name, Value, Word
from coarsest.model.machine import Machine
from coarsest.model.types import Boolean, Enumeration, Range, Type, WordType, show_value


class Bit(NamedTuple):
    """A bit of a variable, now or after the step; the lowest has the place 0."""

    variable: str
    place: int
    after: bool = False


class DiagramNode(NamedTuple):
    """A test of a bit, which leads to node `high` if the bit is 1, to node `low` if it is 0."""

    bit: int
    high: int
    low: int


class DecisionDiagrams(Struct, frozen=True):
    """Nodes that are shared by any number of diagrams."""

    bits: Sequence[Bit]
    nodes: Sequence[DiagramNode]

    def contains(self, root: int, state: Mapping[str, Value], types: Mapping[str, Type]) -> bool:
        """Does a state belong to the set that begins at a node?"""
        codes: dict[str, int] = {}
        while root > 1:
            number, high, low = self.nodes[root - 2]
            name, place, _ = self.bits[number]
            code = codes.get(name)
            if code is None:
                code = codes[name] = code_of(types[name], state[name])
            root = high if code >> place & 1 else low
        return root == 1

    def reached_from(self, roots: Sequence[int]) -> Iterator[int]:
        """The numbers of the nodes of some diagrams, children before parents; without 0 and 1."""
        reached = set(roots)
        for number in range(len(self.nodes) + 1, 1, -1):
            if number in reached:
                _, high, low = self.nodes[number - 2]
                reached |= {high, low}
        return (number for number in sorted(reached) if number > 1)

    def tests(self, root: int) -> set[Bit]:
        """The bits that a diagram tests."""
        return {self.bits[self.nodes[number - 2].bit] for number in self.reached_from([root])}


def code_of(kind: Type, value: Value) -> int:
    """The bits of a value: in a range, its distance from the lowest value; in an enumeration, its index."""
    match kind, value:
        case Boolean(), bool():
            return int(value)
        case Range(low, _), int():
            return value - low
        case Enumeration(members), str() | int():
            return members.index(value)
        case WordType(), Word(bits, _, _):
            return bits
    raise EvidenceRejected(f"{show_value(value)} is not a value of type {kind}")


def value_of(kind: Type, code: int) -> Value:
    """The value with these bits."""
    match kind:
        case Boolean():
            return bool(code)
        case Range(low, _):
            return low + code
        case Enumeration(members):
            return members[code]
        case WordType(width, signed):
            return Word(code, width, signed)
    raise AssertionError(kind)


def has_one_value(machine: Machine, expr: Expr) -> bool:
    """Does the text of an expression, with its definitions, leave no choice? Then a certificate need not choose."""
    waiting, visited = [expr], set[int]()
    while waiting:
        part = waiting.pop()
        if id(part) in visited:
            continue
        visited.add(id(part))
        if isinstance(part, Name) and part.name in machine.definitions:
            waiting.append(machine.definitions[part.name])
        elif isinstance(part, Apply) and part.op in ("set", "union"):
            return False
        elif isinstance(part, Apply) and part.op != "in":
            waiting.extend(part.args)
    return True
