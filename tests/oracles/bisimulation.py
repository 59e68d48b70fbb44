"""Bisimilarity straight from the definition, on the states and steps of the brute-force oracle.

Two states are bisimilar when they look alike and every step of one is answered by a step of the other with the same action
to a bisimilar state. Pairs that are not are found one by one, until there are no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coarsest.logic.expr import Expr
from oracles.brute_force import BruteForce, possible

State = tuple[Any, ...]
Class = frozenset[State]
Edge = tuple[Class, tuple[Any, ...], Class]


class Bisimilarity:
    """The classes of the reachable states of a machine, and the steps between them."""

    def __init__(self, oracle: BruteForce, labels: Sequence[Expr], actions: Sequence[str] = ()) -> None:
        self.oracle = oracle
        self.reachable = sorted(oracle.reachable(), key=repr)
        self.steps: dict[State, set[tuple[tuple[Any, ...], State]]] = {
            a: {
                (tuple(i[name] for name in actions), b)
                for b in self.reachable
                for i in oracle.inputs
                if oracle.is_step(a, i, b)
            }
            for a in self.reachable
        }
        seen = {s: tuple(self._value(label, s) for label in labels) for s in self.reachable}
        self.seen = seen
        apart = {(s, t) for s in self.reachable for t in self.reachable if seen[s] != seen[t]}
        while True:
            more = {
                (s, t)
                for s in self.reachable
                for t in self.reachable
                if (s, t) not in apart and not (self._answers(s, t, apart) and self._answers(t, s, apart))
            }
            if not more:
                break
            apart |= more
        self.apart = apart

    def _value(self, label: Expr, state: State) -> Any:
        (value,) = possible(label, self.oracle.machine, self.oracle.environment(state))
        return type(value).__name__, value

    def _answers(self, s: State, t: State, apart: set[tuple[State, State]]) -> bool:
        return all(any(a == b and (x, y) not in apart for b, y in self.steps[t]) for a, x in self.steps[s])

    def class_of(self, state: State) -> Class:
        return frozenset(t for t in self.reachable if (state, t) not in self.apart)

    @property
    def classes(self) -> set[Class]:
        return {self.class_of(s) for s in self.reachable}

    @property
    def edges(self) -> set[Edge]:
        return {(self.class_of(s), a, self.class_of(t)) for s in self.reachable for a, t in self.steps[s]}

    @property
    def initial(self) -> set[Class]:
        return {self.class_of(s) for s in self.oracle.initial}
