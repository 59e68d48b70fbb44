"""Coupled simulation: silent steps lead from a state that simulates another to one that the other simulates.

Reference: Parrow, Sjödin 1992, Multiway synchronization verified with coupled simulation; Bisping, Nestmann 2019, Computing
           coupled similarity, section 3 (the fixpoint) and section 4 (the game).
Symbols:   R[p, q] says that p is below q: q answers the weak steps of p, and q ⇒ q' for some q' with R[q', p].
Invariant: all coupled simulations are contained in R, which shrinks.
Deviates:  the graph is that of weak transitions between the classes of weak bisimulation, which is finer; R begins with the
           simulation preorder on it, so that only coupling can fail, and all pairs are checked at once.
Cost:      a matrix over the classes; each round takes a row for each weak transition, and rounds are few.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from coarsest import tuning
from coarsest.logic.modal.hennessy_milner import Builder
from coarsest.lts.labelled import Graph
from coarsest.lts.simulation.distinguish_by_game import DistinguishingGame, Move, Position
from coarsest.lts.simulation.preorder_ranzato_tapparo import Preorder, simulation_preorder
from coarsest.lts.weak.weak_bisimulation import essential_transitions
from coarsest.run import Run

Matrix = NDArray[np.bool_]

COUPLING: Final[Move] = (-1, -1)
"""The move by which a player asks for silent steps to a state below."""


def coupled_preorder(weak: Graph, internal: int, run: Run) -> Preorder:
    """The greatest coupled simulation on a graph of weak transitions."""
    simulation = simulation_preorder(weak, run)
    above = simulation.matrix()[np.ix_(simulation.block, simulation.block)].copy()
    asking = essential_transitions(weak, internal, -1, run)
    while True:
        pairs = int(above.sum())
        run.step("coupled simulation", pairs=pairs)
        above &= _joined(weak, internal, above, run).T
        if int(above.sum()) == pairs:
            return Preorder.of(above)
        while _lose_unanswered(weak, asking, above, run):
            pass


def _rows(weak: Graph, action: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The states that can do an action, the index where the targets of each begin, and the targets."""
    indices = np.flatnonzero(weak.actions == action)
    sources = weak.sources[indices]
    begins = np.flatnonzero(np.diff(sources, prepend=-1))
    return sources[begins].astype(np.int64), begins, weak.targets[indices].astype(np.int64)


def _joined(weak: Graph, action: int, rows: Matrix, run: Run) -> Matrix:
    """For each state, the union of the rows of the states that it reaches by an action."""
    sources, begins, targets = _rows(weak, action)
    joined = np.zeros_like(rows)
    packed = np.packbits(rows, axis=1)
    ends = np.append(begins, len(targets))
    portion = max(1, tuning.ARRAY_PIECE // max(1, packed.shape[1] * max(1, len(targets) // max(1, len(sources)))))
    for at in range(0, len(sources), portion):
        run.step("coupled simulation")
        until = min(at + portion, len(sources))
        gathered = packed[targets[ends[at] : ends[until]]]
        unions = np.bitwise_or.reduceat(gathered, ends[at:until] - ends[at], axis=0)
        joined[sources[at:until]] = np.unpackbits(unions, axis=1, count=rows.shape[1]).view(np.bool_)
    return joined


def _lose_unanswered(weak: Graph, asking: Graph, above: Matrix, run: Run) -> bool:
    """Remove the pairs (p, q) where p has an essential step that q cannot answer. Were there any?"""
    lost = False
    for action in np.unique(asking.actions).tolist():
        able = _joined(weak, action, np.ascontiguousarray(above.T), run)  # row q: the states below those that q reaches
        sources, begins, targets = _rows(asking, action)
        portion = max(1, tuning.ARRAY_PIECE // max(1, len(targets)))
        for at in range(0, len(above), portion):
            run.step("coupled simulation")
            unable = ~able[at : at + portion][:, targets]
            wrong = np.logical_or.reduceat(unable, begins, axis=1)
            block = above[sources, at : at + portion]
            lost = lost or bool((block & wrong.T).any())
            above[sources, at : at + portion] = block & ~wrong.T
    return lost


class CoupledGame(DistinguishingGame):
    """The simulation game with one more move: the other player goes to a state by silent steps, and the players change sides."""

    def __init__(self, graph: Graph, preorder: Preorder, run: Run, *, internal: int, make: Builder) -> None:
        super().__init__(graph, preorder, run, make=make)
        self.internal, self.preorder = internal, preorder

    def _promising_moves(self, position: Position) -> list[Move]:
        coupled = any(self._preorder.below(*after) for after in self._answers(position, COUPLING))
        return super()._promising_moves(position) + [COUPLING] * (not coupled)

    def _answers(self, position: Position, move: Move) -> list[Position]:
        if move != COUPLING:
            return super()._answers(position, move)
        state, other = position
        return [(end, state) for end in self._after(other).get(self.internal, [other])]

    def _state_move(self, move: Move, answers: Sequence[Position]) -> int:
        if move != COUPLING:
            return super()._state_move(move, answers)
        make = self._make
        hardest_first = sorted(answers, key=lambda answer: (-self._ranks[answer], answer))
        parts = [(make.negation(self._stated[answer]), answer[0]) for answer in hardest_first]
        return make.diamond(self._graph.action_names[self.internal], self._conjunctions.against(parts))
