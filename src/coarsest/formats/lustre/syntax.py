"""Lustre programs as they were written.

Expressions are those of `logic.expr` with operators of Lustre's own, which lowering replaces:

    pre e · a -> b · a fby b · if c then a else b                  if, and tuples everywhere
    when (value, clock) · current (value) · merge (clock, pattern, value, pattern, value, …)
    call (node, arguments…) · condact (condition, call, defaults…) · activate (condition, call) · restart (condition, call)
    tuple · atmost1 · nor · cast (type, value)

A clock is a boolean expression, `not` of one, or `is (flow, symbol)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct, field

from coarsest.logic.expr import Expr, Name
from coarsest.text import Span


class NamedType(Struct, frozen=True):
    """`bool`, `int`, `real`, `uint8` …, or a type that the program declares."""

    name: str
    span: Span


class SubrangeType(Struct, frozen=True):
    """`subrange [low, high] of int`; None where a bound is `*`."""

    low: Expr | None
    high: Expr | None
    span: Span


class EnumType(Struct, frozen=True):
    members: tuple[str, ...]
    span: Span


TypeSyntax: TypeAlias = NamedType | SubrangeType | EnumType


class Flow(Struct, frozen=True):
    """An input, an output or a local of a node; `clock` is None on the clock of the node."""

    name: str
    type: TypeSyntax
    span: Span
    clock: Expr | None = None
    constant: bool = False


class ConstantDeclaration(Struct, frozen=True):
    name: str
    type: TypeSyntax | None
    value: Expr | None
    span: Span


class FlowEquation(Struct, frozen=True):
    targets: tuple[Name, ...]
    value: Expr
    span: Span


class LustreClaim(Struct, frozen=True):
    """An assertion (of the environment) or a property (to be proved)."""

    condition: Expr
    assumed: bool
    span: Span
    name: str = ""


class LustreNode(Struct, frozen=True):
    name: str
    span: Span
    inputs: tuple[Flow, ...]
    outputs: tuple[Flow, ...]
    locals: tuple[Flow, ...] = ()
    constants: tuple[ConstantDeclaration, ...] = ()
    equations: tuple[FlowEquation, ...] = ()
    claims: tuple[LustreClaim, ...] = ()
    is_main: bool = False
    is_external: bool = False
    """Declared without a body: it may give any result."""


class File(Struct, frozen=True):
    """All declarations of a text, by their names."""

    types: Mapping[str, tuple[TypeSyntax | None, Span]] = field(default_factory=dict)
    constants: Mapping[str, ConstantDeclaration] = field(default_factory=dict)
    nodes: Mapping[str, LustreNode] = field(default_factory=dict)
