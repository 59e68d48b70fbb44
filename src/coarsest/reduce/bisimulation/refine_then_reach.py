"""Refine all states, reachable or not; then find the classes that can be reached.

Reference: Bouajjani, Fernandez, Halbwachs, Raymond, Ratel 1994, section 2.4, strategy 2.
Symbols:   νρ.G2(ρ) is `split_until_stable`, μπ.F2(π, ρ) is `accessible_classes`.
Invariant: bisimilar states are never in different blocks.
Deviates:  many initial states; actions.
Cost:      as many rounds as the longest distinction needs steps, each with a preimage of every block. A baseline.
"""

from __future__ import annotations

from coarsest.reduce.partition.observed import Observed, Watcher, split_until_stable
from coarsest.reduce.partition.partition import Partition, accessible_classes, partition_of
from coarsest.run import Run
from coarsest.space.space import S


def minimise(observed: Observed[S], run: Run, watch: Watcher[S] | None = None) -> Partition[S]:
    """The classes that contain a reachable state."""
    blocks = split_until_stable("refine-then-reach", observed, run, watch)
    return partition_of(observed, *accessible_classes(observed, blocks))
