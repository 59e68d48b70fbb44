"""The bisimulation itself, as a relation: pairs of states are removed while one state can do what its partner cannot.

Reference: Bouali, de Simone 1992; Fisler, Vardi 1999, section 2.
Symbols:   B is `related`, the fixpoint is `greatest_relation`.
Invariant: `related` contains the greatest bisimulation, is symmetric, and shrinks.
Deviates:  the relation instead of its complement; the third line of the fixpoint is the second one turned round.
Cost:      a preimage over pairs of states, with twice as many variables, for each of as many rounds as the longest distinction
           needs steps; then one operation for each class. The baseline that explodes.
"""

from __future__ import annotations

from typing import Any

from coarsest.reduce.bisimulation.pairs import greatest_relation, pairs_of
from coarsest.reduce.partition.observed import Observed, Watcher
from coarsest.reduce.partition.partition import Partition, partition_of
from coarsest.reduce.partition.reachable_part import reachable_states
from coarsest.run import Run
from coarsest.space.space import S


def minimise(observed: Observed[S], run: Run, watch: Watcher[S] | None = None) -> Partition[S]:
    """The classes that contain a reachable state. There are no partitions on the way, so `watch` is never called."""
    space = observed.space
    pairs = pairs_of(space)
    related: Any = greatest_relation(observed, pairs, run, "relation-bouali-de-simone", both_ways=True)
    classes: list[S] = []
    left = reachable_states(space, run)
    while left:
        run.step("classes of the relation", classes=len(classes))
        classes.append(pairs.related_to(related, space.pick(left)))
        left = left - classes[-1]
    return partition_of(observed, classes)
