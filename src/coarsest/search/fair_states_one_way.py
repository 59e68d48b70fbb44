"""Fair states by an SCC hull: one way catch them young.

Reference: Fisler, Fraer, Kamhi, Vardi, Yang 2001, "Is there a best symbolic cycle-detection algorithm?"; compassion as in
           Kesten, Pnueli, Raviv 1998.
Symbols:   Z is `candidates`.
Invariant: `candidates` contains every fair cycle of the region.
Deviates:  constraints are taken to and fro instead of always in the same direction.
Cost:      in each round one reachability per constraint, then states without a successor are pruned until none is left.
"""

from __future__ import annotations

from coarsest.run import Run
from coarsest.search.reachability import to_and_fro
from coarsest.search.until import until
from coarsest.space.space import S, StateSpace


def hull_one_way(space: StateSpace[S], run: Run, region: S) -> S:
    """Remove what cannot reach a constraint, then what has no successor, until nothing changes."""
    constraints: list[tuple[S | None, S]] = [(None, justice) for justice in space.fairness.justice]
    constraints += space.fairness.compassion
    candidates = _prune(space, run, region)
    met: set[int] = set()  # the constraints that every candidate reaches
    for number in to_and_fro(len(constraints)):
        if len(met) == len(constraints) or not candidates:
            break
        if number in met:
            continue
        p, q = constraints[number]
        kept = until(space, run, candidates, candidates & q)
        if p is not None:
            kept = kept | (candidates - p)
        if kept != candidates:
            candidates = _prune(space, run, kept)
            met.clear()
        if candidates == kept:  # what pruning removes may have been on the way to this constraint
            met.add(number)
    return candidates


def _prune(space: StateSpace[S], run: Run, candidates: S) -> S:
    """The states from which a path stays among the candidates for ever."""
    while True:
        run.step("fair states, pruning", **space.cost(candidates))
        kept = candidates & space.pre(candidates)
        if kept == candidates:
            return kept
        candidates = kept
