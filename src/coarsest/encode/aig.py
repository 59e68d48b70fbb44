"""And-inverter graphs: Boolean functions as networks of conjunctions with two operands, and negation.

Reference: Kuehlmann, Krohm 1997, "Equivalence checking using cuts and heaps" (structural hashing); Brummayer, Biere 2006,
           "Local two-level and-inverter graph minimization without blowup" (the rules below).
Symbols:   an edge is a whole number, twice its node and one more where it is negated; node 0 is false.
Invariant: operands have smaller numbers than the conjunction, so that numbers are a topological order; no two conjunctions have
           the same operands.
Deviates:  of the two-level rules, those that look at one operand's operands.
Cost:      one look-up for each conjunction; nothing is ever removed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

FALSE: Final = 0
TRUE: Final = 1


class AigEdge:
    """A function: a node of the graph, or its negation."""

    __slots__ = ("aig", "code")

    def __init__(self, aig: Aig, code: int) -> None:
        self.aig = aig
        self.code = code

    def __and__(self, other: AigEdge) -> AigEdge:
        return AigEdge(self.aig, self.aig.both(self.code, other.code))

    def __or__(self, other: AigEdge) -> AigEdge:
        return AigEdge(self.aig, self.aig.both(self.code ^ 1, other.code ^ 1) ^ 1)

    def __xor__(self, other: AigEdge) -> AigEdge:
        return AigEdge(self.aig, self.aig.differ(self.code, other.code))

    def __invert__(self) -> AigEdge:
        return AigEdge(self.aig, self.code ^ 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AigEdge) and self.code == other.code

    def __hash__(self) -> int:
        return self.code


class Aig:
    """A graph with its variables, numbered 0, 1, … as they were added."""

    def __init__(self) -> None:
        self.operands: list[tuple[int, int] | None] = [None]
        """Of each node: the edges it is the conjunction of; None for false and for variables."""
        self.names: list[str] = []
        self.nodes: list[int] = []
        """The node of each variable."""
        self.variable_of: dict[int, int] = {}
        self._conjunctions: dict[tuple[int, int], int] = {}
        self.true = AigEdge(self, TRUE)
        self.false = AigEdge(self, FALSE)

    def add_variables(self, names: Sequence[str]) -> range:
        first = len(self.names)
        for name in names:
            self.variable_of[len(self.operands)] = len(self.names)
            self.nodes.append(len(self.operands))
            self.operands.append(None)
            self.names.append(name)
        return range(first, len(self.names))

    def var(self, number: int) -> AigEdge:
        return AigEdge(self, 2 * self.nodes[number])

    def ite(self, condition: AigEdge, then: AigEdge, otherwise: AigEdge) -> AigEdge:
        if then.code == otherwise.code:
            return then
        if then.code == otherwise.code ^ 1:
            return ~(condition ^ then)
        return ~(~(condition & then) & ~(~condition & otherwise))

    def differ(self, a: int, b: int) -> int:
        """Exactly one of the two edges."""
        return self.both(self.both(a, b ^ 1) ^ 1, self.both(a ^ 1, b) ^ 1) ^ 1

    def both(self, a: int, b: int) -> int:
        """The conjunction of two edges."""
        if a > b:
            a, b = b, a
        if a == FALSE or a == b ^ 1:
            return FALSE
        if a in (TRUE, b):
            return b
        if (shorter := self._shorter(a, b)) is not None:
            return shorter
        node = self._conjunctions.get((a, b))
        if node is None:
            node = self._conjunctions[a, b] = len(self.operands)
            self.operands.append((a, b))
        return 2 * node

    def _shorter(self, a: int, b: int) -> int | None:
        """The conjunction where an operand of one edge is the other edge, or its negation."""
        for edge, other in ((b, a), (a, b)):
            below = self.operands[edge >> 1]
            if below is None or (other not in below and other ^ 1 not in below):
                continue
            if not edge & 1:  # (x ∧ y) ∧ x = x ∧ y;  (x ∧ y) ∧ ¬x = false
                return edge if other in below else FALSE
            if other ^ 1 in below:  # ¬(¬x ∧ y) ∧ x = x
                return other
            x, y = below
            return self.both(other, (y if x == other else x) ^ 1)  # ¬(x ∧ y) ∧ x = x ∧ ¬y
        return None

    # Looking into functions

    def cone(self, roots: Iterable[int], outside: Collection[int] = ()) -> list[int]:
        """The nodes below some edges, operands first; without those `outside`, and what is below these alone."""
        waiting = [edge >> 1 for edge in roots if edge >> 1 not in outside]
        inside = set(waiting)
        while waiting:
            for edge in self.operands[waiting.pop()] or ():
                if edge >> 1 not in inside and edge >> 1 not in outside:
                    inside.add(edge >> 1)
                    waiting.append(edge >> 1)
        return sorted(inside)

    def support(self, f: AigEdge) -> set[int]:
        """The variables below: f may not depend on all of them."""
        return {self.variable_of[node] for node in self.cone([f.code]) if node in self.variable_of}

    def values(self, roots: Iterable[int], leaves: Mapping[int, bool]) -> dict[int, bool]:
        """The value of each node below the roots, when the variables have these values."""
        truth = {0: False}
        for node in self.cone(roots):
            below = self.operands[node]
            if below is not None:
                truth[node] = all(truth[edge >> 1] != bool(edge & 1) for edge in below)
            elif node:
                truth[node] = leaves[self.variable_of[node]]
        return truth

    def evaluate(self, f: AigEdge, values: Mapping[int, bool]) -> bool:
        return self.values([f.code], values)[f.code >> 1] != bool(f.code & 1)

    def substitution(self, replacements: Mapping[int, AigEdge]) -> dict[int, int]:
        return {self.nodes[number]: edge.code for number, edge in replacements.items()}

    def substitute(self, f: AigEdge, substitution: Any) -> AigEdge:
        return AigEdge(self, self.put_in({**substitution}, f.code))

    def put_in(self, images: dict[int, int], edge: int) -> int:
        """What becomes of an edge when nodes become their images, among which those of all nodes on the way are noted."""
        images.setdefault(0, FALSE)
        for node in self.cone([edge], images):
            below = self.operands[node]
            images[node] = 2 * node if below is None else self.both(*(images[part >> 1] ^ (part & 1) for part in below))
        return images[edge >> 1] ^ (edge & 1)

    def tidy(self) -> None:
        """There is nothing to collect."""
