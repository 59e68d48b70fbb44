"""The coarsest stable partition by compound blocks: blocks are split by one part of a compound block, and by the rest of it.

Reference: Paige, Tarjan 1987, section 3; Fisler, Vardi 1999, figure 12.
Symbols:   Q is `blocks`; X is the partition into `_Compound`s, C those of at least two blocks; S is `compound`, B is `smaller`.
Invariant: Q refines X, and every block of Q is stable with respect to every block of X.
Deviates:  sets of states instead of lists and counters. Where some state has no successor, Q is first split by `pre` of all
           states, to be stable with respect to the first block of X. Each action splits separately.
Cost:      2 preimages per splitter and action; every state is in at most log n splitters. Unreachable blocks are split, too.
"""

from __future__ import annotations

from typing import Generic

from msgspec import Struct

from coarsest.reduce.partition.observed import Observed, Snapshot, Watcher, split
from coarsest.reduce.partition.partition import Partition, accessible_classes, partition_of
from coarsest.run import Run
from coarsest.space.space import S


class _Compound(Struct, Generic[S], eq=False):
    """A block of X: the numbers of the blocks of Q in it, and all their states."""

    parts: list[int]
    states: S


def minimise(observed: Observed[S], run: Run, watch: Watcher[S] | None = None) -> Partition[S]:
    """The classes that contain a reachable state; all states are classified on the way."""
    space = observed.space
    alive = observed.entering(space.states)
    first = [part for block in observed.blocks for part in split(block, alive)]
    blocks = dict(enumerate(first))
    everything = _Compound(list(blocks), space.states)
    home = dict.fromkeys(blocks, everything)
    compounds = {everything: None} if len(blocks) > 1 else {}
    while compounds:
        compound = next(iter(compounds))  # step 1
        smaller = min(compound.parts[:2], key=lambda number: space.count(blocks[number]))
        run.step("paige-tarjan", blocks=len(blocks), compound=len(compounds))
        splitter = blocks[smaller]
        compound.parts.remove(smaller)  # step 2
        compound.states = compound.states - splitter
        home[smaller] = _Compound([smaller], splitter)
        if len(compound.parts) == 1:
            del compounds[compound]
        for action in observed.actions:
            can_enter = action.pre(splitter)
            only = can_enter - action.pre(compound.states)
            for by in (can_enter, only):  # steps 3 and 4
                if by:
                    _refine(blocks, home, compounds, by)
        if watch is not None:
            watch(Snapshot(tuple(blocks.values()), frozenset(), frozenset(), splitter))
    return partition_of(observed, *accessible_classes(observed, list(blocks.values())))


def _refine(blocks: dict[int, S], home: dict[int, _Compound[S]], compounds: dict[_Compound[S], None], by: S) -> None:
    """Split every block that the set divides; the parts stay in the block of X that they were in."""
    for number, block in list(blocks.items()):
        inside = block & by
        if not inside or inside == block:
            continue
        fresh = len(blocks)
        blocks[number], blocks[fresh] = inside, block - inside
        home[fresh] = around = home[number]
        around.parts.append(fresh)
        compounds[around] = None
