"""The square of a state space: relations between states as sets of pairs.

`PairSpace` is what algorithms over relations (naive bisimulation, simulation, games) need. BDDs carry it with a second copy of
the present bits, explicit spaces with a boolean matrix.
"""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar

from coarsest.reduce.partition.observed import Observed
from coarsest.run import Run
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.explicit.explicit import ExplicitSet, ExplicitSpace
from coarsest.space.space import S, StateSet, StepPart

P = TypeVar("P", bound=StateSet)


class PairSpace(Protocol[S, P]):
    """Sets of pairs (left, right) of states of one space."""

    @property
    def pairs(self) -> P:
        """All pairs."""

    @property
    def equal(self) -> P:
        """The pairs of a state with itself."""

    def product(self, left: S, right: S) -> P:
        """The pairs of one state of each set."""

    def pre_left(self, pairs: P, steps: StepPart[S]) -> P:
        """The pairs from which a step of the left state leads into the set."""

    def swap(self, pairs: P) -> P:
        """The pairs turned round."""

    def related_to(self, pairs: P, state: S) -> S:
        """The right states of the pairs whose left state is the only state of a set."""


def pre_right(space: PairSpace[S, P], pairs: P, steps: StepPart[S]) -> P:
    """The pairs from which a step of the right state leads into the set."""
    return space.swap(space.pre_left(space.swap(pairs), steps))


class SymbolicPairs(Generic[S]):
    """Pairs as functions: the left state has the bits of the space, the right one a second copy of them."""

    def __init__(self, space: SymbolicSpace[Any]) -> None:
        self.space = space
        manager = self._manager = space.manager
        names = manager.names
        second = manager.add_variables([f"right({names[bit]})" for bit in space.bits])
        copy = dict(zip(space.bits, second))
        self._interleave(copy)
        to_right = {bit: manager.var(other) for bit, other in copy.items()}
        to_left = {other: manager.var(bit) for bit, other in copy.items()}
        self._to_right = manager.substitution(to_right)
        self._to_left = manager.substitution(to_left)
        self._exchange = manager.substitution(to_right | to_left)
        self._left = manager.cube(copy)
        self._copy = copy
        self.pairs = self.product(space.states, space.states)

    @property
    def equal(self) -> SymbolicSet[Any]:
        alike = self.pairs.function
        for bit, other in self._copy.items():
            alike = alike & ~(self._manager.var(bit) ^ self._manager.var(other))
        return self.space.set(alike)

    def _interleave(self, copy: dict[int, int]) -> None:
        """Each bit of the right state goes directly below its twin, which keeps relations between similar states small."""
        copies = set(copy.values())
        order = []
        for variable in self._manager.order:
            if variable not in copies:
                order.append(variable)
                if variable in copy:
                    order.append(copy[variable])
        self._manager.set_order(order)

    def product(self, left: SymbolicSet[Any], right: SymbolicSet[Any]) -> SymbolicSet[Any]:
        return self.space.set(left.function & self._manager.substitute(right.function, self._to_right))

    def pre_left(self, pairs: SymbolicSet[Any], steps: StepPart[SymbolicSet[Any]]) -> SymbolicSet[Any]:
        return steps.pre(pairs)  # the preimage does not touch the bits of the right state

    def swap(self, pairs: SymbolicSet[Any]) -> SymbolicSet[Any]:
        return self.space.set(self._manager.substitute(pairs.function, self._exchange))

    def related_to(self, pairs: SymbolicSet[Any], state: SymbolicSet[Any]) -> SymbolicSet[Any]:
        right = self._manager.and_exists(pairs.function, state.function, self._left)
        return self.space.set(self._manager.substitute(right, self._to_left))


class ExplicitPairs:
    """Pairs as a boolean matrix with a row for each left state. A set of pairs is a set of cells, row by row."""

    def __init__(self, space: ExplicitSpace) -> None:
        self.space = space
        self.pairs = self.product(space.states, space.states)

    @property
    def equal(self) -> ExplicitSet:
        import numpy as np

        return ExplicitSet(np.diag(self.space.states.mask).reshape(-1))

    def product(self, left: ExplicitSet, right: ExplicitSet) -> ExplicitSet:
        return ExplicitSet((left.mask[:, None] & right.mask[None, :]).reshape(-1))

    def pre_left(self, pairs: ExplicitSet, steps: StepPart[ExplicitSet]) -> ExplicitSet:
        import numpy as np

        matrix = self._matrix(pairs)
        columns = [steps.pre(ExplicitSet(matrix[:, right].copy())).mask for right in range(len(matrix))]
        return ExplicitSet(np.column_stack(columns).reshape(-1) if columns else pairs.mask)

    def swap(self, pairs: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(self._matrix(pairs).T.reshape(-1).copy())

    def related_to(self, pairs: ExplicitSet, state: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(self._matrix(pairs)[state.mask.argmax()].copy())

    def _matrix(self, pairs: ExplicitSet) -> Any:
        states = len(self.space.states.mask)
        return pairs.mask.reshape(states, states)


def greatest_relation(
    observed: Observed[S], pairs: PairSpace[S, Any], run: Run, task: str, *, both_ways: bool = False
) -> Any:
    """All pairs (s, t) of one block in which t answers every step of s, and `both_ways` s every step of t, by a related state."""
    related = pairs.product(observed.space.empty, observed.space.empty)
    for block in observed.blocks:
        related = related | pairs.product(block, block)
    while True:
        run.step(task)
        finer = related
        for action in observed.actions:
            answered = pre_right(pairs, related, action)  # (s', t) where some step of t leads to a state related to s'
            unanswered = pairs.pre_left(pairs.pairs - answered, action)  # (s, t) where some step of s cannot be answered
            finer = finer - unanswered
            finer = finer - pairs.swap(unanswered) if both_ways else finer
        if finer == related:
            return related
        related = finer


def pairs_of(space: Any) -> PairSpace[Any, Any]:
    """The pairs of a space, or of the space that a view shows."""
    while hasattr(space, "base"):
        space = space.base
    return ExplicitPairs(space) if isinstance(space, ExplicitSpace) else SymbolicPairs(space)
