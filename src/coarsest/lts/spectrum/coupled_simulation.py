"""Coupled simulation: a weak simulation in which the state above can come below the other by internal steps of its own.

Reference: Parrow, Sjödin 1992, Multiway synchronization verified with coupled simulation; van Glabbeek 2017, A branching time
           model of CSP, for the preorder; Bisping, Nestmann 2019, Computing coupled similarity.
Symbols:   `above[p]` is the set of q with p R q; `rank[p, q]` is the round in which the pair was given up.
Invariant: after round k, p R q iff all formulas of k nested weak steps that are true in p are true in q.
Deviates:  rounds over whole bit matrices, not a game; formulas are read off the rounds, as for bisimulation.
Cost:      O(weak steps · n / 64) words for each round, space n² numbers: given up for more than MOST_CLASSES classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts.labelled import INTERNAL
from coarsest.lts.rounds.truths import Conjunctions
from coarsest.lts.spectrum.weak_words import weak_step
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

MOST_CLASSES = 6_000
"""Between more states it is not computed."""
MOST_BYTES = 1 << 26
"""Rows that are gathered at once take no more memory, unless one state has more targets."""
NEVER = np.iinfo(np.int32).max

Rows = NDArray[np.bool_]


class _Move(NamedTuple):
    """What the first state can do and the second has no answer to: a weak step, with the states after the answers; or, coupled,
    nothing, with the states that the second can come to."""

    action: int
    target: int
    rivals: tuple[int, ...]
    coupled: bool


class CoupledSimulation:
    """On a graph of weak steps, with that of the internal action from each state to itself."""

    def __init__(self, graph: Graph, internal: int, run: Run) -> None:
        self._graph, self._internal, self._run = graph, internal, run
        self._make = Builder()
        self._conjunctions = Conjunctions(graph, self._make)
        self._formulas: dict[tuple[int, int], int] = {}
        self._groups = [self._rows_of(action) for action in np.unique(graph.actions).tolist()]
        self.rank = self._rounds()

    def _rows_of(self, action: int) -> tuple[int, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The states that can do an action, where their steps begin among the targets, and the targets."""
        bearing = self._graph.actions == action
        sources = self._graph.sources[bearing].astype(np.int64)
        able, starts = np.unique(sources, return_index=True)
        return action, able, starts, self._graph.targets[bearing].astype(np.int64)

    def _rounds(self) -> NDArray[np.int32]:
        labels = self._graph.labels
        above: Rows = labels[:, None] == labels[None, :]
        rank = np.where(above, NEVER, 0).astype(np.int32)
        number = 0
        while True:
            number += 1
            self._run.step("coupled simulation", rounds=number, pairs=int(above.sum()))
            smaller = above & self._answered(above) & self._coupled(above)
            gone = above & ~smaller
            if not gone.any():
                return rank
            rank[gone] = number
            above = smaller

    def _answered(self, above: Rows) -> Rows:
        """Each step of p has an answer by q."""
        answered = np.ones_like(above)
        for _, able, starts, targets in self._groups:
            answers = np.zeros_like(above)  # of a state by rows: which states can come to one above it
            answers[:, able] = _any_of(np.ascontiguousarray(above.T), starts, targets).T
            missing = ~answers
            answered[able] &= ~_any_of(missing, starts, targets)
        return answered

    def _coupled(self, above: Rows) -> Rows:
        """By internal steps, q comes to a state below p."""
        _, able, starts, targets = next(group for group in self._groups if group[0] == self._internal)
        coupled = np.zeros_like(above)
        coupled[:, able] = _any_of(above, starts, targets).T
        return coupled

    def below(self, one: int, other: int) -> bool:
        return bool(self.rank[one, other] == NEVER)

    def depth(self, state: int, others: Sequence[int]) -> int | None:
        """The rounds that it takes to tell a state from all the others; None if it is below one of them."""
        ranks = [int(self.rank[state, other]) for other in others]
        return None if NEVER in ranks else max(ranks, default=0)

    def between(self, state: int, others: Sequence[int]) -> Formula:
        """A formula that is true in the state and false in the others, none of which it is below."""
        self._state_all([(state, other) for other in others])
        return self._make.formula(self._against(state, others))

    def _state_all(self, pairs: list[tuple[int, int]]) -> None:
        moves: dict[tuple[int, int], _Move] = {}
        stack = list(pairs)
        while stack:
            pair = one, other = stack[-1]
            if pair in self._formulas:
                stack.pop()
            elif self.rank[pair] == 0:
                stack.pop()
                self._formulas[pair] = self._make.label(self._graph.label_names[self._graph.labels[one]])
            elif pair not in moves:
                self._run.step("coupled simulation", formulas=len(self._formulas))
                move = moves[pair] = self._best_move(one, other)
                stack += [(rival, one) if move.coupled else (move.target, rival) for rival in move.rivals]
            else:
                stack.pop()
                self._formulas[pair] = self._stated(one, moves[pair])

    def _stated(self, one: int, move: _Move) -> int:
        """A weak step to a state that the rivals are not above; or internal steps to one that no rival is below."""
        make = self._make
        if not move.coupled:
            name = self._graph.action_names[move.action]
            return weak_step(make, name, [self._against(move.target, move.rivals)])
        parts = [(make.negation(self._formulas[rival, one]), rival) for rival in self._hardest_first(one, move.rivals)]
        return make.until(make.true, INTERNAL[0], self._conjunctions.against(parts))

    def _hardest_first(self, one: int, rivals: Sequence[int]) -> list[int]:
        return sorted(rivals, key=lambda rival: (-int(self.rank[rival, one]), rival))

    def _against(self, state: int, rivals: Sequence[int]) -> int:
        hardest_first = sorted(rivals, key=lambda rival: (-int(self.rank[state, rival]), rival))
        return self._conjunctions.against([(self._formulas[state, rival], rival) for rival in hardest_first])

    def _best_move(self, one: int, other: int) -> _Move:
        """Of the moves that win in the round in which the pair was given up, one with few rivals."""
        round_before = int(self.rank[one, other]) - 1
        moves = []
        mine, theirs = self._after(one), self._after(other)
        for action, targets in mine.items():
            answers = theirs.get(action, [])
            moves += [
                _Move(action, target, tuple(answers), coupled=False)
                for target in targets
                if all(self.rank[target, answer] <= round_before for answer in answers)
            ]
        reached = theirs[self._internal]
        if all(self.rank[rival, one] <= round_before for rival in reached):
            moves.append(_Move(self._internal, one, tuple(reached), coupled=True))
        return min(moves, key=lambda move: (len(move.rivals), move.coupled, move))

    def _after(self, state: int) -> dict[int, list[int]]:
        begin, end = int(self._graph.offsets[state]), int(self._graph.offsets[state + 1])
        steps: dict[int, list[int]] = {}
        for action, target in zip(self._graph.actions[begin:end].tolist(), self._graph.targets[begin:end].tolist()):
            steps.setdefault(action, []).append(target)
        return steps


def _any_of(rows: Rows, starts: NDArray[np.int64], targets: NDArray[np.int64]) -> Rows:
    """For each group of targets, the union of their rows, in portions."""
    bits = np.packbits(rows, axis=1)
    union = np.empty((len(starts), bits.shape[1]), dtype=np.uint8)
    cuts = np.append(starts, len(targets))
    portion = max(1, MOST_BYTES // max(1, bits.shape[1]))
    begin = 0
    while begin < len(starts):
        end = max(begin + 1, int(np.searchsorted(cuts, cuts[begin] + portion, side="right")) - 1)
        gathered = bits[targets[cuts[begin] : cuts[end]]]
        union[begin:end] = np.bitwise_or.reduceat(gathered, cuts[begin:end] - cuts[begin], axis=0)
        begin = end
    return np.unpackbits(union, axis=1, count=rows.shape[1]).view(np.bool_)
