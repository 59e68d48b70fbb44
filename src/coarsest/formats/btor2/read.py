"""BTOR2 to machines: states are state variables, inputs are inputs, lines that are read more than once are definitions.

A state without `init` may begin with any value; a state without `next` may have any value at any time. A bad state becomes an
invariant, a justice property becomes an LTL formula; constraints count up to the step at which something bad happens, as in
AIGER. An array has one variable for each element.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from coarsest.errors import Unsupported
from coarsest.formats.aiger.read import NESTING, CircuitNames
from coarsest.formats.btor2.lines import BtorNode, nodes_of
from coarsest.formats.btor2.shapes import CLAIMS, CONSTANTS, OPERATORS, Sort
from coarsest.formats.btor2.words import (
    REPEATING,
    applied,
    choice,
    constant,
    element,
    negated,
    with_element,
)
from coarsest.logic.expr import Apply, Expr, Name, conjunction
from coarsest.logic.show import show
from coarsest.model.machine import Kind, Machine, Property, Variable, invariant, ltl
from coarsest.model.types import Boolean, WordType
from coarsest.text import Source
from coarsest.text.printable import title_of

MOST_ELEMENTS: Final = 1 << 18
"""The limit for the number of values of elements in all lines about arrays, since each of them is written out."""

Elements: TypeAlias = tuple[Expr, ...]
"""The value of a line: one expression, or one for each element of an array."""


def read(source: Source) -> Machine:
    """The machine of a file.

    >>> text = "1 sort bitvec 2\\n2 zero 1\\n3 state 1 n\\n4 init 1 3 2\\n5 inc 1 3\\n6 next 1 3 5"
    >>> read(Source("count.btor2", text)).next_values["n"]
    Apply(op='+', args=(Name(name='n'), Constant(value=Word(bits=1, width=2, signed=False))))
    """
    return _Translation(source).machine()


def variables_of(nodes: Sequence[BtorNode]) -> dict[int, list[str]]:
    """The names of the variables for each input and each state, by the number of its line."""
    return _variable_names([node for node in nodes if node.tag in ("input", "state")], CircuitNames({}))


def _variable_names(nodes: Iterable[BtorNode], names: CircuitNames) -> dict[int, list[str]]:
    return {node.number: elements_called(names.free(node.symbol, f"{node.tag}_{node.number}"), node.sort) for node in nodes}


def elements_called(name: str, sort: Sort) -> list[str]:
    """A name for each element of an array, or the name itself.

    >>> elements_called("mem", Sort(8, 1)), elements_called("n", Sort(8))
    (['mem[0]', 'mem[1]'], ['n'])
    """
    return [f"{name}[{index}]" for index in range(1 << sort.index_width)] if sort.index_width else [name]


def _require_moderate_arrays(nodes: Sequence[BtorNode]) -> None:
    elements = 0
    for node in nodes:
        elements += 1 << node.sort.index_width if node.sort.index_width else 0
        if elements > MOST_ELEMENTS:
            hint = f"at most {MOST_ELEMENTS} values of elements are handled"
            raise Unsupported("there are too many lines about large arrays", node.span, hint=hint)


class _Translation:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.nodes = nodes_of(source)
        _require_moderate_arrays(self.nodes)
        self.names = CircuitNames({})
        self.definitions: dict[str, Expr] = {}
        self._sorts = {node.number: node.sort for node in self.nodes if node.tag in OPERATORS}
        self._values: dict[int, Elements] = {}
        self._depths: dict[int, int] = {}
        self._uses = Counter(abs(operand) for node in self.nodes for operand in node.operands)

    def machine(self) -> Machine:
        equations = {tag: {node.operands[0]: node for node in self._of(tag)} for tag in ("init", "next")}
        variables = self._variables(equations["init"], equations["next"])
        titles = {node.number: self.names.free(node.symbol, f"{tag}_{index}")
                  for tag in CLAIMS for index, node in enumerate(self._of(tag))}  # fmt: skip
        for node in self.nodes:
            if node.tag in OPERATORS and node.number not in self._values:
                self._translate(node)
        outputs = [name for node in self._of("output") for name in self._define(titles[node.number], node.operands[0])]
        constraints, fairness = (
            [Name(name) for node in self._of(tag) for name in self._define(titles[node.number], node.operands[0])]
            for tag in ("constraint", "fair")
        )
        properties = []
        for node in self._of("bad"):
            bad = titles[node.number]
            self.definitions[bad] = conjunction([*self._value(node.operands[0]), *constraints])
            properties.append(invariant(Apply("not", (Name(bad),)), node.symbol or bad, f"!{bad}", span=node.span))
        properties += [self._justice(node, titles[node.number], constraints) for node in self._of("justice")]
        return Machine(
            name=title_of(self.source.name, ".btor2", ".btor"),
            variables=variables,
            definitions=self.definitions,
            initial_values=self._equations(equations["init"]),
            next_values=self._equations(equations["next"]),
            transition_constraints=tuple(constraints),
            assumptions=tuple(constraints),
            justice=tuple(fairness),
            properties=tuple(properties),
            outputs=tuple(outputs),
            source=self.source,
        )

    def _of(self, tag: str) -> list[BtorNode]:
        return [node for node in self.nodes if node.tag == tag]

    # Variables

    def _variables(self, initial: dict[int, BtorNode], following: dict[int, BtorNode]) -> dict[str, Variable]:
        """The first value of a state may depend on inputs: these become state variables, although they have no next value."""
        nodes = [node for node in self.nodes if node.tag in ("input", "state")]
        in_state = self._needed(node.operands[1] for node in initial.values()) | set(initial) | set(following)
        variables: dict[str, Variable] = {}
        names = _variable_names(nodes, self.names)
        for node in nodes:
            type_ = WordType(node.sort.width) if node.sort.width > 1 else Boolean()
            kind = Kind.STATE if node.number in in_state else Kind.INPUT
            self._values[node.number] = tuple(map(Name, names[node.number]))
            variables.update((name, Variable(name, type_, kind, node.span)) for name in names[node.number])
        return variables

    def _needed(self, roots: Iterable[int]) -> set[int]:
        """The lines that some lines depend on."""
        operands = {node.number: node.operands for node in self.nodes}
        needed: set[int] = set()
        waiting = list(map(abs, roots))
        while waiting:
            number = waiting.pop()
            if number not in needed:
                needed.add(number)
                waiting.extend(map(abs, operands[number]))
        return needed

    def _equations(self, nodes: dict[int, BtorNode]) -> dict[str, Expr]:
        """The value of each element of a state; a bit vector is the value of all elements."""
        equations: dict[str, Expr] = {}
        for state, node in nodes.items():
            names, values = self._values[state], self._value(node.operands[1])
            if len(values) < len(names):
                values = self._shared(node.operands[1]) * len(names)
            equations.update((name.name, value) for name, value in zip(names, values) if isinstance(name, Name))
        return equations

    # Values

    def _translate(self, node: BtorNode) -> None:
        if node.tag in CONSTANTS:
            self._values[node.number] = (constant(node.parameters[0], node.sort.width),)
            return
        self._values[node.number] = self._computed(node)
        depth = 1 + max((self._depths.get(abs(operand), 0) for operand in node.operands), default=0)
        depth += node.sort.index_width
        if node.symbol or (self._uses[node.number] > 1 or depth >= NESTING):
            self._name(node)
        else:
            self._depths[node.number] = depth

    def _computed(self, node: BtorNode) -> Elements:
        if not node.sort.index_width and not any(self._sorts[abs(operand)].index_width for operand in node.operands):
            value_of = self._shared if node.tag in REPEATING else self._value
            values = [value_of(operand)[0] for operand in node.operands]
            widths = [self._sorts[abs(operand)].width for operand in node.operands]
            return (applied(node.tag, values, widths, node.parameters, self._named),)
        match node.tag, node.operands:
            case "read", (array, index):
                return (element(self._value(array), self._shared(index)[0]),)
            case "write", (array, index, value):
                return tuple(with_element(self._value(array), self._shared(index)[0], self._shared(value)[0]))
            case "ite", (condition, then, otherwise):
                (where,) = self._shared(condition)
                return tuple(choice(where, *pair) for pair in zip(self._value(then), self._value(otherwise)))
            case _, (left, right):
                equal = conjunction([Apply("=", pair) for pair in zip(self._value(left), self._value(right))])
                return (equal if node.tag == "eq" else negated(equal),)
        raise AssertionError(node.tag)

    def _value(self, operand: int) -> Elements:
        values = self._values[abs(operand)]
        return values if operand > 0 else tuple(map(negated, values))

    def _shared(self, operand: int) -> Elements:
        """The value as names and constants, which may be written several times."""
        return tuple(map(self._named, self._value(operand)))

    def _named(self, value: Expr) -> Expr:
        if not isinstance(value, Apply):
            return value
        name = self.names.free("", f"part_{len(self.definitions)}")
        self.definitions[name] = value
        return Name(name)

    def _name(self, node: BtorNode) -> None:
        """Give the value of a line a name. Names and constants need no other name, unless there is a symbol."""
        values = self._values[node.number]
        if not node.symbol and not any(isinstance(value, Apply) for value in values):
            return
        name = self.names.free(node.symbol, f"node_{node.number}")
        self._values[node.number] = tuple(map(Name, self._define_all(name, node.sort, values)))

    def _define(self, name: str, operand: int) -> list[str]:
        return self._define_all(name, self._sorts[abs(operand)], self._value(operand))

    def _define_all(self, name: str, sort: Sort, values: Elements) -> list[str]:
        names = elements_called(name, sort)
        self.definitions.update(zip(names, values))
        return names

    def _justice(self, node: BtorNode, name: str, constraints: list[Name]) -> Property:
        """Not all the conditions are true again and again while the constraints hold."""
        parts: list[Expr] = []
        conditions = [self._value(operand)[0] for operand in node.operands] or [constant(1, 1)]
        for index, condition in enumerate(conditions):
            part = self.names.free("", f"{name}_{index}")
            self.definitions[part] = conjunction([condition, *constraints])
            parts.append(Apply("G", (Apply("F", (Name(part),)),)))
        formula = Apply("not", (conjunction(parts),))
        return ltl(formula, node.symbol or name, show(formula), span=node.span)
