"""The waist: a state space is sets of states, and the step forwards and backwards.

Algorithms are written once over this protocol. A carrier decides what a set is: a BDD, a bit set over an explicit graph,
a formula. Sets are values: they are never changed in place, and two sets are equal when they hold the same states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, Protocol, Self, TypeVar

from msgspec import Struct

from coarsest.logic.expr import Expr, Value

State = Mapping[str, Value]
"""One state, for people: a value for each variable."""


class StateSet(Protocol):
    """A set of states. `bool(s)` is false exactly when s is empty."""

    def __and__(self, other: Self, /) -> Self: ...
    def __or__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __le__(self, other: Self, /) -> bool: ...
    def __bool__(self) -> bool: ...


S = TypeVar("S", bound=StateSet)
S_co = TypeVar("S_co", bound=StateSet, covariant=True)


class Fairness(Struct, Generic[S], frozen=True):
    """Sets visited infinitely often (justice); pairs where p infinitely often implies q infinitely often (compassion)."""

    justice: tuple[S, ...] = ()
    compassion: tuple[tuple[S, S], ...] = ()


class StepPart(Protocol[S]):
    """One part of the step relation: the relation is the union of its parts."""

    def post(self, states: S) -> S: ...
    def pre(self, states: S) -> S: ...


class StateSpace(Protocol[S]):
    """Sets of states of one system, with its step relation."""

    @property
    def states(self) -> S:
        """All states that satisfy the invariant constraints."""

    @property
    def initial(self) -> S: ...

    @property
    def empty(self) -> S: ...

    @property
    def fairness(self) -> Fairness[S]: ...

    @property
    def parts(self) -> Sequence[StepPart[S]]:
        """The step relation as a union; one part if there is nothing to split."""

    def where(self, label: Expr) -> S:
        """The states in which a boolean expression holds (over state variables and definitions)."""

    def post(self, states: S) -> S:
        """Successors."""

    def pre(self, states: S) -> S:
        """Predecessors."""

    def pick(self, states: S) -> S:
        """A set with exactly one of the states; always the same one for the same set."""

    def count(self, states: S) -> int:
        """How many states, exactly."""

    def describe(self, state: S) -> State:
        """The values of the variables in the one state of the set."""

    def cost(self, states: S) -> dict[str, int]:
        """What holding this set costs, in the carrier's own measure: for progress lines."""
