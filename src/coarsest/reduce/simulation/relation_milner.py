"""The maximal simulation itself, as a relation: take away the pairs of states of which the second cannot answer the first.

Reference: Milner 1971, An algebraic definition of simulation between programs; Bustan 2002, sections 3.1 and 3.2.
Symbols:   H is `below`: the pairs (s, t) where t simulates s; R is `steps`, R' is `largest_steps`.
           The fixpoint is `greatest_relation`.
Invariant: `below` contains the maximal simulation, is reflexive, and shrinks.
Deviates:  actions; blocks may be told apart by more than labels.
Cost:      a preimage over pairs of states, with twice as many variables, for each of as many rounds as the longest distinction
           needs steps; then some operations for each class. The baseline of the partition algorithm, which needs no pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest.reduce.bisimulation.pairs import PairSpace, greatest_relation, pairs_of
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.reachable_part import reachable_states
from coarsest.reduce.simulation.ordered import Ordered, Smallest, entered_by, smallest
from coarsest.reduce.simulation.quotients_bustan_grumberg import reachable_quotient
from coarsest.run import Run
from coarsest.space.space import S, StepPart


def minimise(observed: Observed[S], run: Run, *, quotient: str = "smallest") -> Smallest[S]:
    """The minimising algorithm, figure 3.3: the classes, R without little brothers, and what it leads to; or another quotient."""
    pairs = pairs_of(observed.space)
    below: Any = greatest_relation(observed, pairs, run, "relation-milner")
    ordered = _classes_of(observed, pairs, below, run)
    if quotient != "smallest":
        return reachable_quotient(observed, ordered, run, every=quotient == "all")
    largest = [largest_steps(pairs, action, below) for action in observed.actions]
    return smallest(observed, ordered, run, after=lambda one, action: pairs.related_to(largest[action], one))


def largest_steps(pairs: PairSpace[S, Any], action: StepPart[S], below: Any) -> Any:
    """R' = R - {(s1, s2) | there is an s3: R(s1, s3), H(s2, s3), not H(s3, s2)}, in one step, over states as they are."""
    steps = pairs.pre_left(pairs.equal, action)
    smaller = pairs.swap(below) - below  # (s3, s2) where s3 simulates s2, and not the other way round
    return steps - pairs.pre_left(smaller, action)


def _classes_of(observed: Observed[S], pairs: PairSpace[S, Any], below: Any, run: Run) -> Ordered[S]:
    """The classes that contain a reachable state, with the order between them, read from the relation."""
    space = observed.space
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
