"""Do pairs of a block and a set of blocks show that all observations along paths of one graph are observations of another?

A pair (P, S) claims that all observations along paths from P are possible from S. It follows if the observations of the states of
P are those of some states in S, which for futures follows from pairs about traces; and if every step of P leads to a block below
a block that fitting blocks of S lead to, or below the block of another pair whose set is below the blocks that they lead to. The
reason is that a shortest observation that is missing from some S would lead to a shorter one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from coarsest.lts.certificates import NestedCertificate, PathCertificate
from coarsest.lts.judge.transitions import Transitions

FUTURES = ("impossible-futures", "possible-futures")
REFUSING = ("failures", "revivals", "failure-traces")
READY = ("readiness", "ready-traces")


class PathPairs:
    """The pairs of a path certificate, whose simulation has been checked."""

    def __init__(self, columns: Transitions, certificate: PathCertificate) -> None:
        self._notion, self._pairs = certificate.notion, certificate.pairs
        relation = certificate.simulation
        self._traces: PathPairs | None = None
        if isinstance(relation, NestedCertificate):
            self._traces = PathPairs(columns, PathCertificate("traces", relation.simulation, certificate.futures))
            self._outer = np.zeros(len(relation.nested.above), dtype=np.int64)
            self._outer[relation.nested.blocks] = relation.simulation.blocks
            relation = relation.nested
        self._blocks, self._above = relation.blocks, relation.above
        self._label = np.zeros(len(self._above), dtype=np.int64)
        self._label[self._blocks] = columns.labels
        self._steps: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        tails, heads = self._blocks[columns.sources].tolist(), self._blocks[columns.targets].tolist()
        for tail, action, head in zip(tails, columns.actions.tolist(), heads):
            self._steps[tail][action].add(head)
        self._stated: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for block, others in self._pairs:
            self._stated[block].append(others)

    def problem(self, ones: list[int], others: list[int]) -> str:
        """The reason why the pairs do not show that initial states are below others, or an empty text."""
        wrong = self._traces._wrong_pairs() if self._traces is not None else ""
        if wrong or (wrong := self._wrong_pairs()):
            return wrong
        start = {int(self._blocks[state]) for state in others}
        lonely = [state for state in ones if not self._follows(int(self._blocks[state]), start)]
        return f"nothing is said about the initial state {lonely[0]}" if lonely else ""

    def _wrong_pairs(self) -> str:
        numbers = [number for block, set_of_blocks in self._pairs for number in (block, *set_of_blocks)]
        if not all(0 <= number < len(self._above) for number in numbers):
            return f"a pair names a block that is not among the {len(self._above)}"
        return next(filter(None, (self._wrong_pair(block, set_of_blocks) for block, set_of_blocks in self._pairs)), "")

    def _wrong_pair(self, block: int, others: tuple[int, ...]) -> str:
        alike = [other for other in others if self._label[other] == self._label[block]]
        fitting = [other for other in alike if self._fits(block, other)]
        offered = set().union(*(self._steps[other].keys() for other in fitting))
        if not fitting or (self._notion == "revivals" and offered != self._steps[block].keys()):
            return f"what is seen of block {block} is seen of none that should have its observations"
        for action, targets in self._steps[block].items():
            going_on = fitting if self._notion in ("failure-traces", "ready-traces") else alike
            answers: set[int] = set().union(*(self._steps[other].get(action, set()) for other in going_on))
            for target in targets:
                if not self._follows(target, answers):
                    return f"no pair covers block {target} after block {block}"
        return ""

    def _fits(self, block: int, other: int) -> bool:
        if self._notion in FUTURES:
            return self._has_traces(block, other) and (self._notion == "impossible-futures" or self._has_traces(other, block))
        mine, theirs = self._steps[block].keys(), self._steps[other].keys()
        if self._notion in READY:
            return mine == theirs
        return theirs <= mine if self._notion in REFUSING else True

    def _has_traces(self, block: int, other: int) -> bool:
        """Has a block all traces of another?"""
        return self._traces is not None and self._traces._follows(int(self._outer[other]), [int(self._outer[block])])

    def _follows(self, block: int, answers: Iterable[int]) -> bool:
        closed = np.logical_or.reduce(self._above[:, sorted(answers)], axis=1)
        if closed[block]:
            return True
        higher = np.flatnonzero(self._above[block]).tolist()
        return any(closed[list(others)].all() for number in higher for others in self._stated.get(number, ()))
