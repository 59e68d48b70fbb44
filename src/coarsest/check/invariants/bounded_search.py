"""Invariants on bits, by satisfiability: longer and longer paths from the initial states.

Reference: Biere, Cimatti, Clarke, Zhu 1999, "Symbolic model checking without BDDs".
Symbols:   the bound k is the number of steps.
Invariant: before the bound is raised, no path of that many steps ends in a bad state.
Deviates:  one solver for all bounds, in which what was refuted stays.
Cost:      one question to the solver for each bound.
"""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.encode.unrolling import Network, Unrolling
from coarsest.logic.expr import Expr
from coarsest.model.trace import Trace
from coarsest.run import Run


def bounded_search(network: Network, good: Expr, run: Run) -> Iterator[Trace | None]:
    """For each bound, a path of that many steps to a state that is not good; a path that there is, is the last answer.

    Where no path is as long as the bound, the answers end.
    """
    paths, condition = Unrolling(network, run, initial=True), network.edge(good)
    bound = 0
    try:
        while paths.solve():
            run.step("bounded search", bound=bound)
            here = paths.literal(condition, bound)
            if paths.solve(-here):
                yield paths.trace()
                return
            yield None
            paths.insist(here)
            paths.extend()
            bound += 1
    finally:
        paths.close()
