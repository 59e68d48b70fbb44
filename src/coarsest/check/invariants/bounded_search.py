"""Invariants on bits, by satisfiability: longer and longer paths from the initial states, for several invariants at once.

Reference: Biere, Cimatti, Clarke, Zhu 1999, "Symbolic model checking without BDDs".
Symbols:   the bound k is the number of steps.
Invariant: when the bound is raised, no path of that many steps violates an invariant that is still asked for.
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
    """For each bound, a path of that many steps to a state that is not good, or None. A path is the last answer.

    Where no path is as long as the bound, the answers end, too.
    """
    search = BoundedSearch(network, [good], run)
    try:
        while (violations := search.next([0])) is not None:
            yield violations.get(0)
            if violations:
                return
    finally:
        search.close()


class BoundedSearch:
    """The same for several conditions. Where a limit has ended it, it goes on from there."""

    def __init__(self, network: Network, goods: Sequence[Expr], run: Run) -> None:
        self.bound = 0
        self._paths, self._run = Unrolling(network, run, initial=True), run
        self._conditions = [network.edge(good) for good in goods]
        self._violations: dict[int, Trace] = {}
        """The violations by paths as long as the bound."""

    def close(self) -> None:
        self._paths.close()

    def next(self, asked: Collection[int]) -> dict[int, Trace] | None:
        """Violations of the conditions whose numbers are given, by paths as long as the bound, which is then raised.

        None where no path is as long.
        """
        paths = self._paths
        if not paths.solve():
            return None
        self._run.step("bounded search", bound=self.bound)
        here = {number: paths.literal(self._conditions[number], self.bound) for number in asked}
        while len(self._violations) < len(here):
            some, violations = paths.fresh(), self._violations
            paths.add_clause(-some, *(-literal for number, literal in here.items() if number not in violations))
            if not paths.solve(some):
                break
            trace = paths.trace()
            violations |= {n: trace for n, literal in here.items() if n not in violations and not paths.value(literal)}
        for number, literal in here.items():
            if number not in self._violations:
                paths.add_clause(literal)
        violations, self._violations = self._violations, {}
        paths.extend()
        self.bound += 1
        return violations
