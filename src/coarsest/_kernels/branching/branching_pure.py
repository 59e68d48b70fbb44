"""Branching bisimulation by the groups of bottom states: the twin of `branching`, with sets instead of hashes."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.progress import BLOCKS, GAVE_UP, STOP, WORK

Numbers = NDArray[np.signedinteger[Any]]
Progress = NDArray[np.int64]

INSIDE: Final = -1
"""It stands for the internal action in a pair with a group of the same block."""
Signature = set[tuple[int, int]]


def coarsest_partition(
    offsets: Numbers, actions: Numbers, targets: Numbers, internal: int, blocks: Numbers, representatives: Numbers,
    progress: Progress, seed: int,
) -> int:  # fmt: skip
    """Refine `blocks`, numbered from 0, to the coarsest branching bisimulation; the number of blocks, or GAVE_UP.

    Blocks are numbered in the order of their first states; `representatives` becomes the first bottom state of each.
    """
    refinement = _Refinement(offsets, actions, targets, internal, blocks)
    stable = refinement.until_stable(progress)
    number_of: dict[int, int] = {}
    blocks[:] = [number_of.setdefault(block, len(number_of)) for block in refinement.block_of]
    for state in range(len(blocks) - 1, -1, -1):
        if state in refinement.bottom:
            representatives[blocks[state]] = state
    progress[BLOCKS] = len(number_of)
    return len(number_of) if stable else GAVE_UP


class _Refinement:
    """`members` has the states of each block; a block in `dirty` has dirty ones; `bottom` states have no inert transitions."""

    def __init__(self, offsets: Numbers, actions: Numbers, targets: Numbers, internal: int, blocks: Numbers) -> None:
        rows = list(zip(actions.tolist(), targets.tolist()))
        self._rows = [rows[begin:end] for begin, end in pairwise(offsets.tolist())]
        self._into: list[list[tuple[int, int]]] = [[] for _ in self._rows]
        for state, row in enumerate(self._rows):
            for action, target in row:
                self._into[target].append((action, state))
        self._internal = internal
        self.block_of: list[int] = blocks.tolist()
        self._members: dict[int, set[int]] = {}
        for state, block in enumerate(self.block_of):
            self._members.setdefault(block, set()).add(state)
        self._free = max(self._members, default=0) + 1
        self._dirty = {block: set(states) for block, states in self._members.items()}
        self.bottom = {state for state in range(len(self._rows)) if not self._inert(state)}
        self._work = 0

    def until_stable(self, progress: Progress) -> bool:
        while self._dirty:
            if progress[STOP]:
                return False
            block, dirty = self._dirty.popitem()
            if len(self._members[block]) > 1:
                self._part(block, dirty)
            progress[BLOCKS], progress[WORK] = len(self._members), self._work
        return True

    def _inert(self, state: int) -> list[int]:
        """Where the inert transitions of a state lead."""
        own, block_of, internal = self.block_of[state], self.block_of, self._internal
        return [target for action, target in self._rows[state] if action == internal and block_of[target] == own]

    def _visible(self, state: int) -> Signature:
        """The pairs of the other transitions."""
        own, block_of, internal = self.block_of[state], self.block_of, self._internal
        self._work += len(self._rows[state])
        pairs = {(action, block_of[target]) for action, target in self._rows[state]}
        return pairs - {(internal, own)}

    def _part(self, block: int, dirty: set[int]) -> None:
        """Group the states of a block whose signature may have changed, starting at the ends of inert paths."""
        clean = next((state for state in self._members[block] if state in self.bottom and state not in dirty), None)
        signatures = [] if clean is None else [self._visible(clean)]
        group_of_signature = {frozenset(signature): 0 for signature in signatures}
        unchanged = -1 if clean is None else 0
        group_of: dict[int, int] = {}
        queue, queued = list(dirty), set(dirty)
        heapify(queue)
        while queue:
            state = heappop(queue)
            around = {group_of.get(target, 0) for target in self._inert(state)}
            nearest = max(around, default=-1)
            pairs = self._visible(state) | {(INSIDE, group) for group in around if group != nearest}
            if nearest < 0 or not pairs <= signatures[nearest]:
                if nearest >= 0:
                    pairs.add((INSIDE, nearest))
                nearest = group_of_signature.setdefault(frozenset(pairs), len(signatures))
                if nearest == len(signatures):
                    signatures.append(pairs)
                self.bottom.add(state)
            group_of[state] = nearest
            if nearest != unchanged:
                for action, source in self._into[state]:
                    if action == self._internal and self.block_of[source] == block and source not in queued:
                        queued.add(source)
                        heappush(queue, source)
        if len(signatures) > 1:
            self._split(block, group_of, len(signatures))

    def _split(self, block: int, group_of: dict[int, int], groups: int) -> None:
        """Make a block of each group, where the largest keeps the number of the old block. The sources of transitions into the
        other groups become dirty, except by internal transitions inside the old block, which were looked at before."""
        parts: list[set[int]] = [set() for _ in range(groups)]
        for state in self._members[block]:
            parts[group_of.get(state, 0)].add(state)
        largest = max(parts, key=len)
        before = self._free
        for part in parts:
            if part is not largest:
                self._members[self._free] = part
                for state in part:
                    self.block_of[state] = self._free
                self._free += 1
        self._members[block] = largest
        for new in range(before, self._free):
            for target in self._members[new]:
                for action, source in self._into[target]:
                    own = self.block_of[source]
                    if action != self._internal or not (own == block or own >= before):
                        self._dirty.setdefault(own, set()).add(source)
