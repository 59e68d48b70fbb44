"""Minimal state graph generation: refine only the blocks that are reachable.

Reference: Bouajjani, Fernandez, Halbwachs, Raymond, Ratel 1994, section 3.2, lines (1) to (13).
Symbols:   ρ is `blocks`, π is `accessible`, σ is `stable`, X is `block`, π' is `parts`; blocks have numbers.
Invariant: a block of π contains a reachable state; a block of σ is stable with respect to all of ρ, and what it enters is in π.
Deviates:  many initial states; actions; the preimage of a block is computed once and kept while the block lives.
Cost:      one preimage per block that is ever made; one round of |ρ| intersections per block that is split or found stable.
"""

from __future__ import annotations

from coarsest.reduce.partition.observed import Observed, Snapshot, Watcher, split
from coarsest.reduce.partition.partition import Partition, TooManyBlocks, partition_of
from coarsest.run import Run
from coarsest.space.space import S


def minimise(
    observed: Observed[S], run: Run, watch: Watcher[S] | None = None, *, most_blocks: int | None = None
) -> Partition[S]:
    """The classes that contain a reachable state; raises TooManyBlocks when there are more than `most_blocks` on the way."""
    space = observed.space
    blocks = dict(enumerate(observed.blocks))
    if most_blocks is not None and len(blocks) > most_blocks:
        raise TooManyBlocks
    entering = {number: observed.entering(block) for number, block in blocks.items()}
    accessible = {number for number, block in blocks.items() if block & space.initial}  # (1)
    stable: set[int] = set()
    fresh = len(blocks)
    while accessible != stable:  # (2)
        current = max(accessible - stable)  # (3)
        run.step("bouajjani-fernandez-halbwachs", blocks=len(blocks), accessible=len(accessible), stable=len(stable))
        block = blocks[current]
        parts = split(block, [can_enter for number in blocks for can_enter in entering[number]])  # (4)
        if len(parts) == 1:  # (5)
            stable.add(current)  # (6)
            after = space.post(block)
            accessible |= {number for number, other in blocks.items() if number not in accessible and after & other}
        else:
            accessible.discard(current)  # (8)
            can_enter_it = entering.pop(current)
            stable -= {number for number in stable if any(blocks[number] & states for states in can_enter_it)}  # (10)
            del blocks[current]  # (11)
            for part in parts:
                blocks[fresh], entering[fresh] = part, observed.entering(part)
                if part & space.initial:  # (9)
                    accessible.add(fresh)
                fresh += 1
            if most_blocks is not None and len(blocks) > most_blocks:
                raise TooManyBlocks
        if watch is not None:
            index = {number: i for i, number in enumerate(blocks)}
            first, second = (frozenset(index[number] for number in numbers) for numbers in (accessible, stable))
            watch(Snapshot(tuple(blocks.values()), first, second, block))
    others = [block for number, block in blocks.items() if number not in accessible]
    return partition_of(observed, [blocks[number] for number in sorted(accessible)], others)
