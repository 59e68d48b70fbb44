"""The structure of a machine as a coloured graph, whose automorphisms are likely to be symmetries of the machine.

Vertices are variables, values, and operators with their operands; equal expressions are one vertex, definitions are expanded.
Operands whose order does not matter are joined to an operator directly, others through a vertex for the position. Values of
variables that are only compared, chosen and copied have vertices that automorphisms may permute; numbers in arithmetic or
comparisons of order have different colours.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from coarsest.logic.expr import Apply, Constant, Expr, Name, Value, conjuncts
from coarsest.model.machine import Machine
from coarsest.model.types import Enumeration, Range

MOST_VALUES: Final = 256
"""Values of larger types have different colours."""

FREE_ORDER = frozenset({"and", "or", "xor", "xnor", "iff", "=", "!=", "+", "*", "set", "union", "count", "min", "max"})
FREE_BRACKETS = frozenset({"and", "or", "xor", "+", "*", "set", "union"})
COPYING = frozenset({"=", "!=", "in", "set", "union", "case", "next"})
"""These operators copy values, or ask only whether they are equal."""

Colour = Hashable


class ModelStructure:
    """The graph: colours by vertex, and edges from each vertex."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 80 * len(machine.definitions)))  # definitions are expanded recursively
        self.colours: list[Colour] = []
        self.edges: list[tuple[int, ...]] = []
        self._vertices: dict[tuple[Colour, tuple[int, ...]], int] = {}
        self._nodes: dict[tuple[int, str | None], int] = {}
        self._held: list[Expr] = []
        self._sorts = _Sorts(machine)
        self.values: dict[tuple[str, Value], int] = {}
        self.variables: dict[str, int] = {}
        for name, variable in machine.variables.items():
            sort = self._sorts.of(name)
            root = () if sort is None else (self._vertex(("values",), (), own=("sort", sort)),)
            self.variables[name] = self._vertex((variable.kind, str(variable.type)), root, own=name)
        for time, equations in enumerate((machine.initial_values, machine.current_values, machine.next_values)):
            for name, value in equations.items():
                self._ordered(("equation", time), (self.variables[name], self._node(value, self._sorts.of(name))))
        constraints = (machine.initial_constraints, machine.invariant_constraints, machine.transition_constraints)
        for time, parts in enumerate(constraints):
            for part in parts:
                for piece in conjuncts(part):
                    self._vertex(("constraint", time), (self._node(piece, None),))

    def _vertex(self, colour: Colour, edges: Sequence[int], *, own: Hashable = None) -> int:
        """The vertex with a colour and edges; `own` distinguishes vertices that look the same."""
        key = ((colour, own), tuple(edges))
        if key not in self._vertices:
            self._vertices[key] = len(self.colours)
            self.colours.append(colour)
            self.edges.append(tuple(edges))
        return self._vertices[key]

    def _ordered(self, colour: Colour, operands: Sequence[int]) -> int:
        return self._vertex(colour, [self._vertex(("position", i), (operand,)) for i, operand in enumerate(operands)])

    def _unordered(self, colour: Colour, operands: Sequence[int]) -> int:
        """An operator whose operands have no order. Repetitions of an operand are numbered."""
        edges = [
            self._vertex(("again", earlier), (operand,)) if (earlier := operands[:position].count(operand)) else operand
            for position, operand in enumerate(operands)
        ]
        return self._vertex(colour, sorted(edges))

    # Expressions

    def _node(self, expr: Expr, sort: str | None) -> int:
        """The vertex of an expression whose values are of a sort, or of none if automorphisms must keep them."""
        key = id(expr), sort
        if key not in self._nodes:
            self._held.append(expr)  # no other expression gets its identity while this one lives
            self._nodes[key] = self._made(expr, sort)
        return self._nodes[key]

    def _made(self, expr: Expr, sort: str | None) -> int:
        match expr:
            case Constant(value):
                return self._constant(value, sort)
            case Name(name) if name in self.variables:
                return self.variables[name]
            case Name(name):
                return self._node(self.machine.definitions[name], sort)
            case Apply("case", args):
                return self._case(args, sort)
            case Apply(">" | ">=" as op, (left, right)):
                return self._node(Apply("<" if op == ">" else "<=", (right, left)), sort)
        inner = sort if expr.op in ("set", "union", "next") else self._sorts.among(expr.args) if expr.op in COPYING else None
        operands = [self._node(arg, inner) for arg in self._flat(expr)]
        return (self._unordered if expr.op in FREE_ORDER else self._ordered)((expr.op,), operands)

    def _flat(self, expr: Apply) -> Iterator[Expr]:
        """The operands. Operands with the same associative operator are replaced by their own, in definitions, too."""
        for arg in expr.args:
            opened = arg
            while isinstance(opened, Name) and opened.name in self.machine.definitions:
                opened = self.machine.definitions[opened.name]
            if expr.op in FREE_BRACKETS and isinstance(opened, Apply) and opened.op == expr.op:
                yield from self._flat(opened)
            else:
                yield arg

    def _constant(self, value: Value, sort: str | None) -> int:
        if sort is None:
            return self._vertex(("constant", type(value).__name__, str(value)), ())
        key = sort, value
        if key not in self.values:
            self.values[key] = self._vertex(("value",), (self._vertex(("values",), (), own=("sort", sort)),), own=value)
        return self.values[key]

    def _case(self, args: Sequence[Expr], sort: str | None) -> int:
        """A case expression. Adjacent branches with one value are one branch; branches that exclude each other have no order."""
        branches: list[tuple[list[Expr], int]] = []
        for condition, outcome in zip(args[::2], args[1::2]):
            node = self._node(outcome, sort)
            if branches and branches[-1][1] == node:
                branches[-1][0].append(condition)
            else:
                branches.append(([condition], node))
        last = branches.pop() if branches[-1][0] == [Constant(True)] else None
        pairs = []
        for conditions, value in branches:
            nodes = [self._node(condition, None) for condition in conditions]
            met = nodes[0] if len(nodes) == 1 else self._unordered(("or",), nodes)
            pairs.append(self._ordered(("branch",), (met, value)))
        free = exclude_each_other([condition for conditions, _ in branches for condition in conditions])
        otherwise = [] if last is None else [self._vertex(("otherwise",), (last[1],))]
        if free:
            return self._vertex(("case",), sorted([*pairs, *otherwise]))
        return self._ordered(("case", "in order"), [*pairs, *otherwise])

    def all_values(self) -> None:
        """Make a vertex for every value of every sort, mentioned or not."""
        for name, variable in self.machine.variables.items():
            sort = self._sorts.of(name)
            if sort is not None:
                for value in variable.type.values():
                    self._constant(value, sort)

    def sort_of(self, name: str) -> str | None:
        return self._sorts.of(name)


