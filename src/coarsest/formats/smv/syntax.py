"""The contents of an SMV file before names are resolved: modules, their sections, types. Private to this format."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from coarsest.logic.expr import Expr
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Kind
from coarsest.text import Span


class BooleanSyntax(NamedTuple):
    span: Span


class UnboundedSyntax(NamedTuple):
    """`integer` or `real`."""

    word: str
    span: Span


class WordSyntax(NamedTuple):
    width: Expr
    signed: bool
    span: Span


class RangeSyntax(NamedTuple):
    low: Expr
    high: Expr
    span: Span


class EnumerationSyntax(NamedTuple):
    members: tuple[str | int | bool, ...]
    span: Span


class ArraySyntax(NamedTuple):
    bounds: RangeSyntax
    element: TypeSyntax
    span: Span


class InstanceSyntax(NamedTuple):
    """An instance of a module; a `process` takes turns with the others."""

    module: str
    arguments: tuple[Expr, ...]
    process: bool
    span: Span


TypeSyntax: TypeAlias = (
    BooleanSyntax | UnboundedSyntax | WordSyntax | RangeSyntax | EnumerationSyntax | ArraySyntax | InstanceSyntax
)


class SmvDeclaration(NamedTuple):
    """`name : type;` in VAR, FROZENVAR or IVAR."""

    name: str
    type: TypeSyntax
    kind: Kind
    span: Span


class ArrayLiteral(NamedTuple):
    """`[a, b, c]`, which may only be the body of a definition."""

    elements: tuple[Expr | ArrayLiteral, ...]
    span: Span


class Definition(NamedTuple):
    name: str
    body: Expr | ArrayLiteral
    span: Span


class SmvAssignment(NamedTuple):
    """`init(x) := e`, `next(x) := e` or `x := e`; `when` is "init", "next" or ""."""

    when: str
    target: Expr
    value: Expr
    span: Span


class Specification(NamedTuple):
    """A property; `context` is the instance named after IN."""

    kind: PropertyKind
    formula: Expr
    name: str
    context: Expr | None
    text: str
    span: Span


class SmvModule(Struct):
    """A module with its sections, each in file order."""

    name: str
    parameters: tuple[tuple[str, Span], ...]
    span: Span
    declarations: list[SmvDeclaration] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    constants: list[tuple[str, Span]] = field(default_factory=list)
    assignments: list[SmvAssignment] = field(default_factory=list)
    initial: list[Expr] = field(default_factory=list)
    invariant: list[Expr] = field(default_factory=list)
    transition: list[Expr] = field(default_factory=list)
    justice: list[Expr] = field(default_factory=list)
    compassion: list[tuple[Expr, Expr]] = field(default_factory=list)
    specifications: list[Specification] = field(default_factory=list)
    extends: list[tuple[str, Span]] = field(default_factory=list)  # ISA
