"""The coarsest stable partition in rounds over whole arrays: the same text for NumPy and, on a GPU, for CuPy.

Reference: Blom and Orzan, A distributed algorithm for strong bisimulation reduction of state spaces, 2005; Jacobs and Wißmann,
           Fast coalgebraic bisimilarity minimization, 2023 (dirty states, the largest part keeps its number).
Symbols:   the signature of a state is the set of pairs (action, block of the target) of its transitions.
Invariant: two states in different blocks are not bisimilar. In whole rounds a block is named by one of its states; states that
           are alone in their block are final, and left out when they are many. When few states move, parts get new names, but
           one part of each block keeps its name, and only states with a successor that moved are looked at again.
Deviates:  signatures are compared by hashes of 64 bits: equal hashes of different ones leave a partition that is too coarse,
           which the caller finds when it builds the quotient. Where many rounds would move a few states each, it gives up, and
           a kernel for single states goes on.
Cost:      O(m) for each round, and a sort of the states that are not alone; then a look at all targets for each round.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coarsest import tuning
from coarsest._kernels.arrays.ends import from_the_ends
from coarsest._kernels.arrays.rows import NUMPY, Array, ArrayRows, Arrays, differing, narrowed
from coarsest._kernels.progress import BLOCKS, GAVE_UP, ROUNDS, STOP, WORK


def coarsest_partition(
    offsets: Array, actions: Array, targets: Array, blocks: Array, progress: Any, seed: int, by: Arrays = NUMPY
) -> int:
    """Refine `blocks`, numbered from 0, to the coarsest stable partition; the number of blocks, or GAVE_UP.

    Blocks are numbered in the order of their first states. After giving up, `blocks` is a partition between the first and the
    stable one.
    """
    refinement = ArrayRefinement(by, offsets, narrowed(actions), targets, blocks, progress, seed)
    stable = refinement.in_whole_rounds()
    number = numbered_in_order(by.np, refinement.blocks, blocks)
    progress[BLOCKS] = number
    return number if stable else GAVE_UP


def numbered_in_order(xp: Any, names: Array, out: Array) -> int:
    """Number blocks in the order of their first states, given the name of the block of each state. Returns how many there are."""
    if not len(names):
        return 0
    order = xp.argsort(names, kind="stable")
    starts = differing(xp, names[order])
    firsts = order[starts]
    is_first = xp.zeros(len(names), dtype=np.bool_)
    is_first[firsts] = True
    numbers = xp.cumsum(is_first, dtype=out.dtype)
    part = xp.cumsum(starts, dtype=out.dtype)
    part -= 1
    out[order] = numbers[firsts][part]
    out -= 1
    return int(numbers[-1])


class ArrayRefinement:
    """A partition on its way to the coarsest stable one."""

    def __init__(
        self, by: Arrays, offsets: Array, actions: Array, targets: Array, labels: Array, progress: Any, seed: int
    ) -> None:
        xp, states = by.np, len(labels)
        self._by, self._progress = by, progress
        self._salt = np.uint64((seed + 1) * 0x9E3779B97F4A7C15 & 0xFFFF_FFFF_FFFF_FFFF)
        kind = np.uint32 if 8 * states < 2**32 else np.uint64
        goes_on = offsets[1:] > offsets[:-1]
        going = xp.flatnonzero(goes_on).astype(targets.dtype)
        bounds = xp.concatenate([offsets[going], offsets[-1:]])
        self._rows = ArrayRows(by, going, bounds, actions, targets)
        """Of states with transitions, and perhaps with infinite paths: the others are in classes, by their labels or views."""
        self.blocks = labels.astype(kind) * 2 + goes_on
        """The name of the block of each state."""
        self._left_out = 0
        ends = from_the_ends(by, self._rows, labels, self._salt)
        if ends is not None:
            self._rows, going, self._left_out = ends.rest, ends.rest.states, ends.classes
            self.blocks = ends.class_of.astype(kind)
            self.blocks[going] += labels[going].astype(kind)
            self._note(len(targets), ends.classes)
        self._final = int(self.blocks.max()) if states else 0
        """Names up to this one are those of states that were left out."""
        self._count = int(xp.unique(labels[going]).size)
        """How many blocks the states of the rows are in."""

    def in_whole_rounds(self) -> bool:
        """Split blocks by the signatures of all states that are not alone, until nothing moves. Returns whether it is stable."""
        xp = self._by.np
        while self._rows.number and not self._progress[STOP]:
            rows = self._rows
            whole = rows.number == len(self.blocks)
            own = self.blocks if whole else self.blocks[rows.states]
            signatures = rows.signatures(self.blocks, self._salt)
            keys = self._by.state_key(signatures, own)
            order = xp.argsort(keys)
            starts = differing(xp, keys[order])
            part = xp.cumsum(starts, dtype=self.blocks.dtype)
            number = int(part[-1])
            self._note(len(rows.targets), self._left_out + number)
            if number == self._count:
                return True
            if number - self._count < tuning.ROUNDS_MOVED_PART * rows.number:
                firsts = xp.flatnonzero(starts)
                sizes = xp.diff(firsts, append=firsts[:1] * 0 + len(order))
                names, sizes_before, largest = _largest(xp, own[order[firsts]], sizes)
                if len(order) - int(sizes[largest].sum()) < tuning.ROUNDS_MOVED_PART * rows.number:
                    return self._behind_moves(signatures, _Names(self._by, self.blocks, names, sizes_before))
            part += self.blocks.dtype.type(self._final)
            self.blocks[order if whole else rows.states[order]] = part
            self._count = number
            self._leave_out(order, starts)
        return not self._rows.number

    def _leave_out(self, order: Array, starts: Array) -> None:
        """Leave out the states that are alone in their block, if they are many."""
        xp, rows = self._by.np, self._rows
        is_alone = starts.copy()
        is_alone[:-1] &= starts[1:]
        single = int(is_alone.sum())
        if single > tuning.ROUNDS_MOVED_PART * rows.number:
            others = xp.ones(rows.number, dtype=np.bool_)
            others[order[is_alone]] = False
            self._rows = rows.some(xp.flatnonzero(others))
            self._final += self._count
            self._count -= single
            self._left_out += single

    def _note(self, work: int, blocks: int) -> None:
        self._progress[WORK] += work
        self._progress[ROUNDS] += 1
        self._progress[BLOCKS] = blocks

    def _behind_moves(self, signatures: Array, names: _Names) -> bool:
        """Go on with the states that have a successor whose block has a new name, until there are none. Returns whether it is
        stable."""
        rows = self._rows
        names.expect(rows.states, signatures)
        looked_at, small = rows, 0
        while not self._progress[STOP]:
            dirty = names.rows_behind(rows, names.split(looked_at.states, signatures))
            if not len(dirty):
                return True
            small += len(dirty) < self._by.worth_a_round
            if small > tuning.ROUNDS_OF_FEW_STATES:
                return False
            looked_at = rows.some(dirty) if len(dirty) < rows.number / 4 else rows
            signatures = looked_at.signatures(self.blocks, self._salt)
            self._note(len(looked_at.targets), self._left_out + self._count + names.new)
        return False


def _largest(xp: Any, old: Array, sizes: Array) -> tuple[Array, Array, Array]:
    """The blocks that parts belonged to, how many states are in the parts of each, and which part is its largest."""
    by_size = xp.argsort(sizes, kind="stable")
    order = by_size[xp.argsort(old[by_size], kind="stable")]
    ordered = old[order]
    starts = differing(xp, ordered)
    last = xp.concatenate([starts[1:], starts[:1]])
    sums = xp.cumsum(sizes[order])[last]
    return ordered[last], xp.diff(sums, prepend=sums[:1] * 0), order[last]


class _Names:
    """Blocks with names that are kept where possible: the signature by which a state stays in each, and its size."""

    def __init__(self, by: Arrays, blocks: Array, names: Array, sizes: Array) -> None:
        xp = by.np
        self._by, self._blocks = by, blocks
        self._first_new = self._free = int(blocks.max()) + 1
        self._sizes = xp.zeros(self._free + len(blocks), dtype=sizes.dtype)
        self._sizes[names] = sizes
        self._signature_of = xp.zeros(len(self._sizes), dtype=np.uint64)

    def expect(self, states: Array, signatures: Array) -> None:
        """The signature of one of its states is that of each block."""
        self._signature_of[self._blocks[states]] = signatures

    @property
    def new(self) -> int:
        """How many names were given."""
        return self._free - self._first_new

    def rows_behind(self, rows: ArrayRows, moved: Array) -> Array:
        """The rows of states that are not alone and have a successor among those that moved."""
        xp = self._by.np
        behind = xp.zeros(rows.number, dtype=np.bool_)
        if len(moved):
            has_moved = xp.zeros(len(self._blocks), dtype=np.bool_)
            has_moved[moved] = True
            for begin, end in rows.pieces():
                hits = xp.flatnonzero(has_moved[rows.targets[begin:end]]) + begin
                behind[xp.searchsorted(rows.offsets, hits.astype(rows.offsets.dtype), side="right") - 1] = True
            behind &= self._sizes[self._blocks[rows.states]] > 1
        return xp.flatnonzero(behind)

    def split(self, states: Array, signatures: Array) -> Array:
        """Split the blocks of states whose signature is no longer that of their block. Returns the states with a new name."""
        xp = self._by.np
        own = self._blocks[states]
        going = xp.flatnonzero(signatures != self._signature_of[own])
        if not len(going):
            return going
        keys = self._by.state_key(signatures[going], own[going])
        order = xp.argsort(keys)
        going, starts = going[order], differing(xp, keys[order])
        part = xp.cumsum(starts) - 1
        firsts = xp.flatnonzero(starts)
        sizes = xp.diff(firsts, append=firsts[:1] * 0 + len(keys))
        old, going_states = own[going[firsts]], states[going]
        keeps, left = self._parts_that_keep(old, sizes)
        names = self._fresh(old, ~keeps)
        moved = xp.concatenate([going_states[(~keeps)[part]], self._rename(left, going_states)])
        self._blocks[going_states] = names[part]
        self._sizes[names] = sizes
        self._signature_of[names] = signatures[going[firsts]]
        return moved

    def _parts_that_keep(self, old: Array, sizes: Array) -> tuple[Array, Array]:
        """Which of the parts that leave a block keep its name, because they are larger than all others and than what is left; and
        the blocks where the rest has to be renamed."""
        xp = self._by.np
        block, going, largest = _largest(xp, old, sizes)
        staying = self._sizes[block] - going
        keep = sizes[largest] > staying
        keeps = xp.zeros(len(old), dtype=np.bool_)
        keeps[largest[keep]] = True
        self._sizes[block] = staying
        return keeps, block[keep & (staying > 0)]

    def _fresh(self, old: Array, are_new: Array) -> Array:
        """Names for parts: new ones, or the old ones."""
        xp = self._by.np
        names = xp.where(are_new, self._free - 1 + xp.cumsum(are_new), old).astype(self._blocks.dtype)
        self._free += int(are_new.sum())
        return names

    def _rename(self, left: Array, going: Array) -> Array:
        """Give new names to what is left of blocks besides the states that go. Returns the states that are left there."""
        xp = self._by.np
        if not len(left):
            return going[:0]
        names = self._fresh(left, xp.ones(len(left), dtype=np.bool_))
        self._sizes[names], self._signature_of[names] = self._sizes[left], self._signature_of[left]
        name_of = xp.zeros(len(self._sizes), dtype=names.dtype)
        name_of[left] = names
        stays = name_of[self._blocks] > 0
        stays[going] = False
        states = xp.flatnonzero(stays).astype(going.dtype)
        self._blocks[states] = name_of[self._blocks[states]]
        return states
