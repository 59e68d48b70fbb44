"""Direct simulation: whenever the adversary is in a fairness set, so is the protagonist.

Reference: Dill, Hu, Wong-Toi 1991, "Checking for language inclusion using simulation preorders"; Bustan 2002, definition 4.1.1.
Symbols:   H is `winning`.
Invariant: `winning` contains all positions from which the protagonist wins, and shrinks.
Deviates:  a fixpoint over sets of pairs of states of two systems.
Cost:      linear in the longest chain of sets; each round is one preimage by each system over pairs of states.
"""

from __future__ import annotations

from coarsest.run import Run
from coarsest.search.fair_simulation.arena import SimulationGame
from coarsest.space.bdd.two_machines import Set


def direct_simulation(game: SimulationGame, run: Run) -> Set:
    """The positions from which the protagonist wins: νH. fair ∩ cox H. Others are no positions of the game any more."""
    for left, right in game.fair:
        game.positions = game.positions - (left - right)
    winning = game.positions
    while (smaller := winning & game.answered(winning)) != winning:
        run.step("direct simulation", **game.left.cost(winning))
        winning = smaller
    return winning
