"""Boolean programs as they were written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from coarsest.logic.expr import Expr, Name
from coarsest.model.types import Type
from coarsest.text import Span


class Assign(Struct, frozen=True):
    target: Name
    value: Expr


class Read(Struct, frozen=True):
    targets: tuple[Name, ...]


class Write(Struct, frozen=True):
    values: tuple[Expr, ...]
    span: Span


class ProgramClaim(Struct, frozen=True):
    """`assert` must be proved, `assume` is taken for granted."""

    condition: Expr
    assumed: bool
    span: Span


class IfStatement(Struct, frozen=True):
    branches: tuple[tuple[Expr, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]


Statement: TypeAlias = Assign | Read | Write | ProgramClaim | IfStatement


class ProgramDeclaration(Struct, frozen=True):
    name: str
    type: Type
    span: Span


class ProgramText(Struct, frozen=True):
    """Declarations, the statements before the loop, the body of the loop, and the position of the word `loop`."""

    declarations: Mapping[str, ProgramDeclaration]
    prelude: tuple[Statement, ...]
    body: tuple[Statement, ...]
    loop: Span


def statements(block: tuple[Statement, ...]) -> Iterator[Statement]:
    """All statements of a block, including those inside other statements."""
    for statement in block:
        yield statement
        if isinstance(statement, IfStatement):
            for _, inner in statement.branches:
                yield from statements(inner)
            yield from statements(statement.otherwise)
