"""Hints_Sym: invariants on representatives, where hints say which states are searched first.

Reference: Barner, Grumberg 2003, figure 5; hints are those of Bloem, Ravi, Somenzi 2000.
Symbols:   h_1, …, h_l are `hints` and all states; S_i is `waiting`, reach_rep `representatives`, full_reach `symmetric`.
Invariant: as in Symmetry_MC; in the turn of h_j, only states of h_j are expanded.
Deviates:  states that were expanded in an earlier turn are not expanded again, for they lead to nothing new.
Cost:      one image for each layer. With `once`, the paper's optimisation, closures are made once in each turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.reduce.symmetry.closing import sigma_step
from coarsest.reduce.symmetry.group.movers import Mover
from coarsest.reduce.symmetry.symmetry_mc_barner_grumberg import Explored, Layer, path_through
from coarsest.run import Run
from coarsest.space.space import S, StateSpace


def hints_sym(
    space: StateSpace[S], bad: S, movers: Sequence[Mover[S]], hints: Sequence[S], run: Run, *, rounds: int | None = None,
    once: bool = False,
) -> Explored[S]:  # fmt: skip
    """Search for a bad state, in turn within each of the hints and then within all states."""
    representatives = fresh = space.initial
    expanded = symmetric = space.empty
    layers: list[Layer[S]] = []
    closed = True
    for turn, hint in enumerate([*hints, space.states]):
        waiting = (representatives & hint) - expanded
        while waiting and not representatives & bad:
            run.step("representatives by hints", turn=turn, layers=len(layers), **space.cost(representatives))
            if not once or not layers or fresh is representatives:
                closure = sigma_step(space, fresh, movers, run, rounds=rounds)
                symmetric, closed = symmetric | closure.states, closed and closure.complete
            reached = space.post(waiting) - symmetric - representatives
            layers.append(Layer(waiting, reached))
            expanded = expanded | waiting
            representatives = representatives | reached
            fresh = reached if not once else fresh
            waiting = reached & hint
        fresh = representatives if once else fresh
    path = path_through(space, layers, representatives & bad, space.initial) if representatives & bad else None
    return Explored(representatives, tuple(layers), path, closed)
