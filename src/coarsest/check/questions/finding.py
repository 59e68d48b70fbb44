"""What engines find out. Nothing here has been confirmed: that is the judges' work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from msgspec import Struct, field

from coarsest.check.questions.question import Invariant, Question
from coarsest.evidence.explanation import Explanation
from coarsest.logic.expr import Expr, Value
from coarsest.model.trace import Trace
from coarsest.run import Statistic
from coarsest.space.carrier import Carrier


class Claimed(Protocol):
    """A proof, or what one can be made of."""

    @property
    def summary(self) -> str:
        """One line for people."""


class Reached(Struct, frozen=True):
    """A set of states that holds all reachable ones."""

    space: Carrier[Any]
    states: Any
    exact: bool
    """Does it hold no others?"""


class Proved(Struct, frozen=True):
    """The claim holds. The proof shows it; without one, the judges have to find out for themselves."""

    proof: Claimed | None = None
    reached: Reached | None = None
    facts: Mapping[str, Statistic] = field(default_factory=dict)
    explanation: Explanation | None = None
    """Why the formula is true in one of the initial states."""
    still_holds: Callable[[Expr], bool] | None = None
    """Does another formula hold, too? It costs little to ask, since its parts have been looked at."""
    vertices: frozenset[int] = frozenset()
    """The vertices of an assertion graph that paths along its antecedents reach."""


class Refuted(Struct, frozen=True):
    """The claim fails, as a trace of the part shows, which may be computed when it is asked for: often nobody does.

    For some formulas of CTL* there is no such trace.
    """

    shown_by: Trace | Callable[[], Trace] | None = None
    facts: Mapping[str, Statistic] = field(default_factory=dict)
    explanation: Explanation | None = None
    """For a formula that one path alone does not refute: the tree of reasons."""
    vertices: tuple[int, ...] = ()
    """The vertex of an assertion graph at each state of the trace."""
    last_inputs: Mapping[str, Value] = field(default_factory=dict)
    """The inputs at the end of a finite trace, from where no step is taken, if the claim is about inputs."""

    @property
    def trace(self) -> Trace:
        assert self.shown_by is not None, "no trace shows this"
        return self.shown_by if isinstance(self.shown_by, Trace) else self.shown_by()


class Computed(Struct, frozen=True):
    """The number that was asked for."""

    value: int | str
    in_words: str


class Undecided(Struct, frozen=True):
    because: str
    facts: Mapping[str, Statistic] = field(default_factory=dict)
    is_for_others: bool = False
    """May another engine decide it?"""
    bound: int | None = None
    """The number of steps that were looked at, if the user asked for no more."""


Finding: TypeAlias = Proved | Refuted | Computed | Undecided


class Settled(Struct, frozen=True):
    """The finding about a property, and the question that it answers, if that is not the one that was asked."""

    question: Question[Invariant] | None
    finding: Finding
