"""Does an invariant hold? Stabilise the initial block only, and stop when a second block becomes reachable.

Reference: Fisler, Vardi 1999, figure 5; Lee, Yannakakis 1992 for the minimiser.
Symbols:   B is `block` (BS_i after iteration i), B'' is `rest`, D is `uncovered`; the edge from the block to itself is `stays`.
Invariant: `rest` of iteration i is the frontier F_i of backward reachability, and the block its complement of S_i (lemma 4).
Deviates:  many initial states: `post(init)` is their image, and all must stay in the block.
Cost:      per iteration at least 5 images, 4 intersections, 3 differences and 4 equality checks; one iteration fewer than
           backward reachability.
"""

from __future__ import annotations

from coarsest.check.invariants.on_the_fly import OnTheFly
from coarsest.run import Run
from coarsest.space.space import S, StateSpace


def check_invariant(space: StateSpace[S], good: S, run: Run) -> OnTheFly[S]:
    """Is every reachable state good? The step relation must be total."""
    bad, initial = space.states - good, space.initial
    block, rings, iterations = good, [bad], 0  # (2), (3)
    if initial & bad:  # (4)
        return OnTheFly(False, tuple(rings), block, iterations)
    enqueued = False
    after_initial = space.post(initial)
    uncovered = space.post(block)  # (5)
    if after_initial & bad:  # (7)
        return OnTheFly(False, (*rings, block), space.empty, iterations, outside=2)
    stays = bool(after_initial & block)
    if stays:  # (6)
        enqueued = block & space.pre(block) != block  # (8)
        uncovered = uncovered - block  # (10)
    enqueued = enqueued or bool(uncovered)  # (12)
    searching = 3 if stays else 2  # images so far
    while enqueued:  # (13)
        run.step("lee-yannakakis", **space.cost(block))
        iterations += 1
        within = (block & space.pre(block)) - space.pre(space.post(block) - block)  # (15)
        rest = block - within  # (16)
        block = within  # (17)
        rings.append(rest)  # (18)
        enqueued = _divides(block & space.pre(block), block) or _divides(block & space.pre(rest), block)  # (19)
        after_initial = space.post(initial)
        if stays and not after_initial & block:  # (20)
            stays = False
        if after_initial & rest:  # (21)
            return OnTheFly(False, (*rings, block), space.empty, iterations, searching)
    return OnTheFly(True, tuple(rings), block, iterations, searching)


def _divides(part: S, block: S) -> bool:
    return bool(part) and part != block
