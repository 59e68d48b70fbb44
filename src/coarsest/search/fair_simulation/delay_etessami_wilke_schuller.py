"""Delay simulation: whenever the adversary visits a fairness set, the protagonist visits it at the same time, or later.

Reference: Etessami, Wilke, Schuller 2001, "Fair simulation relations, parity games, and state space reduction for Büchi
           automata"; Bustan 2002, definition 4.1.6.
Symbols:   F1_k and F2_k are pairs of `game.fair`; a debt is a set of k, as bits: what the protagonist has still to visit; Z is
           `winning`, Y is `nearer`, by debt.
Invariant: `winning[debt]` contains all positions from which the protagonist wins who owes that, and shrinks; from
           `nearer[debt]`, the protagonist comes to where k is not owed, in `winning`.
Deviates:  a fixpoint over sets of pairs instead of a parity game of single positions; for any number of fairness sets, each
           with debts of its own.
Cost:      quadratic in the longest chains of sets, times the number of debts, which is exponential in that of fairness sets; each
           round is one preimage by each system over pairs of states, for each debt.

    νZ. ⋂_k μY. (k is not owed ∩ cox Z) ∪ cox Y
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Final

from coarsest.errors import Unsupported
from coarsest.run import Run
from coarsest.search.fair_simulation.arena import SimulationGame
from coarsest.space.bdd.two_machines import Set

MOST_SETS: Final = 6
"""With more fairness sets there are too many debts."""


def delay_simulation(game: SimulationGame, run: Run) -> Set:
    """The positions from which the protagonist wins."""
    if len(game.fair) > MOST_SETS:
        raise Unsupported(f"there are more than {MOST_SETS} fairness sets", hint="compare quotients: --algorithm quotients")
    return Debts(game, run).winning()


class Debts:
    """Positions beside what is owed there, the visits at the position itself included."""

    def __init__(self, game: SimulationGame, run: Run) -> None:
        self.game, self.run = game, run
        self.fair = game.fair or ((game.positions, game.positions),)
        self.debts = range(1 << len(self.fair))

    def winning(self) -> Set:
        """Where the protagonist wins who owed nothing before."""
        winning = [self.game.positions for _ in self.debts]
        while True:
            self._step(winning)
            smaller = winning
            for number in range(len(self.fair)):
                smaller = self._paying(number, self._answered(smaller))
            if smaller == winning:
                return self._after(0, winning)
            winning = smaller

    def _paying(self, number: int, goes_on: Sequence[Set]) -> list[Set]:
        """μY. (k is not owed ∩ cox Z) ∪ cox Y."""
        paid = [positions if not debt >> number & 1 else self.game.positions - self.game.positions
                for debt, positions in zip(self.debts, goes_on)]  # fmt: skip
        nearer = paid
        while True:
            self._step(nearer)
            larger = [one | other for one, other in zip(paid, self._answered(nearer))]
            if larger == nearer:
                return nearer
            nearer = larger

    def _answered(self, goal: Sequence[Set]) -> list[Set]:
        """cox: from each debt, the positions from which every step can be answered so that the goal is reached, by whatever debt
        there is then."""
        return [self.game.answered(self._after(debt, goal)) for debt in self.debts]

    def _after(self, debt: int, goal: Sequence[Set]) -> Set:
        """The positions of the goal, if that was owed before they were reached."""
        def owed(number: int, positions: Set, *, there: bool) -> Set:
            """Those of some positions at which a set is owed, or is not."""
            left, right = self.fair[number]
            debts = positions - right if debt >> number & 1 else (positions & left) - right
            return debts if there else positions - debts

        def exactly(now: int) -> Set:
            positions = goal[now]
            for number in range(len(self.fair)):
                positions = owed(number, positions, there=bool(now >> number & 1))
            return positions

        return reduce(or_, map(exactly, self.debts))

    def _step(self, tables: Sequence[Set]) -> None:
        self.run.step("delay simulation", **self.game.left.cost(tables[0]))
