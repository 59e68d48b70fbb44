"""The quotient structure, and its little brothers disconnected: one after the other, in one pass, or at once.

Reference: Bustan 2002, section 3.2, figures 3.1 to 3.3 (Bustan, Grumberg 2003, Simulation-based minimization).
Symbols:   M_q is a `Structure` of classes: R_q is `steps`, one matrix for each action, H is `above`.
Invariant: every structure on the way is simulation equivalent to the first, and has the same maximal simulation.
Deviates:  actions; several initial states, of which one that another one simulates is a little brother, too.
Cost:      quotients: a preimage for each class, and a comparison for each pair. Little brothers: a maximal simulation for each
           step that is left out (`disconnect_one_by_one`), |S| · |R| (`disconnect_in_one_pass`), a product of matrices
           (`disconnect_at_once`). For the smallest structure, `reduce` uses ordered.py: of each class, it looks at the steps of
           one state.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from coarsest.lts.labelled import Graph
from coarsest.lts.simulation.preorder_ranzato_tapparo import simulation_preorder
from coarsest.lts.union import tidied
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.partition import Lazy
from coarsest.reduce.partition.reachable_part import reachable_states
from coarsest.reduce.simulation.ordered import Matrix, Ordered, Smallest, meets, numbered
from coarsest.run import Run
from coarsest.space.space import S


class Structure(Struct, frozen=True, eq=False):
    """Classes with steps between them, and the maximal simulation over them."""

    initial: Matrix
    steps: tuple[Matrix, ...]
    above: Matrix

    @property
    def strictly(self) -> Matrix:
        """Which state is below which, and not the other way round."""
        return self.above & ~self.above.T

    @property
    def transitions(self) -> int:
        return sum(int(matrix.sum()) for matrix in self.steps)


def quotient(observed: Observed[S], ordered: Ordered[S], *, every: bool) -> Structure:
    """M_q: a step from class to class where every state has one (the ∀-quotient), or where some state has (the ∃-quotient)."""
    classes = ordered.classes
    initial = np.array([bool(states & observed.space.initial) for states in classes], dtype=np.bool_)
    steps = tuple(np.zeros((len(classes), len(classes)), dtype=np.bool_) for _ in observed.actions)
    for target, states in enumerate(classes):
        for matrix, entering in zip(steps, observed.entering(states), strict=True):
            matrix[:, target] = [one <= entering if every else bool(one & entering) for one in classes]
    return Structure(initial, steps, ordered.above)


def reachable_quotient(observed: Observed[S], ordered: Ordered[S], run: Run, *, every: bool) -> Smallest[S]:
    """M_q of the reachable states, and of its classes those that can be reached."""
    space, reached = observed.space, reachable_states(observed.space, run)
    inside = [states & reached for states in ordered.classes]
    numbers = [number for number, states in enumerate(inside) if states]
    part = Ordered([inside[number] for number in numbers], ordered.above[np.ix_(numbers, numbers)])
    made = quotient(observed, part, every=every)
    edges = [(source, kind, target) for kind, matrix in enumerate(made.steps) for source, target in np.argwhere(matrix).tolist()]
    examples = Lazy[S](len(part), lambda number: space.pick(part.classes[number]))

    def looks(number: int) -> int:
        return next(i for i, block in enumerate(observed.blocks) if part.classes[number] <= block)

    return numbered(part, np.flatnonzero(made.initial).tolist(), edges, looks, examples.__getitem__)


def disconnect_at_once(structure: Structure) -> Structure:
    """R' = R - {(s1, s2) | there is an s3: R(s1, s3), H(s2, s3), not H(s3, s2)}."""
    strictly = structure.strictly
    initial = structure.initial & ~meets(structure.initial[None, :], strictly)[0]
    return replace(structure, initial=initial, steps=tuple(matrix & ~meets(matrix, strictly) for matrix in structure.steps))


def disconnect_in_one_pass(structure: Structure) -> Structure:
    """Figure 3.2: the successors of a state one after the other, each compared with those before it."""
    strictly = structure.strictly
    rows = [structure.initial.copy(), *(row for matrix in structure.steps for row in matrix.copy())]
    for row in rows:
        before: list[int] = []
        for successor in np.flatnonzero(row).tolist():
            row[[brother for brother in before if strictly[brother, successor]]] = False
            if any(strictly[successor, brother] for brother in before):
                row[successor] = False
            before.append(successor)
    size = len(structure.initial)
    steps = [np.array(rows[1 + i * size : 1 + (i + 1) * size]).reshape(size, size) for i in range(len(structure.steps))]
    return replace(structure, initial=rows[0], steps=tuple(steps))


def disconnect_one_by_one(structure: Structure, labels: Sequence[int], run: Run) -> Structure:
    """Figure 3.1: as long as there is a little brother, take away one step to it, and find the maximal simulation again."""
    initial, steps = structure.initial.copy(), [matrix.copy() for matrix in structure.steps]
    while True:
        run.step("disconnect little brothers")
        above = maximal_simulation(initial, steps, labels, run)
        strictly = above & ~above.T
        places = [(row, brother) for row in (initial, *(row for matrix in steps for row in matrix))
                  for brother in np.flatnonzero(row & meets(row[None, :], strictly)[0])[:1]]  # fmt: skip
        if not places:
            return Structure(initial, tuple(steps), above)
        row, brother = places[0]
        row[brother] = False


def maximal_simulation(initial: Matrix, steps: Sequence[Matrix], labels: Sequence[int], run: Run) -> Matrix:
    """The maximal simulation over a structure, with the kernels for graphs."""
    actions, sources, targets = np.argwhere(np.array(steps)).T
    names = tuple(map(str, range(max(1, len(steps)))))
    graph = Graph.from_edges(
        len(initial), sources, actions, targets, initial=np.flatnonzero(initial), labels=labels, action_names=names,
        label_names=tuple(map(str, range(max(labels, default=0) + 1))),
    )  # fmt: skip
    order = simulation_preorder(tidied(graph), run)
    above: Matrix = order.matrix()[np.ix_(order.block, order.block)]
    return above


def reachable(structure: Structure) -> tuple[Matrix, int]:
    """The states that the initial ones lead to, and how many steps leave these."""
    reached = structure.initial.copy()
    while True:
        more = reached | np.logical_or.reduce([matrix[reached].any(axis=0) for matrix in structure.steps])
        if (more == reached).all():
            return reached, sum(int(matrix[reached].sum()) for matrix in structure.steps)
        reached = more
