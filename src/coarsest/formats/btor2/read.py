"""BTOR2 to machines: states are state variables, inputs are inputs, lines that are read more than once are definitions.

A state without `init` may begin with any value; one without `next` has any value at any time. A bad state is an invariant that
must not be violated, a justice property an LTL formula; constraints count up to the step at which something bad happens, as in
AIGER. An array is one variable for each element.
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
    same_elements,
    with_element,
)
from coarsest.logic.expr import Apply, Expr, Name, conjunction
from coarsest.logic.show import show
from coarsest.model.machine import Kind, Machine, Property, Variable, invariant, ltl
from coarsest.model.types import Boolean, WordType
from coarsest.text import Source
from coarsest.text.printable import title_of

MOST_ELEMENTS: Final = 1 << 18
"""The most values of elements that all lines about arrays together write out."""

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
    """The names of the variables that each input and each state becomes, by the number of its line."""
    return _variable_names([node for node in nodes if node.tag in ("input", "state")], CircuitNames({}))


def _variable_names(nodes: Iterable[BtorNode], names: CircuitNames) -> dict[int, list[str]]:
    names_by_line: dict[int, list[str]] = {}
    for node in nodes:
        name = names.free(node.symbol, f"{node.tag}_{node.number}")
        names_by_line[node.number] = elements_called(name, node.sort)
    return names_by_line


def elements_called(name: str, sort: Sort) -> list[str]:
    """A name for each element of an array, or the name itself.

    >>> elements_called("mem", Sort(8, 1)), elements_called("n", Sort(8))
    (['mem[0]', 'mem[1]'], ['n'])
    """
    return [f"{name}[{number}]" for number in range(1 << sort.index_width)] if sort.index_width else [name]


def _require_bearable_arrays(nodes: Sequence[BtorNode]) -> None:
    """Every value of an element is written out: there is an end to that."""
    elements = 0
    for node in nodes:
        elements += 1 << node.sort.index_width if node.sort.index_width else 0
        if elements > MOST_ELEMENTS:
            hint = f"at most {MOST_ELEMENTS} values of elements are handled"
            raise Unsupported("there are too many lines about large arrays", node.span, hint=hint)


class _Translation:
    """A file on its way to a machine."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.nodes = nodes_of(source)
        _require_bearable_arrays(self.nodes)
        self.names = CircuitNames({})
        self.definitions: dict[str, Expr] = {}
        self._sorts = {node.number: node.sort for node in self.nodes if node.tag in OPERATORS}
        self._values: dict[int, Elements] = {}
        self._depths: dict[int, int] = {}
        self._uses = Counter(abs(operand) for node in self.nodes for operand in node.operands)

    def machine(self) -> Machine:
        equations = {tag: {node.operands[0]: node for node in self._of(tag)} for tag in ("init", "next")}
        variables = self._variables(equations["init"], equations["next"])
        titles = {node.number: self.names.free(node.symbol, f"{node.tag}_{place}") for node, place in self._claims()}
        for node in self.nodes:
            if node.tag in OPERATORS and node.number not in self._values:
                self._translate(node)
        outputs = [name for node in self._of("output") for name in self._define(titles[node.number], node.operands[0])]
        constraints, fairness = (
            [Name(name) for node in self._of(tag) for name in self._define(titles[node.number], node.operands[0])]
            for tag in ("constraint", "fair")
        )
        properties = [
            *(self._invariant(node, titles[node.number], constraints) for node in self._of("bad")),
            *(self._justice(node, titles[node.number], constraints) for node in self._of("justice")),
        ]
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

    def _claims(self) -> list[tuple[BtorNode, int]]:
        """What is said of the circuit, each with its place among those of its kind."""
        return [(node, place) for tag in CLAIMS for place, node in enumerate(self._of(tag))]

    # Variables

    def _variables(self, initial: dict[int, BtorNode], following: dict[int, BtorNode]) -> dict[str, Variable]:
        """What a state begins with may depend on others: they are part of the state, even if nothing keeps their values."""
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
                values = self._short(node.operands[1]) * len(names)
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
            short = node.tag in REPEATING
            values = [(self._short(operand) if short else self._value(operand))[0] for operand in node.operands]
            widths = [self._sorts[abs(operand)].width for operand in node.operands]
            return (applied(node.tag, values, widths, node.parameters, self._shortened),)
        match node.tag, node.operands:
            case "read", (array, index):
                return (element(self._value(array), self._short(index)[0]),)
            case "write", (array, index, value):
                return tuple(with_element(self._value(array), self._short(index)[0], self._short(value)[0]))
            case "ite", (condition, then, otherwise):
                (where,) = self._short(condition)
                return tuple(choice(where, *pair) for pair in zip(self._value(then), self._value(otherwise)))
            case _, (one, other):
                equal = same_elements(self._value(one), self._value(other))
                return (equal if node.tag == "eq" else negated(equal),)
        raise AssertionError(node.tag)

    def _value(self, operand: int) -> Elements:
        values = self._values[abs(operand)]
        return values if operand > 0 else tuple(map(negated, values))

    def _short(self, operand: int) -> Elements:
        """The value in a form that may be repeated."""
        return tuple(map(self._shortened, self._value(operand)))

    def _shortened(self, value: Expr) -> Expr:
        if not isinstance(value, Apply):
            return value
        name = self.names.free("", f"part_{len(self.definitions)}")
        self.definitions[name] = value
        return Name(name)

    def _name(self, node: BtorNode) -> None:
        """Give the value of a line a name; what is one anyway needs none, unless there is a symbol."""
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

    # Properties

    def _invariant(self, node: BtorNode, name: str, constraints: list[Name]) -> Property:
        self.definitions[name] = conjunction([*self._value(node.operands[0]), *constraints])
        formula = Apply("not", (Name(name),))
        return invariant(formula, node.symbol or name, f"!{name}", span=node.span)

    def _justice(self, node: BtorNode, name: str, constraints: list[Name]) -> Property:
        """Not all the conditions are true again and again while the constraints hold."""
        parts: list[Expr] = []
        conditions = [self._value(operand)[0] for operand in node.operands] or [constant(1, 1)]
        for number, condition in enumerate(conditions):
            part = self.names.free("", f"{name}_{number}")
            self.definitions[part] = conjunction([condition, *constraints])
            parts.append(Apply("G", (Apply("F", (Name(part),)),)))
        formula = Apply("not", (conjunction(parts),))
        return ltl(formula, node.symbol or name, show(formula), span=node.span)
