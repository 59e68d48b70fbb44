"""Find all reachable states first; then refine these.

Reference: Bouajjani, Fernandez, Halbwachs, Raymond, Ratel 1994, section 2.4, strategy 1.
Symbols:   Acc0 = μX.F1(X) is `reached`, νπ.G1({Acc0}, π) is `split_until_stable`.
Invariant: bisimilar states are never in different blocks.
Deviates:  many initial states; actions. Reachable states are found by chaining where the step relation has parts.
Cost:      that of reachability; then as many rounds as the longest distinction needs steps, each with a preimage of every block.
           A baseline, which suffers when the reachable states are hard to find.
"""

from __future__ import annotations

from msgspec.structs import replace

from coarsest.reduce.partition.observed import Observed, Watcher, split_until_stable
from coarsest.reduce.partition.partition import Partition, partition_of
from coarsest.reduce.partition.reachable_part import reachable_part
from coarsest.run import Run
from coarsest.space.space import S


def minimise(observed: Observed[S], run: Run, watch: Watcher[S] | None = None) -> Partition[S]:
    """The classes of the reachable states."""
    narrowed = reachable_part(observed, run)
    classes = split_until_stable("reach-then-refine", narrowed, run, watch)
    return partition_of(replace(narrowed, blocks=observed.blocks), classes)
