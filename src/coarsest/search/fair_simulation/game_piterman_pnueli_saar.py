"""Game simulation of fair systems: if the adversary's path is fair, so is the protagonist's.

Reference: Henzinger, Kupferman, Rajamani 1997, "Fair simulation"; Piterman, Pnueli, Sa'ar 2006, "Synthesis of
           reactive(1) designs", section 3; Bustan 2002, definition 4.1.7.
Symbols:   J1_i are `left_fair`, J2_j are `right_fair`; Z is `winning`, Y is `nearer`, X is `waiting`; cox is `answered`.
Invariant: `winning` contains all positions from which the protagonist wins, and shrinks; from a position of `nearer`, the
           protagonist comes to J2_j in `winning`, or the adversary comes to some J1_i no more.
Deviates:  moves of the adversary come first, within one position; the fixpoint is over pairs of states of two systems.
Cost:      cubic in the longest chains of sets; each round is one preimage by each system over pairs of states.

The protagonist wins if the play goes on for ever and (all J1_i infinitely often) implies (all J2_j infinitely often):

    νZ. ⋂_j μY. ⋃_i νX. (J2_j ∩ cox Z) ∪ cox Y ∪ (¬J1_i ∩ cox X)
"""

from __future__ import annotations

from coarsest.run import Run
from coarsest.search.fair_simulation.arena import SimulationGame
from coarsest.space.bdd.two_machines import Set


def game_simulation(game: SimulationGame, run: Run) -> Set:
    """The positions from which the protagonist wins."""
    goals = game.right_fair or (game.positions,)
    winning = game.positions
    while True:
        run.step("game simulation", **game.left.cost(winning))
        smaller = winning
        for goal in goals:
            smaller = _reaching(game, goal & game.answered(smaller), run)
        if smaller == winning:
            return winning
        winning = smaller


def _reaching(game: SimulationGame, goal: Set, run: Run) -> Set:
    """μY. ⋃_i νX. goal ∪ cox Y ∪ (¬J1_i ∩ cox X)."""
    nearer = goal
    while True:
        run.step("game simulation", **game.left.cost(nearer))
        near = goal | game.answered(nearer)
        larger = near
        for fair in game.left_fair:
            larger = larger | _avoiding(game, near, game.positions - fair, run)
        if larger == nearer:
            return nearer
        nearer = larger


def _avoiding(game: SimulationGame, near: Set, unfair: Set, run: Run) -> Set:
    """νX. near ∪ (unfair ∩ cox X)."""
    waiting = near | unfair
    while True:
        run.step("game simulation", **game.left.cost(waiting))
        fewer = near | (unfair & game.answered(waiting))
        if fewer == waiting:
            return waiting
        waiting = fewer
