"""The coarsest stable partition by signatures of dirty states: the twin of `signatures`, with sets instead of hashes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.progress import BLOCKS, GAVE_UP, LIMIT, STOP, WORK

Numbers = NDArray[np.signedinteger[Any]]
Progress = NDArray[np.int64]

Signature = frozenset[tuple[int, int]]


def coarsest_partition(
    offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers, progress: Progress, seed: int
) -> int:
    """Refine `blocks`, numbered from 0, to the coarsest stable partition; the number of blocks, or GAVE_UP.

    Blocks are numbered in the order of their first states. After giving up, by a limit or on request, `blocks` is a partition
    between the first and the stable one.
    """
    refinement = _Refinement(offsets, actions, targets, blocks)
    stable = refinement.until_stable(progress)
    number_of: dict[int, int] = {}
    blocks[:] = [number_of.setdefault(block, len(number_of)) for block in refinement.block_of]
    progress[BLOCKS] = len(number_of)
    return len(number_of) if stable else GAVE_UP


class _Refinement:
    """`members` has the states of each block; a block in `waiting` has dirty ones."""

    def __init__(self, offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers) -> None:
        bounds, self._actions, self._targets = offsets.tolist(), actions.tolist(), targets.tolist()
        self._rows = [range(begin, end) for begin, end in pairwise(bounds)]
        self._sources: list[list[int]] = [[] for _ in self._rows]
        for state, row in enumerate(self._rows):
            for index in row:
                self._sources[self._targets[index]].append(state)
        self.block_of: list[int] = blocks.tolist()
        self._members: dict[int, set[int]] = {}
        for state, block in enumerate(self.block_of):
            self._members.setdefault(block, set()).add(state)
        self._free = max(self._members, default=0) + 1
        self._dirty = {block: set(states) for block, states in self._members.items()}
        self._work = 0

    def until_stable(self, progress: Progress) -> bool:
        while self._dirty:
            if progress[STOP] or 0 < progress[LIMIT] < self._work:
                return False
            block, dirty = self._dirty.popitem()
            self._split(block, dirty)
            progress[BLOCKS], progress[WORK] = len(self._members), self._work
        return True

    def _signature(self, state: int) -> Signature:
        row = self._rows[state]
        self._work += len(row)
        actions, targets, block_of = self._actions, self._targets, self.block_of
        return frozenset([(actions[index], block_of[targets[index]]) for index in row])

    def _split(self, block: int, dirty: set[int]) -> None:
        members = self._members[block]
        if len(members) == 1:
            return
        parts: dict[Signature, set[int]] = {}
        clean = len(members) - len(dirty)
        if clean:
            first = next(state for state in members if state not in dirty)
            parts[self._signature(first)] = set()
        for state in sorted(dirty):
            parts.setdefault(self._signature(state), set()).add(state)
        with_clean, *others = parts.values()
        if not others:
            return
        largest = max(others, key=len)
        if clean + len(with_clean) >= len(largest):
            moving = others
        else:
            rest = members.difference(*others)
            moving = [rest, *(part for part in others if part is not largest)]
        for part in moving:
            members -= part
            self._members[self._free] = part
            for state in part:
                self.block_of[state] = self._free
            self._free += 1
        for part in moving:
            for target in part:
                for source in self._sources[target]:
                    self._dirty.setdefault(self.block_of[source], set()).add(source)
