"""Invariants on bits, by induction over more and more steps, for several invariants at once.

Reference: Sheeran, Singh, Stålmarck 2000, "Checking safety properties using induction and a SAT-solver", section 4.
Symbols:   k is `depth`.
Invariant: no path of fewer than k steps from an initial state ends in a bad state.
Deviates:  several conditions are assumed together, and those that may be false then are left out, until none may. Only states
           that were equal in a path that the solver proposed are required to differ (Eén, Sörensson 2003, "Temporal induction by
           incremental SAT solving").
Cost:      two questions to the solver for each depth, one for each set of equal states, and one for each condition that is left
           out or follows. The depth may become the length of the longest path without repetition among good states.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from coarsest.encode.unrolling import Network, Unrolling
from coarsest.logic.expr import Expr
from coarsest.run import Run


def induction(network: Network, good: Expr, run: Run) -> Iterator[bool]:
    """For each depth, whether good states for that many steps, all different, are followed by good ones only."""
    search = Inductions(network, [good], run)
    try:
        while True:
            yield bool(search.next([0]))
    finally:
        search.close()


class Inductions:
    """The same for several conditions. Where a limit has ended it, it goes on from there."""

    def __init__(self, network: Network, goods: Sequence[Expr], run: Run) -> None:
        self.depth = 0
        self._paths, self._run = Unrolling(network, run, initial=False), run
        self._conditions = [network.edge(good) for good in goods]
        self._before: list[list[int]] = [[] for _ in goods]
        self._proved: set[int] = set()

    def close(self) -> None:
        self._paths.close()

    def next(self, asked: Collection[int]) -> dict[int, frozenset[int]]:
        """The conditions that follow by induction over `depth` steps, which is then raised; each with the others that must be
        shown with it. Conditions that were shown before are true of all states."""
        paths, before = self._paths, self._before
        self._run.step("induction", depth=self.depth)
        here = {number: paths.literal(self._conditions[number], self.depth) for number in (*asked, *self._proved)}
        inductive = self._inductive(here, set(asked))
        proved = {}
        for number in inductive:
            alone = not _solve_without_repetition(paths, *before[number], -here[number])
            proved[number] = frozenset() if alone else frozenset((inductive | self._proved) - {number})
        self._proved |= inductive
        for number, literal in here.items():
            before[number].append(literal)
        paths.extend()
        self.depth += 1
        return proved

    def _inductive(self, here: Mapping[int, int], candidates: set[int]) -> set[int]:
        """The largest set of conditions such that none may be false after states in which all of them are true."""
        paths, before = self._paths, self._before
        always = [literal for number in self._proved for literal in (*before[number], here[number])]
        while candidates:
            some = paths.fresh()
            paths.add_clause(-some, *(-here[number] for number in candidates))
            assumed = [literal for number in candidates for literal in before[number]]
            if not _solve_without_repetition(paths, *always, *assumed, some):
                break
            candidates = {number for number in candidates if paths.value(here[number])}
        return candidates


def _solve_without_repetition(paths: Unrolling, *literals: int) -> bool:
    while paths.solve(*literals):
        repeated = list(paths.repeated())
        if not repeated:
            return True
        for first, second in repeated:
            paths.require_distinct(first, second)
    return False
