"""The game of fair simulation: the adversary moves on the left system, the protagonist answers on the right one.

A position is a pair of states with the same labels. Whoever writes down who wins needs only `answered`: everything else about
the two systems is hidden here.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from coarsest.space.bdd.two_machines import Set, TwoMachines
from coarsest.space.space import StateSpace


class SimulationGame:
    """Positions of two machines, as sets of pairs."""

    def __init__(
        self,
        machines: TwoMachines,
        left: StateSpace[Set],
        right: StateSpace[Set],
        forget: Callable[[Set], Set] = lambda states: states,
    ) -> None:
        """`left` is what the adversary may play on: a part of the left machine, in which each state has a successor. Where a
        state of `right` has none, the protagonist has lost.

        Where left states carry the inputs of their next step, the protagonist answers before these are known: `forget` says
        which states differ in nothing else.
        """
        self.machines = machines
        self._forget = forget
        self.left, self.right = left, right
        self._all: Set = left.states & right.states
        self.positions: Set = machines.agreeing & self._all
        self.left_fair: tuple[Set, ...] = tuple(fair & self.positions for fair in left.fairness.justice)
        self.right_fair: tuple[Set, ...] = tuple(fair & self.positions for fair in right.fairness.justice)

    @property
    def fair(self) -> tuple[tuple[Set, Set], ...]:
        """The fairness sets of both sides, the first beside the first and so on; where one side has fewer, all is fair there."""
        return tuple(zip_longest(self.left_fair, self.right_fair, fillvalue=self.positions))

    def answered(self, goal: Set) -> Set:
        """The positions from which the protagonist can answer every move of the adversary so that the goal is reached."""
        after_answer = self.right.pre(self._whatever_inputs(goal))  # (s', t) where some step of t leads to the goal
        return self.positions - self.left.pre(self._all - after_answer)

    def answered_at_first(self, winning: Set) -> Set:
        """The left states beside which the right system has an initial state from which the protagonist wins."""
        return self.machines.left_of(self._whatever_inputs(winning) & self.right.initial)

    def _whatever_inputs(self, goal: Set) -> Set:
        return goal - self._forget(self.positions - goal)
