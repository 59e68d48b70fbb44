"""Invariants on bits, by induction over more and more steps.

Reference: Sheeran, Singh, Stålmarck 2000, "Checking safety properties using induction and a SAT-solver", section 4.
Symbols:   k is `depth`.
Invariant: no path of fewer than k steps from an initial state ends in a bad state.
Deviates:  that the states of a path differ is demanded only of those that were the same in a path that the solver proposed
           (Eén, Sörensson 2003, "Temporal induction by incremental SAT solving").
Cost:      two questions to the solver for each depth, and one for each set of states that were the same. The depth may become
           the length of the longest path without repetition among good states.
"""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.encode.unrolling import Network, Unrolling
from coarsest.logic.expr import Expr
from coarsest.run import Run


def induction(network: Network, good: Expr, run: Run) -> Iterator[bool]:
    """For each depth, whether good states for that many steps, all different, are followed by good ones only."""
    paths, condition = Unrolling(network, run, initial=False), network.edge(good)
    depth = 0
    try:
        while True:
            run.step("induction", depth=depth)
            here = paths.literal(condition, depth)
            holds = not _solve_without_repetition(paths, -here)
            yield holds
            paths.insist(here)
            paths.extend()
            depth += 1
    finally:
        paths.close()


def _solve_without_repetition(paths: Unrolling, bad: int) -> bool:
    while paths.solve(bad):
        repeated = list(paths.repeated())
        if not repeated:
            return True
        for one, other in repeated:
            paths.insist_distinct(one, other)
    return False
