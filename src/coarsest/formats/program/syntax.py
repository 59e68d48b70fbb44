"""Boolean programs as they were written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from coarsest.logic.expr import Expr, Name
from coarsest.model.types import Type
from coarsest.text import Span


@dataclass(frozen=True, slots=True)
class Assign:
    target: Name
    value: Expr


@dataclass(frozen=True, slots=True)
class Read:
    targets: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Write:
    values: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Claim:
    """`assert` is to be proved, `assume` is taken for granted."""

    condition: Expr
    assumed: bool
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    branches: tuple[tuple[Expr, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]


Statement: TypeAlias = Assign | Read | Write | Claim | If


@dataclass(frozen=True, slots=True)
class Declaration:
    name: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Program:
    """Declarations, what is done once, and what is done for ever; `loop` is where the word stands."""

    declarations: Mapping[str, Declaration]
    prelude: tuple[Statement, ...]
    body: tuple[Statement, ...]
    loop: Span


def statements(block: tuple[Statement, ...]) -> Iterator[Statement]:
    """All statements of a block, those inside others too."""
    for statement in block:
        yield statement
        if isinstance(statement, If):
            for _, inner in statement.branches:
                yield from statements(inner)
            yield from statements(statement.otherwise)
