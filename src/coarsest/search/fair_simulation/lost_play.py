"""A play that the protagonist loses in the end, if the adversary can win by steps alone: one that cannot be answered.

Reference: Milner 1971, "An algebraic definition of simulation between programs"; Bustan 2002, definition 4.1.5.
Symbols:   `lasting[k]` are the positions from which the protagonist can answer k steps, whatever they are.
Invariant: `lasting` shrinks; a position of the play that is in `lasting[k]` is not in `lasting[k + 1]`, and k falls.
Deviates:  the protagonist answers as long as can be; the adversary wins as soon as that allows.
Cost:      one preimage by each system for each step that can be answered, and images of single states along the play.
"""

from __future__ import annotations

from coarsest.evidence.play import Play
from coarsest.run import Run
from coarsest.search.fair_simulation.arena import SimulationGame
from coarsest.space.bdd.two_machines import Set


def lost_play(game: SimulationGame, start: Set, run: Run) -> Play | None:
    """From one left state; none if the protagonist can answer for ever, though perhaps not fairly."""
    lasting = [game.positions]
    while start & game.answered_at_first(lasting[-1]):
        run.step("play", rounds=len(lasting))
        fewer = lasting[-1] & game.answered(lasting[-1])
        if fewer == lasting[-1]:
            return None
        lasting.append(fewer)
    left, right = [start], list[Set]()
    answers = game.right.initial
    while longest := _longest(lasting, answers & left[-1]):
        lasting = lasting[:longest]
        right.append(game.right.pick(lasting[-1] & answers & left[-1]))
        answered = game.machines.left_of(game.right.pre(lasting[-1]) & right[-1])
        left.append(game.left.pick(game.left.post(left[-1]) - answered))
        answers = game.right.post(right[-1])
    machines = game.machines
    return Play(tuple(map(machines.left.describe, left)), tuple(map(machines.right.describe, right)))


def _longest(lasting: list[Set], pairs: Set) -> int:
    """How many of the sets have one of the pairs in them; each is a part of those before it."""
    return sum(bool(positions & pairs) for positions in lasting)
