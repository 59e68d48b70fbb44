"""What a name stands for: paths through instances, arrays and parameters."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from coarsest.errors import ModelProblem, NameProblem, TypeProblem
from coarsest.formats.smv.elaborate import Tree
from coarsest.formats.smv.scope import Actual, Array, Entity, Scalar, Scope, Thing
from coarsest.formats.smv.syntax import (
    ArrayLiteral,
    ArraySyntax,
    BooleanSyntax,
    Declaration,
    EnumerationSyntax,
    RangeSyntax,
    TypeSyntax,
    UnboundedSyntax,
    WordSyntax,
)
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.parse import LONGEST_PATH, path_too_long
from coarsest.logic.words import WIDEST_WORD
from coarsest.model.machine import Kind, Variable
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, Type, WordType
from coarsest.text import Diagnostic, Span
from coarsest.text.near import nearest

_PIECE = re.compile(r"\.?([^.\[\]]+)|(\[-?[0-9]+\])")
LARGEST_ARRAY = 1 << 16


class Resolver(ABC):
    """Names to things. Variables and definitions are collected as they are met."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.variables: dict[str, Variable] = {}
        self.definitions: dict[str, Expr] = {}
        self.warnings: list[Diagnostic] = []

    def warn(self, message: str, span: Span | None, hint: str = "") -> None:
        """Remember something that is legal but hardly meant; that several instances say it is no news."""
        warning = Diagnostic(message, span, hint=hint, level="warning")
        if warning not in self.warnings:
            self.warnings.append(warning)

    @abstractmethod
    def lower(self, expr: Expr, scope: Scope) -> Expr:
        """An expression with all names in full and all sugar gone."""

    @abstractmethod
    def constant(self, expr: Expr, scope: Scope, what: str) -> int:
        """The value of an expression that must be a constant number."""

    # -- names -------------------------------------------------------------------------------------------------------------

    def resolve(self, name: Name, scope: Scope) -> Thing:
        """What a name or path stands for in a scope."""
        path = name.name
        thing = scope.found.get(path)
        if thing is None:
            thing = scope.found[path] = self._find(path, name.span, scope)
        return thing

    def _find(self, path: str, span: Span | None, scope: Scope) -> Thing:
        entity = scope.entities.get(path)
        if entity is not None:
            if path in self.tree.symbols and not isinstance(entity.what, Scope):
                line, _ = entity.span.source.place(entity.span.start)
                hint = f"it is declared in line {line} and also a value of an enumeration: rename one of them"
                raise NameProblem(f"`{path}` is ambiguous", span, hint=hint)
            return self.thing(entity)
        if path == "self":
            return scope
        if path in self.tree.symbols:
            return Scalar(Constant(path, span))
        pieces = [member or index for member, index in _PIECE.findall(path)]
        if len(pieces) > LONGEST_PATH:
            raise path_too_long(span)
        thing: Thing = scope
        if pieces[0] == "self":
            pieces = pieces[1:]
        done = 0
        while done < len(pieces):
            if isinstance(thing, Scope):
                thing, done = self._step(thing, pieces, done, path, span)
            else:
                thing = self._element(thing, pieces[done], path, span)
                done += 1
        return thing

    def _step(self, scope: Scope, pieces: list[str], done: int, path: str, span: Span | None) -> tuple[Thing, int]:
        """The longest run of pieces that is declared here: flattened files declare whole paths."""
        for end in range(len(pieces), done, -1):
            name = pieces[done] + "".join(p if p[0] == "[" else f".{p}" for p in pieces[done + 1 : end])
            entity = scope.entities.get(name)
            if entity is not None:
                return self.thing(entity), end
        raise self._unknown(pieces[done], path, span, scope)

    def _element(self, thing: Scalar | Array, piece: str, path: str, span: Span | None) -> Thing:
        if piece[0] != "[":
            kind = "an array" if isinstance(thing, Array) else "a value"
            raise NameProblem(f"`{piece}` in `{path}` is asked of {kind}, which has no members", span)
        if isinstance(thing, Scalar):
            hint = "bits of a word are written w[high:low]"
            raise TypeProblem(f"`{path}` indexes something that is not an array", span, hint=hint)
        return pick(thing, int(piece[1:-1]), span)

    def _unknown(self, piece: str, path: str, span: Span | None, scope: Scope) -> NameProblem:
        where = f" in {scope.title}"
        if piece == "running":
            hint = "`running` exists only in the instances declared with `process`, and in main when there are such"
            return NameProblem("`running` is not defined here", span, hint=hint)
        if piece.upper() in ("TRUE", "FALSE"):
            return NameProblem(f"`{piece}` is not declared{where}", span, hint=f"the boolean constant is written {piece.upper()}")
        candidates = [*scope.entities, *self.tree.symbols]
        close = nearest(piece, candidates)
        hint = f"did you mean `{close[0]}`?" if close else "declare it in VAR or DEFINE, or as a value of an enumeration"
        if "-" in piece and not close:
            parts = piece.split("-")
            if all(part in scope.entities or part.isdigit() for part in parts):
                hint = f"`-` is part of names: write `{' - '.join(parts)}` with blanks for a difference"
        shown = f"`{piece}`" if piece == path else f"`{piece}` in `{path}`"
        return NameProblem(f"{shown} is not declared{where}", span, hint=hint)

    # -- declarations ------------------------------------------------------------------------------------------------------

    def thing(self, entity: Entity) -> Thing:
        """What a declared name stands for, worked out once."""
        if entity.thing is None:
            if entity.in_progress:
                raise ModelProblem(f"`{entity.full}` is defined by itself", entity.span)
            entity.in_progress = True
            entity.thing = self._work_out(entity)
            entity.in_progress = False
        return entity.thing

    def _work_out(self, entity: Entity) -> Thing:
        what, scope = entity.what, entity.scope
        if isinstance(what, Scope):
            return what
        if isinstance(what, Declaration):
            return self._declared(entity.full, what.type, what, scope)
        if isinstance(what, Actual):
            return self.thing_of(what.expr, what.caller)
        if isinstance(what.body, ArrayLiteral):
            return self._array_literal(what.body, scope)
        if may_be_compound(what.body):
            thing = self.thing_of(what.body, scope)
            if not isinstance(thing, Scalar):
                return thing
        return Scalar(Name(entity.full, entity.span))

    def _array_literal(self, literal: ArrayLiteral, scope: Scope) -> Array:
        elements = [
            self._array_literal(element, scope) if isinstance(element, ArrayLiteral) else self.thing_of(element, scope)
            for element in literal.elements
        ]
        return Array(0, tuple(elements))

    def thing_of(self, expr: Expr, scope: Scope) -> Thing:
        """What an expression stands for; only paths can stand for more than a value."""
        if isinstance(expr, Name):
            return self.resolve(expr, scope)
        if isinstance(expr, Apply) and expr.op == "index":
            return self._indexed(self.thing_of(expr.args[0], scope), self.lower(expr.args[1], scope), expr.span)
        if isinstance(expr, Apply) and expr.op == ".":
            base = self.thing_of(expr.args[0], scope)
            member = expr.args[1]
            assert isinstance(member, Name)
            if not isinstance(base, Scope):
                raise NameProblem(f"`{member.name}` is asked of something that has no members", expr.span)
            return self.resolve(member, base)
        return Scalar(self.lower(expr, scope))

    def _indexed(self, thing: Thing, index: Expr, span: Span | None) -> Thing:
        if not isinstance(thing, Array):
            raise TypeProblem("only arrays can be indexed", span, hint="bits of a word are written w[high:low]")
        value = self.known_number(index)
        if value is not None:
            return pick(thing, value, span)
        return select(thing, self.as_number(index), span)

    @abstractmethod
    def as_number(self, index: Expr) -> Expr:
        """A lowered index as a number: words and booleans can index too."""

    @abstractmethod
    def known_number(self, expr: Expr) -> int | None:
        """The value of a lowered expression if it is a constant number."""

    def _declared(self, name: str, kind: TypeSyntax, declaration: Declaration, scope: Scope) -> Thing:
        if isinstance(kind, ArraySyntax):
            low, high = self._bounds(kind.bounds, scope, "array", may_be_empty=True)
            if high < low:
                self.warn(f"the array `{name}` has no elements", kind.bounds.span, hint="the lower bound comes first")
            if high - low >= LARGEST_ARRAY:
                hint = f"at most {LARGEST_ARRAY} are handled"
                raise ModelProblem(f"an array of {high - low + 1} elements", kind.span, hint=hint)
            indexed = [f"{name}[{index}]" for index in range(low, high + 1)]
            return Array(low, tuple(self._declared(element, kind.element, declaration, scope) for element in indexed))
        return self.add_variable(name, self._type(kind, scope), declaration.kind, declaration.span)

    def add_variable(self, name: str, kind: Type, how: Kind, span: Span) -> Scalar:
        """A new variable of the machine, by its full name."""
        if name in self.variables:
            raise NameProblem(f"`{name}` is declared twice", span)
        self.variables[name] = Variable(name, kind, how, span)
        return Scalar(Name(name, span))

    def _bounds(self, bounds: RangeSyntax, scope: Scope, what: str, *, may_be_empty: bool = False) -> tuple[int, int]:
        low = self.constant(bounds.low, scope, f"the lower bound of the {what}")
        high = self.constant(bounds.high, scope, f"the upper bound of the {what}")
        if low > high and not may_be_empty:
            raise ModelProblem(f"the range {low}..{high} is empty", bounds.span, hint="the lower bound comes first")
        return low, high

    def _type(self, kind: TypeSyntax, scope: Scope) -> Type:
        match kind:
            case BooleanSyntax():
                return Boolean()
            case UnboundedSyntax(word, _):
                return IntegerType() if word == "integer" else RealType()
            case RangeSyntax():
                return Range(*self._bounds(kind, scope, "range"))
            case WordSyntax(width, signed, span):
                bits = self.constant(width, scope, "the width of the word")
                if not 1 <= bits <= WIDEST_WORD:
                    raise ModelProblem(f"a word of {bits} bits", span, hint=f"the width is from 1 to {WIDEST_WORD}")
                return WordType(bits, signed)
            case EnumerationSyntax(members, span):
                return self._enumeration(members, span)
            case _:
                raise AssertionError(kind)

    @staticmethod
    def _enumeration(members: tuple[str | int | bool, ...], span: Span) -> Type:
        listed: dict[str | int, None] = {}
        for member in members:
            if isinstance(member, bool):
                raise TypeProblem("TRUE and FALSE cannot be values of an enumeration", span, hint="declare the variable boolean")
            if member in listed:
                raise NameProblem(f"`{member}` is listed twice", span)
            listed[member] = None
        return Enumeration(tuple(listed))


