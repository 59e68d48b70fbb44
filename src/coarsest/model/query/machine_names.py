"""The names of a machine: full names of variables and definitions, arrays of them, and symbols."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from coarsest.errors import NameProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name, subexpressions
from coarsest.model.machine import Machine
from coarsest.model.query.lower import ExpressionLowering
from coarsest.model.query.meanings import Array, Meaning, Owner, Scalar
from coarsest.model.query.numbers_as_words import beside_words
from coarsest.model.query.places import Place
from coarsest.model.query.resolve import ambiguous
from coarsest.model.types import Enumeration, WordType
from coarsest.text import Span

_INDEXED = re.compile(r"(.*)\[(-?[0-9]+)\]")


class MachineNames(ExpressionLowering):
    """Turns expressions from outside a machine into expressions over its variables and definitions."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(dict.fromkeys(listed_symbols(machine)))
        self.owner = Owner()
        self.variables, self.definitions = dict(machine.variables), dict(machine.definitions)
        self._names = dict.fromkeys((*self.variables, *self.definitions))
        self._machine = machine

    def full(self, expr: Expr, place: Place) -> Expr:
        """The expression in the given place, with full names and without syntactic sugar."""
        return self.lower_in(place, expr, self.owner)

    def _operator(self, expr: Apply, owner: Owner) -> Expr:
        """Numbers beside words are words, so that formulas need not mention widths."""
        return beside_words(super()._operator(expr, owner), self._types().type_of, self.known_number)

    def _element(self, meaning: Scalar | Array, piece: str, path: str, span: Span | None) -> Meaning:
        """An element of an array, or a bit of a word, as in Verilog."""
        if isinstance(meaning, Scalar) and piece[0] == "[":
            kind, bit = self._types().type_of(meaning.expr), int(piece[1:-1])
            if isinstance(kind, WordType) and 0 <= bit < kind.width:
                index = Constant(bit, span)
                return Scalar(Apply("bool", (Apply("bits", (meaning.expr, index, index), span),), span))
        return super()._element(meaning, piece, path, span)

    def declared(self, name: str, owner: Owner) -> Meaning | None:
        """A variable or definition by its full name; unusual names, such as `data<0>`, are written between quotes."""
        if name not in self._names and len(name) > 2 and name[0] == name[-1] == '"':
            name = name[1:-1]
        within = name.removeprefix(f"{self._machine.name}.")
        if name not in self._names and within in self._names:  # full names may begin with the main module
            name = within
        return Scalar(Name(name)) if name in self._names else None

    def names_in(self, owner: Owner) -> Collection[str]:
        """All variables and definitions."""
        return self._names

    def find(self, path: str, span: Span | None, owner: Owner) -> Meaning:
        """The meaning of a path; variables that differ in an index make an array."""
        if path in self._names and path in self.symbols:
            variable = self.variables.get(path)
            raise ambiguous(path, span, None if variable is None else variable.span)
        try:
            return super().find(path, span, owner)
        except NameProblem:
            array = self._array(path)
            if array is not None:
                return array
            if path in unlisted_symbols(self._machine):
                return Scalar(Constant(path, span))
            raise

    def _array(self, path: str) -> Array | None:
        """The variables `path[low]`, `path[low + 1]`, … as one array."""
        elements: dict[int, Meaning] = {}
        for full in self._names:
            match = _INDEXED.fullmatch(full)
            while match is not None:
                if match.group(1) == path:
                    element = f"{path}[{match.group(2)}]"
                    meaning = self.declared(element, self.owner) or self._array(element)
                    if meaning is not None:
                        elements[int(match.group(2))] = meaning
                match = _INDEXED.fullmatch(match.group(1))
        if not elements:
            return None
        low = min(elements)
        return Array(low, tuple(elements[low + i] for i in range(len(elements)))) if max(elements) - low < len(elements) else None


def expressions_of(machine: Machine) -> Iterator[Expr]:
    """All expressions of a machine: definitions, equations, constraints, fairness, properties."""
    for values in (machine.definitions, machine.initial_values, machine.current_values, machine.next_values):
        yield from values.values()
    yield from (*machine.initial_constraints, *machine.invariant_constraints, *machine.transition_constraints, *machine.justice)
    yield from (part for pair in machine.compassion for part in pair)
    yield from (prop.formula for prop in machine.properties)


def listed_symbols(machine: Machine) -> list[str]:
    """The symbols that enumerations list, without duplicates, in order."""
    members = (m for v in machine.variables.values() if isinstance(v.type, Enumeration) for m in v.type.members)
    return list(dict.fromkeys(member for member in members if isinstance(member, str)))


def unlisted_symbols(machine: Machine) -> list[str]:
    """The symbols that expressions mention and no enumeration lists: those of CONSTANTS."""
    listed = set(listed_symbols(machine))
    parts = (part for expr in expressions_of(machine) for part in subexpressions(expr) if isinstance(part, Constant))
    return sorted({part.value for part in parts if isinstance(part.value, str) and part.value not in listed})
