"""The partition algorithm: classes of states and an order between classes, refined together; never a relation over states.

Reference: Bustan 2002, section 3.3, figure 3.5 (Bustan, Grumberg 2003, Simulation-based minimization).
Symbols:   (Σ_i, H_i) is an `Ordered`: Σ_i its classes, H_i the matrix `above`; s_p is `splitter`, GT and LT are `greater` and
           `smaller`; Π(α) is a row of `enters`, Φ one of `matched`.
Invariant: states are in one class of Σ_i iff they are i-equivalent; [s] H_i [t] iff t answers i steps of s; H_i is transitive.
Deviates:  sets of states instead of lists: GT and LT are preimages; actions; blocks may be told apart by more than labels.
Cost:      at most |Σ|² rounds; in each, a preimage for each class, and for each new class a preimage and |Σ| intersections.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.simulation.ordered import Matrix, Ordered, entered_by, meets
from coarsest.run import Run
from coarsest.space.space import S


def refinements(observed: Observed[S], run: Run) -> Iterator[Ordered[S]]:
    """(Σ_0, H_0), (Σ_1, H_1) and so on, as long as there is a change."""
    ordered = Ordered(observed.blocks, np.eye(len(observed.blocks), dtype=np.bool_))
    change = True
    while change:
        yield ordered
        run.step("partition", classes=len(ordered))
        classes, inside = _refine(observed, ordered)
        above = _update(observed, ordered, classes, inside)
        change = len(classes) > len(ordered) or bool((above != ordered.above[np.ix_(inside, inside)]).any())
        ordered = Ordered(classes, above)


def _refine(observed: Observed[S], ordered: Ordered[S]) -> tuple[list[S], list[int]]:
    """Σ_{i+1}, and for each of its classes the one of Σ_i that it is a part of."""
    space = observed.space
    unions = [_union(space.empty, ordered.classes, row) for row in ordered.above]
    answering = [observed.entering(union) for union in unions]  # who has a step to something above the class
    finer: list[S] = []
    inside: list[int] = []
    for number, alpha in enumerate(ordered.classes):
        while alpha:
            splitter = space.pick(alpha)
            greater = smaller = alpha
            for kind, action in enumerate(observed.actions):
                entered = entered_by(action.post(splitter), ordered.classes)
                for phi in entered:
                    greater = greater & answering[phi][kind]
                not_below = _union(space.empty, ordered.classes, np.logical_not(ordered.above[:, entered].any(axis=1)))
                smaller = smaller - action.pre(not_below)
            part = greater & smaller
            alpha = alpha - part
            finer.append(part)
            inside.append(number)
    return finer, inside


def _update(observed: Observed[S], ordered: Ordered[S], classes: Sequence[S], inside: Sequence[int]) -> Matrix:
    """H_{i+1}: what was above and enters, for all that is entered below it, something above that."""
    above = ordered.above[np.ix_(inside, inside)]
    for action in observed.actions:
        enters = np.zeros((len(classes), len(ordered)), dtype=np.bool_)
        for number, states in enumerate(classes):
            enters[number, entered_by(action.post(states), ordered.classes)] = True
        matched = meets(enters, ordered.above)
        above = above & ~meets(enters, ~matched)
    return above


def _union(empty: S, classes: Sequence[S], members: Matrix) -> S:
    """The states of some classes."""
    states = empty
    for number in np.flatnonzero(members).tolist():
        states = states | classes[number]
    return states
