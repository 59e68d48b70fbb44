"""Invariants on bits, by satisfiability: longer and longer paths from the initial states, for several invariants at once.

Reference: Biere, Cimatti, Clarke, Zhu 1999, "Symbolic model checking without BDDs".
Symbols:   the bound k is the number of steps.
Invariant: before the bound is raised, no path of that many steps ends in a bad state, of those that are still asked for.
Deviates:  one solver for all bounds and invariants, in which what was refuted stays. A path is looked for that violates any of
           them, so that a bound that violates none costs one question.
Cost:      one question to the solver for each bound, and one for each invariant that is violated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from coarsest.encode.unrolling import Network, Unrolling
from coarsest.logic.expr import Expr
from coarsest.model.trace import Trace
from coarsest.run import Run


def bounded_search(network: Network, good: Expr, run: Run) -> Iterator[Trace | None]:
    """For each bound, a path of that many steps to a state that is not good; a path that there is, is the last answer.

    Where no path is as long as the bound, the answers end.
    """
    for violations in bounded_searches(network, [good], run, {0}):
        yield violations.get(0)
        if violations:
            return


def bounded_searches(network: Network, goods: Sequence[Expr], run: Run, asked: Collection[int]) -> Iterator[dict[int, Trace]]:
    """The same for those of several conditions whose numbers are asked for, which may become fewer."""
    paths, conditions = Unrolling(network, run, initial=True), [network.edge(good) for good in goods]
    bound = 0
    try:
        while paths.solve():
            run.step("bounded search", bound=bound)
            here = {number: paths.literal(conditions[number], bound) for number in asked}
            violations: dict[int, Trace] = {}
            while len(violations) < len(here):
                some = paths.fresh()
                paths.insist(-some, *(-literal for number, literal in here.items() if number not in violations))
                if not paths.solve(some):
                    break
                trace = paths.trace()
                violations |= {n: trace for n, literal in here.items() if n not in violations and not paths.value(literal)}
            yield violations
            for number, literal in here.items():
                if number not in violations:
                    paths.insist(literal)
            paths.extend()
            bound += 1
    finally:
        paths.close()
