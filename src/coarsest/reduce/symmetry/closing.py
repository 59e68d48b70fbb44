"""σ_Step: all states in the orbits of some states.

Reference: Barner, Grumberg 2003, figure 3.
Symbols:   A is `states`, sym_states is `symmetric`; Im_σ is a mover.
Invariant: A ⊆ symmetric ⊆ the union of the orbits of A.
Deviates:  a round applies a generator to what the last round has added alone. It may be stopped after some rounds, as the paper
           does; the answer says whether it was.
Cost:      one substitution for each generator and round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from msgspec import Struct

from coarsest.reduce.symmetry.group.movers import Mover
from coarsest.run import Run
from coarsest.space.space import S, StateSpace


class Closure(Struct, Generic[S], frozen=True):
    states: S
    complete: bool
    """Are these all states of the orbits, or were the rounds limited?"""


def sigma_step(space: StateSpace[S], states: S, movers: Sequence[Mover[S]], run: Run, *, rounds: int | None = None) -> Closure[S]:
    """σ_Step(A, σ_1, …, σ_k), stopped after a number of rounds if `rounds` is given."""
    symmetric, added, left = states, states, rounds
    while added and movers:
        if left == 0:
            return Closure(symmetric, complete=False)
        run.step("symmetric states", **space.cost(symmetric))
        before = symmetric
        for move in movers:
            run.look_at_clock("symmetric states")
            symmetric = symmetric | move(added | (symmetric - before))
        added = symmetric - before
        left = None if left is None else left - 1
    return Closure(symmetric, complete=True)
