"""Questions to engines: a claim about a part of a machine, and the way back to the machine that the user wrote."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from msgspec import Struct

from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine
from coarsest.model.parts.part import Part

if TYPE_CHECKING:
    from coarsest.automata.automaton import Automaton
    from coarsest.model.assertion_graph import AssertionGraph, Semantics
    from coarsest.options.methods import GsteOptions


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
    """The automaton that accepts the violating paths."""
    formula: Expr | None = None
    """What must be true of every path, where that is LTL."""
    apart: tuple[Automaton, tuple[Expr, ...]] | None = None
    """A smaller automaton, and conditions that are true again and again on every violating path. Among paths with this property,
    the automaton accepts the violating ones."""


class Branching(Struct, frozen=True):
    """A formula of CTL or CTL* is true in every initial state."""

    formula: Expr
    is_ctl: bool
    """Does a path quantifier stand before each operator on paths?"""


class Quantity(Struct, frozen=True):
    """The fewest or the most steps from states with one condition to states with another, over reachable states on fair paths."""

    formula: Expr


class Along(Struct, frozen=True):
    """On every path along the antecedents of an assertion graph, its consequents hold."""

    graph: AssertionGraph
    semantics: Semantics
    how: GsteOptions


Claim: TypeAlias = Invariant | Linear | Branching | Quantity | Along


C = TypeVar("C", bound=Claim)


class Question(Struct, Generic[C], frozen=True):
    """All that an engine sees."""

    part: Part
    claim: C
    judged: Machine | None = None
    """The part before equal variables were merged, for judges; None if none were."""

    @property
    def whole(self) -> Machine:
        return self.judged or self.part.machine
