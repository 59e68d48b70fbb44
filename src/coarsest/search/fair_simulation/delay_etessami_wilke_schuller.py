"""Delay simulation of systems with one fairness set each: whenever the adversary is fair, the protagonist soon is.

Reference: Etessami, Wilke, Schuller 2001, "Fair simulation relations, parity games, and state space reduction for Büchi
           automata"; Bustan 2002, definition 4.1.6.
Symbols:   F1 is `left_fair`, F2 is `right_fair`; Z is `winning`, P is `owing`.
Invariant: `winning` contains all positions from which the protagonist wins who owes nothing, and shrinks; from `owing`, the
           protagonist comes to F2 in `winning`.
Deviates:  a fixpoint over sets of pairs instead of a parity game of single positions.
Cost:      quadratic in the longest chains of sets; each round is one preimage by each system over pairs of states.

    νZ. (F2 ∪ ¬F1) ∩ cox Z  ∪  F1 ∩ ¬F2 ∩ cox P     where P = μY. (F2 ∩ cox Z) ∪ (¬F2 ∩ cox Y)
"""

from __future__ import annotations

from coarsest.run import Run
from coarsest.search.fair_simulation.arena import SimulationGame
from coarsest.space.bdd.two_machines import Set


def delay_simulation(game: SimulationGame, run: Run) -> Set:
    """The positions from which the protagonist wins."""
    assert len(game.left_fair) <= 1, "there is one fairness set on the left"
    assert len(game.right_fair) <= 1, "there is one fairness set on the right"
    (left_fair,) = game.left_fair or (game.positions,)
    (right_fair,) = game.right_fair or (game.positions,)
    owes = left_fair - right_fair
    winning = game.positions
    while True:
        run.step("delay simulation", **game.left.cost(winning))
        goes_on = game.answered(winning)
        owing = _paying(game, right_fair & goes_on, right_fair, run)
        smaller = (goes_on - owes) | (owes & game.answered(owing))
        if smaller == winning:
            return winning
        winning = smaller


def _paying(game: SimulationGame, paid: Set, right_fair: Set, run: Run) -> Set:
    """μY. paid ∪ (¬F2 ∩ cox Y)."""
    owing = paid
    while True:
        run.step("delay simulation", **game.left.cost(owing))
        larger = paid | (game.answered(owing) - right_fair)
        if larger == owing:
            return owing
        owing = larger
