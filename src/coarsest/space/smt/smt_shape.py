"""The boolean shape of a formula as a tree of Python objects: it is walked often, and must not go through z3 each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import z3

Literal: TypeAlias = tuple[int, bool]
"""The number of an atom, and whether it is to be true."""

Node: TypeAlias = tuple[str, tuple["Node", ...], int]
"""An operator with its operands; or `atom`, with the number of the atom."""


class Shape:
    """A formula as a tree; `atoms` are the parts that are not made of truths.

    An equation between numbers is taken for two inequalities: one of them may be all that a set needs, and where the equation is
    false, the model says on which side.
    """

    def __init__(self, z3: Any, formula: z3.BoolRef) -> None:
        self.z3 = z3
        self.atoms: list[Any] = []
        self.equations: dict[tuple[int, int], Any] = {}
        """The equations, by the numbers of their two inequalities."""
        self._numbers: dict[int, int] = {}
        self._nodes: dict[int, Node] = {}
        self.root = self._node(formula)

    def _node(self, formula: z3.BoolRef) -> Node:
        key = formula.get_id()
        known = self._nodes.get(key)
        if known is None:
            known = self._nodes[key] = self._made(formula)
        return known

    def _made(self, formula: z3.BoolRef) -> Node:
        z3 = self.z3
        kind = formula.decl().kind()
        word = {
            z3.Z3_OP_TRUE: "and", z3.Z3_OP_FALSE: "or", z3.Z3_OP_AND: "and", z3.Z3_OP_OR: "or", z3.Z3_OP_NOT: "not",
            z3.Z3_OP_IMPLIES: "implies", z3.Z3_OP_ITE: "if", z3.Z3_OP_XOR: "xor", z3.Z3_OP_EQ: "iff", z3.Z3_OP_DISTINCT: "xor",
        }.get(kind)  # fmt: skip
        operands = formula.children()
        if word is None or (word in ("iff", "xor") and not (len(operands) == 2 and z3.is_bool(operands[0]))):
            return self._equation(formula, *operands) if word == "iff" else self._atom(formula)
        return (word, tuple(map(self._node, operands)), 0)

    def _equation(self, formula: z3.BoolRef, left: z3.ArithRef, right: z3.ArithRef) -> Node:
        z3 = self.z3
        if any(z3.is_mod(part) or z3.is_idiv(part) for part in _parts(left)):
            return self._atom(formula)
        sides = [self._atom(z3.simplify(side, arith_lhs=True)) for side in (left <= right, left >= right)]
        self.equations[sides[0][2], sides[1][2]] = formula
        return ("and", tuple(sides), 0)

    def _atom(self, formula: z3.BoolRef) -> Node:
        number = self._numbers.setdefault(formula.get_id(), len(self.atoms))
        if number == len(self.atoms):
            self.atoms.append(formula)
        return ("atom", (), number)

    def holds(self, truth: Callable[[int], bool]) -> bool:
        """Is the formula true, if its atoms are as `truth` says?"""
        return _holds(self.root, truth)

    def implicant(self, truth: Callable[[int], bool], *, wanted: bool) -> list[Literal]:
        """Literals, true as `truth` says, that make the formula true (or false, if that is wanted)."""
        found: dict[Literal, None] = {}
        waiting = [(self.root, wanted)]
        while waiting:
            (word, operands, number), aim = waiting.pop()
            match word:
                case "atom":
                    found[number, aim] = None
                case "not":
                    waiting.append((operands[0], not aim))
                case "and" | "or" if (word == "and") == aim:
                    waiting.extend((operand, aim) for operand in operands)
                case "and" | "or":
                    waiting.append((next(operand for operand in operands if _holds(operand, truth) == aim), aim))
                case "implies" if not aim:
                    waiting += ((operands[0], True), (operands[1], False))
                case "implies":
                    waiting.append((operands[0], False) if not _holds(operands[0], truth) else (operands[1], True))
                case "if":
                    chosen = _holds(operands[0], truth)
                    waiting += ((operands[0], chosen), (operands[1] if chosen else operands[2], aim))
                case _:
                    waiting.extend((operand, _holds(operand, truth)) for operand in operands)
        return list(found)


def _parts(term: z3.ExprRef) -> Iterator[Any]:
    yield term
    for part in term.children():
        yield from _parts(part)


def _holds(node: Node, truth: Callable[[int], bool]) -> bool:
    word, operands, number = node
    match word:
        case "atom":
            return truth(number)
        case "not":
            return not _holds(operands[0], truth)
        case "and":
            return all(_holds(operand, truth) for operand in operands)
        case "or":
            return any(_holds(operand, truth) for operand in operands)
        case "implies":
            return not _holds(operands[0], truth) or _holds(operands[1], truth)
        case "if":
            return _holds(operands[1] if _holds(operands[0], truth) else operands[2], truth)
        case "iff":
            return _holds(operands[0], truth) == _holds(operands[1], truth)
    return _holds(operands[0], truth) != _holds(operands[1], truth)