def exclude_each_other(conditions: Sequence[Expr]) -> bool:
    """Do all conditions compare one expression with different values?"""
    compared: list[dict[Expr, Constant]] = []
    for condition in conditions:
        values: dict[Expr, Constant] = {}
        for part in conjuncts(condition):
            match part:
                case Apply("=", (expr, Constant() as value)) | Apply("=", (Constant() as value, expr)):
                    values[expr] = value
        compared.append(values)
    candidates = compared[0] if compared else {}
    return any(len({values.get(expr) for values in compared} - {None}) == len(compared) for expr in candidates)


class _Sorts:
    """The sorts of variables: variables whose values meet have one sort. Values in arithmetic or orders have none."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._of_definition: dict[str, str | None] = {}
        self._parent: dict[str, str] = {}
        self._counted: set[str] = set()
        for name, variable in machine.variables.items():
            if isinstance(variable.type, Enumeration | Range) and variable.type.size <= MOST_VALUES:
                self._parent[name] = name
        self._met: set[int] = set()
        for equations in (machine.initial_values, machine.current_values, machine.next_values):
            for name, value in equations.items():
                self._joined([self._root(name), self.among([value])])
                self._walk(value)
        for parts in (machine.initial_constraints, machine.invariant_constraints, machine.transition_constraints):
            for part in parts:
                self._walk(part)
        for body in machine.definitions.values():
            self._walk(body)

    def of(self, name: str) -> str | None:
        """The sort of a variable's values, if automorphisms may permute them."""
        root = self._root(name)
        return None if root is None or any(self._root(other) == root for other in self._counted) else root

    def among(self, exprs: Sequence[Expr]) -> str | None:
        """The sort of the values of some expressions, whose sorts are united."""
        return self._joined([self._sort(expr) for expr in exprs])

    def _root(self, name: str) -> str | None:
        if name not in self._parent:
            return None
        while self._parent[name] != name:
            self._parent[name] = name = self._parent[self._parent[name]]
        return name

    def _joined(self, sorts: Sequence[str | None]) -> str | None:
        roots = [root for sort in sorts if sort is not None and (root := self._root(sort)) is not None]
        for root in roots[1:]:
            first, other = self._root(roots[0]), self._root(root)
            assert first is not None and other is not None
            self._parent[other] = first
        return self._root(roots[0]) if roots else None

    def _sort(self, expr: Expr) -> str | None:
        match expr:
            case Name(name) if name in self._machine.variables:
                return self._root(name)
            case Name(name):
                if name not in self._of_definition:
                    self._of_definition[name] = None
                    self._of_definition[name] = self._sort(self._machine.definitions[name])
                sort = self._of_definition[name]
                return None if sort is None else self._root(sort)
            case Apply("case", args):
                return self.among(args[1::2])
            case Apply("set" | "union" | "next", args):
                return self.among(args)
        return None

    def _walk(self, expr: Expr) -> None:
        """Unite the sorts of expressions that are compared, and note those that arithmetic uses."""
        waiting = [expr]
        while waiting:
            here = waiting.pop()
            if id(here) in self._met or not isinstance(here, Apply):
                continue
            self._met.add(id(here))
            waiting.extend(here.args)
            if here.op in ("=", "!=", "in"):
                self.among(here.args)
            elif here.op not in COPYING:
                self._counted.update(sort for arg in here.args if (sort := self._sort(arg)) is not None)