def may_be_compound(expr: Expr) -> bool:
    """Could it stand for an array or an instance?"""
    return isinstance(expr, Name) or (isinstance(expr, Apply) and expr.op in ("index", "."))


def pick(array: Array, index: int, span: Span | None) -> Thing:
    """One element of an array."""
    if not array.elements:
        raise ModelProblem("the array has no elements: none can be picked", span)
    if not array.low <= index <= array.high:
        raise ModelProblem(f"index {index} is outside {array.low}..{array.high}", span)
    return array.elements[index - array.low]


def select(array: Array, index: Expr, span: Span | None) -> Thing:
    """The element an index points at: a case over all of them, which fails when the index leaves the bounds."""
    if not array.elements:
        raise ModelProblem("the array has no elements: none can be picked", span)
    first = array.elements[0]
    if isinstance(first, Array):
        rows = [element for element in array.elements if isinstance(element, Array)]
        columns = zip(*(row.elements for row in rows))
        return Array(first.low, tuple(select(Array(array.low, column), index, span) for column in columns))
    branches: list[Expr] = []
    for number, element in enumerate(array.elements, array.low):
        if not isinstance(element, Scalar):
            raise TypeProblem("only arrays of values can be indexed by an expression", span)
        branches += (Apply("=", (index, Constant(number, span)), span), element.expr)
    return Scalar(Apply("case", tuple(branches), span))


