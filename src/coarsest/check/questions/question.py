"""Questions to engines: a claim about a part of a machine, and the way back to the machine that the user wrote."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from coarsest.automata.automaton import Automaton
from coarsest.logic.expr import Expr
from coarsest.model.parts.part import Part


class Invariant(Struct, frozen=True):
    """A condition is true in every reachable state of the part."""

    good: Expr
    stated: Expr
    """What the user wrote. Where that is about steps, a variable of the part remembers it, and `good` is that variable."""

    @property
    def is_about_steps(self) -> bool:
        return self.good is not self.stated


class Linear(Struct, frozen=True):
    """No fair path from an initial state violates a formula, or is accepted by an automaton."""

    roots: tuple[Expr, ...]
    """The conditions that it is about."""
    violating: Callable[[], Automaton]
    """The automaton of the paths that there must not be."""
    formula: Expr | None = None
    """What must be true of every path, where that is LTL."""


Claim: TypeAlias = Invariant | Linear


C = TypeVar("C", bound=Claim)


class Question(Struct, Generic[C], frozen=True):
    """All that an engine sees."""

    part: Part
    claim: C
