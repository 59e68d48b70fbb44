"""Invariants on bits, by induction over more and more steps, for several invariants at once.

Reference: Sheeran, Singh, Stålmarck 2000, "Checking safety properties using induction and a SAT-solver", section 4.
Symbols:   k is `depth`.
Invariant: no path of fewer than k steps from an initial state ends in a bad state.
Deviates:  that the states of a path differ is demanded only of those that were the same in a path that the solver proposed
           (Eén, Sörensson 2003, "Temporal induction by incremental SAT solving").
Cost:      two questions to the solver for each depth, and one for each set of states that were the same. The depth may become
           the length of the longest path without repetition among good states.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from coarsest.encode.unrolling import Network, Unrolling
from coarsest.logic.expr import Expr
from coarsest.run import Run


def induction(network: Network, good: Expr, run: Run) -> Iterator[bool]:
    """For each depth, whether good states for that many steps, all different, are followed by good ones only."""
    for proved in inductions(network, [good], run, {0}):
        yield bool(proved)


def inductions(network: Network, goods: Sequence[Expr], run: Run, asked: Collection[int]) -> Iterator[set[int]]:
    """For each depth, of which conditions this is true; of those whose numbers are asked for, which may become fewer.

    Each is shown by itself: that the others were true before is not used.
    """
    paths, conditions = Unrolling(network, run, initial=False), [network.edge(good) for good in goods]
    before: list[list[int]] = [[] for _ in goods]
    depth = 0
    try:
        while True:
            run.step("induction", depth=depth)
            here = {number: paths.literal(conditions[number], depth) for number in asked}
            yield {number for number, good in here.items() if not _solve_without_repetition(paths, *before[number], -good)}
            for number, literal in here.items():
                before[number].append(literal)
            paths.extend()
            depth += 1
    finally:
        paths.close()


def _solve_without_repetition(paths: Unrolling, *literals: int) -> bool:
    while paths.solve(*literals):
        repeated = list(paths.repeated())
        if not repeated:
            return True
        for one, other in repeated:
            paths.insist_distinct(one, other)
    return False
