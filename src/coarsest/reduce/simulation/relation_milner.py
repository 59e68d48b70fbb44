"""The maximal simulation itself, as a relation: take away the pairs of states of which the second cannot answer the first.

Reference: Milner 1971, An algebraic definition of simulation between programs; Bustan 2002, sections 3.1 and 3.2.
Symbols:   H is `below`: the pairs (s, t) where t simulates s; R is `steps`.
Invariant: `below` contains the maximal simulation, is reflexive, and shrinks.
Deviates:  actions; blocks may be told apart by more than labels.
Cost:      a preimage over pairs of states, with twice as many variables, for each of as many rounds as the longest distinction
           needs steps; then some operations for each class. The baseline of the partition algorithm, which needs no pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest.reduce.bisimulation.pairs import PairSpace, pairs_of, pre_right
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.reachable_part import reachable_states
from coarsest.reduce.simulation.ordered import Ordered, entered_by
from coarsest.run import Run
from coarsest.space.space import S


def classes_of(observed: Observed[S], run: Run) -> Ordered[S]:
    """The classes that contain a reachable state, with the order between them, read from the relation."""
    space = observed.space
    pairs = pairs_of(space)
    below: Any = maximal_simulation(observed, pairs, run)
    alike = below & pairs.swap(below)
    classes: list[S] = []
    larger: list[S] = []
    left = reachable_states(space, run)
    while left:
        run.step("classes of the relation", classes=len(classes))
        one = space.pick(left)
        classes.append(pairs.related_to(alike, one))
        larger.append(pairs.related_to(below, one))
        left = left - classes[-1]
    above = np.zeros((len(classes), len(classes)), dtype=np.bool_)
    for number, states in enumerate(larger):
        above[number, entered_by(states, classes)] = True
    return Ordered(classes, above)


def maximal_simulation(observed: Observed[S], pairs: PairSpace[S, Any], run: Run) -> Any:
    """All pairs of a state and one that simulates it."""
    below = pairs.product(observed.space.empty, observed.space.empty)
    for block in observed.blocks:
        below = below | pairs.product(block, block)
    while True:
        run.step("relation-milner")
        finer = below
        for action in observed.actions:
            answered = pre_right(pairs, below, action)  # (s', t) where some step of t leads to a state above s'
            finer = finer - pairs.pre_left(pairs.pairs - answered, action)  # (s, t) where some step of s has no answer
        if finer == below:
            return below
        below = finer
