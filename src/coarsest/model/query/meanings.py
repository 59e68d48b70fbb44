"""The meanings of names in expressions: a value, an array, or an owner of members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from coarsest.errors import ModelProblem, TypeProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.text import Span


class Scalar(NamedTuple):
    """Something with a value: a variable, a definition, a symbol, or the expression passed for a parameter."""

    expr: Expr


class Array(NamedTuple):
    """A family of meanings with an index from `low` upwards."""

    low: int
    elements: tuple[Meaning, ...]

    @property
    def high(self) -> int:
        return self.low + len(self.elements) - 1


class Owner(Struct, eq=False, kw_only=True):
    """An owner of members: a whole machine, or one instance of a module in it."""

    resolved: dict[str, Meaning] = field(default_factory=dict)  # the names that were resolved before

    @property
    def title(self) -> str:
        return "module main"


Meaning: TypeAlias = Scalar | Array | Owner


def may_be_compound(expr: Expr) -> bool:
    """May an expression mean an array or an instance?"""
    return isinstance(expr, Name) or (isinstance(expr, Apply) and expr.op in ("index", "."))


def pick(array: Array, index: int, span: Span | None) -> Meaning:
    """One element of an array."""
    if not array.elements:
        raise ModelProblem("the array has no elements: none can be picked", span)
    if not array.low <= index <= array.high:
        hint = f"the indices of this array are {array.low} to {array.high}"
        raise ModelProblem(f"index {index} is outside {array.low}..{array.high}", span, hint=hint)
    return array.elements[index - array.low]


def select(array: Array, index: Expr, span: Span | None) -> Meaning:
    """The element at an index: a case over all elements, which has no value if the index is out of bounds."""
    if not array.elements:
        raise ModelProblem("the array has no elements: none can be picked", span)
    numbers = range(array.low, array.high + 1)
    return _select(array.elements, [Apply("=", (index, Constant(number, span)), span) for number in numbers], span)


def _select(elements: Sequence[Meaning], tests: Sequence[Expr], span: Span | None) -> Meaning:
    """The element whose test is true. The columns of a matrix share the tests."""
    first = elements[0]
    if isinstance(first, Array):
        columns = zip(*(element.elements for element in elements if isinstance(element, Array)))
        return Array(first.low, tuple(_select(column, tests, span) for column in columns))
    branches: list[Expr] = []
    for test, element in zip(tests, elements):
        if not isinstance(element, Scalar):
            raise TypeProblem("only arrays of values can be indexed by an expression", span)
        branches += (test, element.expr)
    return Scalar(Apply("case", tuple(branches), span))


def value_of(meaning: Meaning, use: Expr) -> Expr:
    """A meaning as an expression, with the position of its use."""
    if not isinstance(meaning, Scalar):
        kind = "an array" if isinstance(meaning, Array) else meaning.title
        shown = f"`{use.name}`" if isinstance(use, Name) else "this"
        hint = "index it" if isinstance(meaning, Array) else "name one of its variables"
        raise TypeProblem(f"{shown} is {kind}, a value is needed here", use.span, hint=hint)
    expr = meaning.expr
    if isinstance(expr, Name):
        return use if use == expr else Name(expr.name, use.span)
    if isinstance(expr, Constant):
        return Constant(expr.value, use.span)
    return expr
