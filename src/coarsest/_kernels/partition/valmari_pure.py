"""The coarsest stable partition with partitions of states and of transitions: the twin of `valmari`, with sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.progress import BLOCKS, GAVE_UP, STOP, WORK

Numbers = NDArray[np.signedinteger[Any]]
Progress = NDArray[np.int64]


def coarsest_partition(
    offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers, progress: Progress, seed: int
) -> int:
    """Refine `blocks`, numbered from 0, to the coarsest stable partition; the number of blocks, or GAVE_UP.

    Blocks are numbered in the order of their first states. After giving up on request, `blocks` is a partition between the
    first and the stable one. The seed is not used: nothing is random.
    """
    refinement = _Refinement(offsets, actions, targets, blocks)
    stable = refinement.until_stable(progress)
    number_of: dict[int, int] = {}
    blocks[:] = [number_of.setdefault(block, len(number_of)) for block in refinement.blocks.part_of]
    progress[BLOCKS] = len(number_of)
    return len(number_of) if stable else GAVE_UP


class _Partition:
    """Sets of numbers that are split by other sets."""

    def __init__(self, part_of: list[int]) -> None:
        self.part_of = part_of
        self.parts: list[set[int]] = [set() for _ in range(max(part_of, default=-1) + 1)]
        for element, part in enumerate(part_of):
            self.parts[part].add(element)

    def split(self, marked: Iterable[int]) -> list[tuple[int, int]]:
        """Divide each part into its marked elements and the others, the smaller being new: pairs of old and new part."""
        touched: dict[int, set[int]] = {}
        for element in marked:
            touched.setdefault(self.part_of[element], set()).add(element)
        divided = []
        for part, inside in touched.items():
            whole = self.parts[part]
            if len(inside) == len(whole):
                continue
            smaller = inside if 2 * len(inside) <= len(whole) else whole - inside
            whole -= smaller
            for element in smaller:
                self.part_of[element] = len(self.parts)
            divided.append((part, len(self.parts)))
            self.parts.append(smaller)
        return divided


class _Refinement:
    def __init__(self, offsets: Numbers, actions: Numbers, targets: Numbers, blocks: Numbers) -> None:
        self._tails = np.repeat(np.arange(len(blocks)), np.diff(offsets)).tolist()
        self._incoming: list[list[int]] = [[] for _ in range(len(blocks))]
        for transition, target in enumerate(targets.tolist()):
            self._incoming[target].append(transition)
        self.blocks = _Partition(blocks.tolist())
        self._cords = _Partition(actions.tolist())
        self._bunch_of = list(range(len(self._cords.parts)))
        self._members = [[cord] for cord in self._bunch_of]
        self._tally: list[Counter[int]] = []
        """For each bunch, how many transitions each state has in it."""
        self._divisible: list[int] = []
        self._used = 1

    def until_stable(self, progress: Progress) -> bool:
        for cord in self._cords.parts:
            tails = Counter(self._tails[transition] for transition in cord)
            self._tally.append(tails)
            self.blocks.split(tails)
        self._split_cords(progress)
        while self._divisible:
            if progress[STOP]:
                return False
            self._divide_last()
            self._split_cords(progress)
        return True

    def _divide_last(self) -> None:
        """Take the smaller of two cords out of a bunch and make it a bunch of its own."""
        bunch = self._divisible[-1]
        members = self._members[bunch]
        cord = members.pop(min((-1, -2), key=lambda place: len(self._cords.parts[members[place]])))
        if len(members) == 1:
            self._divisible.pop()
        tails = Counter(self._tails[transition] for transition in self._cords.parts[cord])
        rest = self._tally[bunch]
        rest.subtract(tails)
        self._bunch_of[cord] = len(self._members)
        self._members.append([cord])
        self._tally.append(tails)
        self.blocks.split(tails)
        self.blocks.split([tail for tail in tails if rest[tail] == 0])

    def _split_cords(self, progress: Progress) -> None:
        while self._used < len(self.blocks.parts):
            into = [transition for state in self.blocks.parts[self._used] for transition in self._incoming[state]]
            progress[WORK] += len(into)
            for old, new in self._cords.split(into):
                bunch = self._bunch_of[old]
                self._bunch_of.append(bunch)
                assert len(self._bunch_of) == new + 1
                if len(self._members[bunch]) == 1:
                    self._divisible.append(bunch)
                self._members[bunch].append(new)
            self._used += 1
        progress[BLOCKS] = len(self.blocks.parts)
