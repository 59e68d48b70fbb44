"""Fair states by nested fixpoints.

Reference: Emerson, Lei 1986, "Efficient model checking in fragments of the propositional mu-calculus"; compassion as in
           Kesten, Pnueli, Raviv 1998.
Symbols:   Z is `candidates`, the J_i are `justice`.
Invariant: `candidates` contains every state of the region from which a fair path stays in it.
Deviates:  compassion (p, q) keeps the candidates outside p and those that can reach q.
Cost:      for each round and each constraint one reachability; rounds at most the number of states.
"""

from __future__ import annotations

from coarsest.run import Run
from coarsest.search.until import until
from coarsest.space.space import S, StateSpace


def hull_emerson_lei(space: StateSpace[S], run: Run, region: S) -> S:
    """νZ. region ∧ ⋀ EX E[region U (Z ∧ J_i)]."""
    fairness = space.fairness
    candidates, before = region, space.empty
    while candidates != before:
        before = candidates
        run.step("fair states, Emerson-Lei", **space.cost(candidates))
        for justice in fairness.justice:
            candidates = candidates & space.pre(until(space, run, candidates, candidates & justice))
        for p, q in fairness.compassion:
            candidates = candidates & ((candidates - p) | until(space, run, candidates, candidates & q))
        candidates = candidates & space.pre(candidates)
    return candidates
