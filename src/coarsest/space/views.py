"""Views of a state space: the same states, seen through a restriction or an addition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Generic

from coarsest.logic.expr import Expr
from coarsest.space.space import Fairness, S, State, StateSpace, StepPart


class View(Generic[S]):
    """A space like another one; subclasses change what they must."""

    def __init__(self, base: StateSpace[S]) -> None:
        self.base = base

    @property
    def states(self) -> S:
        return self.base.states

    @property
    def initial(self) -> S:
        return self.base.initial

    @property
    def empty(self) -> S:
        return self.base.empty

    @cached_property
    def fairness(self) -> Fairness[S]:
        return self.base.fairness

    @cached_property
    def parts(self) -> Sequence[StepPart[S]]:
        return self.base.parts

    def where(self, label: Expr) -> S:
        return self.base.where(label)

    def post(self, states: S) -> S:
        return self.base.post(states)

    def pre(self, states: S) -> S:
        return self.base.pre(states)

    def pick(self, states: S) -> S:
        return self.base.pick(states)

    def count(self, states: S) -> int:
        return self.base.count(states)

    def describe(self, state: S) -> State:
        return self.base.describe(state)

    def cost(self, states: S) -> dict[str, int]:
        return self.base.cost(states)


class RestrictedSpace(View[S]):
    """The space with only some of its states, and the steps between them."""

    def __init__(self, base: StateSpace[S], inside: S) -> None:
        super().__init__(base)
        self.inside = inside

    @property
    def states(self) -> S:
        return self.inside

    @cached_property
    def initial(self) -> S:
        return self.base.initial & self.inside

    @cached_property
    def fairness(self) -> Fairness[S]:
        fairness = self.base.fairness
        return Fairness(
            tuple(p & self.inside for p in fairness.justice),
            tuple((p & self.inside, q & self.inside) for p, q in fairness.compassion),
        )

    @cached_property
    def parts(self) -> Sequence[StepPart[S]]:
        return [PartWithin(part, self.inside) for part in self.base.parts]

    def where(self, label: Expr) -> S:
        return self.base.where(label) & self.inside

    def post(self, states: S) -> S:
        return self.base.post(states) & self.inside

    def pre(self, states: S) -> S:
        return self.base.pre(states) & self.inside


class PartWithin(Generic[S]):
    """Some of the steps, between some of the states."""

    def __init__(self, part: StepPart[S], inside: S) -> None:
        self._part = part
        self._inside = inside

    def post(self, states: S) -> S:
        return self._part.post(states) & self._inside

    def pre(self, states: S) -> S:
        return self._part.pre(states) & self._inside


class Total(View[S]):
    """The space in which every state without successor has a step to itself, or to what `stay` makes of it."""

    def __init__(self, base: StateSpace[S], stuck: S, stay: Callable[[S], S] = lambda states: states) -> None:
        super().__init__(base)
        self.staying = _Stay(stuck, stay)

    @cached_property
    def parts(self) -> Sequence[StepPart[S]]:
        return [*self.base.parts, self.staying]

    def post(self, states: S) -> S:
        return self.base.post(states) | self.staying.post(states)

    def pre(self, states: S) -> S:
        return self.base.pre(states) | self.staying.pre(states)


class _Stay(Generic[S]):
    def __init__(self, stuck: S, stay: Callable[[S], S]) -> None:
        self._stuck = stuck
        self._stay = stay

    def post(self, states: S) -> S:
        return self._stay(states & self._stuck)

    def pre(self, states: S) -> S:
        return self._stay(states & self._stuck)
