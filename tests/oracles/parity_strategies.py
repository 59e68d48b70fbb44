"""Do strategies win a parity game from all vertices that they claim? Checked on the graph that is left by such a strategy.

A strategy wins if it never leaves the vertices that are claimed, if the other player cannot lead the play out of them, and if
the largest priority of every cycle is one that the player likes: then so is that of every play for ever.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coarsest.lts.judge.fair.strategies import cycles_of
from coarsest.lts.judge.inert_components import Integers


def wrong_in_solution(
    tails: Integers, heads: Integers, owner: NDArray[np.int8], priority: Integers, *, winner: NDArray[np.int8], choice: Integers
) -> str:  # fmt: skip
    """Why winners and choices (-1 where there is none) are no solution of the game with these edges; empty if they are one."""
    edges = set(zip(tails.tolist(), heads.tolist()))
    for player in (0, 1):
        own = (winner == player) & (owner == player)
        lost = [vertex for vertex in np.flatnonzero(own).tolist() if (vertex, int(choice[vertex])) not in edges]
        if lost:
            return f"player {player} has no move at vertex {lost[0]}"
        followed = (winner[tails] == player) & ((owner[tails] != player) | (choice[tails] == heads))
        left = np.flatnonzero(followed & (winner[heads] != player))
        if len(left):
            return f"a play of player {player} may go from {tails[left[0]]} to {heads[left[0]]}, which the other player wins"
        for highest in np.unique(priority[priority % 2 != player]).tolist():
            low = followed & (priority[tails] <= highest) & (priority[heads] <= highest)
            for cycle in cycles_of(len(owner), tails[low], heads[low]):
                if (priority[cycle] == highest).any():
                    return f"a play of player {player} may go round with {highest} as the largest priority"
    return ""
