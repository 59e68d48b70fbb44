"""Counting the set operations of an algorithm, by wrapping the space it works on.

Reference: Fisler, Vardi 1999, section 3, who compare algorithms by the numbers of these operations.
Symbols:   M images and preimages, I intersections, U unions, D differences, E equality checks.
Deviates:  inclusion and emptiness tests count as E, as they do in the paper's own counts (`F = ∅` is one E, `init ∈ F` is I + E);
           finding the states of a label, picking, counting and describing states are not counted.
Cost:      one small object and one addition per operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from msgspec import Struct

from coarsest.logic.expr import Expr
from coarsest.space.space import Fairness, S, State, StateSpace, StepPart


class Counts(Struct):
    """Set operations so far, by kind."""

    images: int = 0
    intersections: int = 0
    unions: int = 0
    differences: int = 0
    equalities: int = 0

    def __str__(self) -> str:
        return f"{self.images}M + {self.intersections}I + {self.unions}U + {self.differences}D + {self.equalities}E"


class CountedSet(Generic[S]):
    """A set whose operations are counted."""

    __slots__ = ("counts", "inner")

    def __init__(self, inner: S, counts: Counts) -> None:
        self.inner = inner
        self.counts = counts

    def __and__(self, other: CountedSet[S]) -> CountedSet[S]:
        self.counts.intersections += 1
        return CountedSet(self.inner & other.inner, self.counts)

    def __or__(self, other: CountedSet[S]) -> CountedSet[S]:
        self.counts.unions += 1
        return CountedSet(self.inner | other.inner, self.counts)

    def __sub__(self, other: CountedSet[S]) -> CountedSet[S]:
        self.counts.differences += 1
        return CountedSet(self.inner - other.inner, self.counts)

    def __eq__(self, other: object) -> bool:
        self.counts.equalities += 1
        return isinstance(other, CountedSet) and bool(self.inner == other.inner)

    def __hash__(self) -> int:
        return hash(self.inner)

    def __le__(self, other: CountedSet[S]) -> bool:
        self.counts.equalities += 1
        return self.inner <= other.inner

    def __bool__(self) -> bool:
        self.counts.equalities += 1
        return bool(self.inner)


class _CountedPart(Generic[S]):
    def __init__(self, inner: StepPart[S], counts: Counts) -> None:
        self.inner = inner
        self.counts = counts

    def post(self, states: CountedSet[S]) -> CountedSet[S]:
        self.counts.images += 1
        return CountedSet(self.inner.post(states.inner), self.counts)

    def pre(self, states: CountedSet[S]) -> CountedSet[S]:
        self.counts.images += 1
        return CountedSet(self.inner.pre(states.inner), self.counts)


class CountingSpace(Generic[S]):
    """A space that counts what is done with its sets."""

    def __init__(self, inner: StateSpace[S], counts: Counts) -> None:
        self.inner = inner
        self.counts = counts

    def _set(self, inner: S) -> CountedSet[S]:
        return CountedSet(inner, self.counts)

    @property
    def states(self) -> CountedSet[S]:
        return self._set(self.inner.states)

    @property
    def initial(self) -> CountedSet[S]:
        return self._set(self.inner.initial)

    @property
    def empty(self) -> CountedSet[S]:
        return self._set(self.inner.empty)

    @property
    def fairness(self) -> Fairness[CountedSet[S]]:
        fairness = self.inner.fairness
        pairs = tuple((self._set(p), self._set(q)) for p, q in fairness.compassion)
        return Fairness(tuple(self._set(p) for p in fairness.justice), pairs)

    @property
    def parts(self) -> Sequence[_CountedPart[S]]:
        return [_CountedPart(part, self.counts) for part in self.inner.parts]

    def where(self, label: Expr) -> CountedSet[S]:
        return self._set(self.inner.where(label))

    def post(self, states: CountedSet[S]) -> CountedSet[S]:
        self.counts.images += 1
        return self._set(self.inner.post(states.inner))

    def pre(self, states: CountedSet[S]) -> CountedSet[S]:
        self.counts.images += 1
        return self._set(self.inner.pre(states.inner))

    def pick(self, states: CountedSet[S]) -> CountedSet[S]:
        return self._set(self.inner.pick(states.inner))

    def count(self, states: CountedSet[S]) -> int:
        return self.inner.count(states.inner)

    def cost(self, states: CountedSet[S]) -> dict[str, int]:
        return dict(self.inner.cost(states.inner))

    def describe(self, state: CountedSet[S]) -> State:
        return self.inner.describe(state.inner)


def counting(space: StateSpace[S]) -> tuple[CountingSpace[S], Counts]:
    """Wrap a space; the counts grow as an algorithm works on the wrapped one."""
    counts = Counts()
    return CountingSpace(space, counts), counts
