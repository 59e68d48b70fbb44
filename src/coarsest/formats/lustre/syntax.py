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
from dataclasses import dataclass, field
from typing import TypeAlias

from coarsest.logic.expr import Expr, Name
from coarsest.text import Span


@dataclass(frozen=True, slots=True)
class NamedType:
    """`bool`, `int`, `real`, `uint8` …, or a type that the program declares."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class SubrangeType:
    """`subrange [low, high] of int`; None where a bound is `*`."""

    low: Expr | None
    high: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class EnumType:
    members: tuple[str, ...]
    span: Span


TypeSyntax: TypeAlias = NamedType | SubrangeType | EnumType


@dataclass(frozen=True, slots=True)
class Flow:
    """An input, an output or a local of a node; `clock` is None on the clock of the node."""

    name: str
    type: TypeSyntax
    span: Span
    clock: Expr | None = None
    constant: bool = False


@dataclass(frozen=True, slots=True)
class ConstantDeclaration:
    name: str
    type: TypeSyntax | None
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Equation:
    targets: tuple[Name, ...]
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Claim:
    """An assertion (of the environment) or a property (to be proved)."""

    condition: Expr
    assumed: bool
    span: Span
    name: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    span: Span
    inputs: tuple[Flow, ...]
    outputs: tuple[Flow, ...]
    locals: tuple[Flow, ...] = ()
    constants: tuple[ConstantDeclaration, ...] = ()
    equations: tuple[Equation, ...] = ()
    claims: tuple[Claim, ...] = ()
    is_main: bool = False
    is_external: bool = False
    """Declared without a body: it may give any result."""


@dataclass(frozen=True, slots=True)
class File:
    """All declarations of a text, by their names."""

    types: Mapping[str, tuple[TypeSyntax | None, Span]] = field(default_factory=dict)
    constants: Mapping[str, ConstantDeclaration] = field(default_factory=dict)
    nodes: Mapping[str, Node] = field(default_factory=dict)
