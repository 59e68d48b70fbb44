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
    constraints: list[tuple[S | None, S]] = [(None, justice) for justice in space.fairness.justice]
    constraints += space.fairness.compassion
    candidates = _prune(space, run, region)
    met = turn = 0  # how many constraints in a row have removed nothing
    while met < len(constraints) and candidates:
        p, q = constraints[turn % len(constraints)]
        turn += 1
        kept = until(space, run, candidates, candidates & q)
        if p is not None:
            kept = kept | (candidates - p)
        if kept == candidates:
            met += 1
        else:
            candidates = _prune(space, run, kept)
            met = int(candidates == kept)  # what pruning removes may have been on the way to this constraint
    return candidates


def _prune(space: StateSpace[S], run: Run, candidates: S) -> S:
    """The states from which a path stays among the candidates for ever."""
    while True:
        run.step("fair states, pruning", **space.cost(candidates))
        kept = candidates & space.pre(candidates)
        if kept == candidates:
            return kept
        candidates = kept
