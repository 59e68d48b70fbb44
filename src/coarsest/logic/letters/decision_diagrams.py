"""Guards as small decision diagrams, for more atoms than a truth table can hold.

They are not for state spaces, as `bdd` is: labels of automata have few nodes, and importing a BDD package would take longer.

Reference: Bryant, Graph-based algorithms for boolean function manipulation, 1986.
Symbols:   `level` is the number of the atom that a node tests; the two ends have the level ENDS.
Invariant: equal functions are the same object, so equality is identity.
Deviates:  no complemented edges, no garbage collection, the order is the order of the atoms.
Cost:      an operation visits at most the product of the sizes of its operands, each pair once in the life of the alphabet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, cast

from coarsest.logic.expr import Expr
from coarsest.logic.letters.guards import Alphabet, Guard

ENDS: Final = 1 << 30
"""The level of the two ends, which is below those of all atoms."""


class Diagram:
    """A node: one of the two ends, or a test of an atom."""

    __slots__ = ("high", "level", "low", "number", "table")

    def __init__(self, table: LetterDiagrams, number: int, level: int, low: Diagram | None, high: Diagram | None) -> None:
        self.table = table
        self.number = number
        self.level = level
        self.low = self if low is None else low
        self.high = self if high is None else high

    def __and__(self, other: Diagram) -> Diagram:
        return self.table.combine("and", self, other)

    def __or__(self, other: Diagram) -> Diagram:
        return self.table.combine("or", self, other)

    def __xor__(self, other: Diagram) -> Diagram:
        return self.table.combine("xor", self, other)

    def __bool__(self) -> bool:
        return self.number != 0

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other


class LetterDiagrams(Alphabet):
    """Sets of letters as diagrams.

    >>> from coarsest.logic.expr import Name
    >>> letters = LetterDiagrams([Name("a"), Name("b")])
    >>> letters.cover(letters.atom(0) ^ letters.atom(1))
    [(1, 2), (2, 1)]
    """

    full: Diagram
    empty: Diagram

    def __init__(self, atoms: Iterable[Expr]) -> None:
        super().__init__(atoms)
        self.empty = Diagram(self, 0, ENDS, None, None)
        self.full = Diagram(self, 1, ENDS, None, None)
        self._nodes: dict[tuple[int, int, int], Diagram] = {}
        self._done: dict[tuple[str, int, int], Diagram] = {}
        self._easy: dict[str, Callable[[Diagram, Diagram], Diagram | None]] = {
            "and": self._easy_and,
            "or": self._easy_or,
            "xor": self._easy_xor,
        }

    def _node(self, level: int, low: Diagram, high: Diagram) -> Diagram:
        if low is high:
            return low
        key = (level, low.number, high.number)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Diagram(self, len(self._nodes) + 2, level, low, high)
        return node

    def combine(self, op: str, left: Diagram, right: Diagram) -> Diagram:
        """`left op right`."""
        easy = self._easy[op](left, right)
        if easy is not None:
            return easy
        key = (op, left.number, right.number) if left.number < right.number else (op, right.number, left.number)
        result = self._done.get(key)
        if result is None:
            level = min(left.level, right.level)
            left_low, left_high = (left.low, left.high) if left.level == level else (left, left)
            right_low, right_high = (right.low, right.high) if right.level == level else (right, right)
            low = self.combine(op, left_low, right_low)
            result = self._done[key] = self._node(level, low, self.combine(op, left_high, right_high))
        return result

    def _easy_and(self, left: Diagram, right: Diagram) -> Diagram | None:
        if left is right or right is self.full or left is self.empty:
            return left
        return right if left is self.full or right is self.empty else None

    def _easy_or(self, left: Diagram, right: Diagram) -> Diagram | None:
        if left is right or right is self.empty or left is self.full:
            return left
        return right if left is self.empty or right is self.full else None

    def _easy_xor(self, left: Diagram, right: Diagram) -> Diagram | None:
        if left is right:
            return self.empty
        return left if right is self.empty else right if left is self.empty else None

    def atom(self, number: int) -> Diagram:
        return self._node(number, self.empty, self.full)

    def cofactors(self, guard: Guard, number: int) -> tuple[Diagram, Diagram]:
        return self._restrict(cast("Diagram", guard), number)

    def _restrict(self, node: Diagram, number: int) -> tuple[Diagram, Diagram]:
        if node.level > number:
            return node, node
        if node.level == number:
            return node.low, node.high
        low_without, low_with = self._restrict(node.low, number)
        high_without, high_with = self._restrict(node.high, number)
        return self._node(node.level, low_without, high_without), self._node(node.level, low_with, high_with)

    def contains(self, guard: Guard, letter: int) -> bool:
        node = cast("Diagram", guard)
        while node.level != ENDS:
            node = node.high if letter >> node.level & 1 else node.low
        return node is self.full

    def pick(self, guard: Guard) -> int:
        node, letter = cast("Diagram", guard), 0
        while node.level != ENDS:
            if node.low is self.empty:
                letter |= 1 << node.level
                node = node.high
            else:
                node = node.low
        return letter
