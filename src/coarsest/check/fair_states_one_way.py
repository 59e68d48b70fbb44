"""Fair states by an SCC hull: one way catch them young.

Reference: Fisler, Fraer, Kamhi, Vardi, Yang 2001, "Is there a best symbolic cycle-detection algorithm?"; compassion as in
           Kesten, Pnueli, Raviv 1998.
Symbols:   Z is `candidates`.
Invariant: `candidates` contains every fair cycle of the region.
Deviates:  –
Cost:      in each round one reachability per constraint, then states without a successor are pruned until none is left.
"""

from __future__ import annotations

from coarsest.check.until import until
from coarsest.run import Run
from coarsest.system.space import S, StateSpace


def hull_one_way(space: StateSpace[S], run: Run, region: S) -> S:
    """Remove what cannot reach a constraint, then what has no successor, until nothing changes."""
    fairness = space.fairness
    candidates, before = _prune(space, run, region), space.empty
    while candidates != before:
        before = candidates
        for justice in fairness.justice:
            candidates = until(space, run, candidates, candidates & justice)
        for p, q in fairness.compassion:
            candidates = (candidates - p) | until(space, run, candidates, candidates & q)
        if candidates != before:
            candidates = _prune(space, run, candidates)
    return candidates


def _prune(space: StateSpace[S], run: Run, candidates: S) -> S:
    """The states from which a path stays among the candidates for ever."""
    while True:
        run.step("fair states, pruning", **space.cost(candidates))
        kept = candidates & space.pre(candidates)
        if kept == candidates:
            return kept
        candidates = kept
