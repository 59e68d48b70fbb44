"""Splitting all blocks by all blocks, again and again: the two strategies that the 1994 paper improves on share this."""

from __future__ import annotations

from coarsest.reduce.partition.observed import Observed, Snapshot, Watcher, split
from coarsest.run import Run
from coarsest.space.space import S


def split_until_stable(task: str, observed: Observed[S], run: Run, watch: Watcher[S] | None) -> list[S]:
    """The greatest fixpoint νρ. ρ_init ⊓ split(ρ, ρ): the coarsest stable partition that refines the observed one."""
    blocks = list(observed.blocks)
    while True:
        run.step(task, blocks=len(blocks))
        splitters = [can_enter for block in blocks for can_enter in observed.entering(block)]
        finer = [part for block in blocks for part in split(block, splitters)]
        if watch is not None:
            watch(Snapshot(tuple(finer), frozenset(), frozenset()))
        if len(finer) == len(blocks):
            return blocks
        blocks = finer
