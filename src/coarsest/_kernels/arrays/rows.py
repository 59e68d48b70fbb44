"""Rows of transitions as arrays of NumPy or CuPy, and what rounds of refinement ask of them: the signatures of their states.

A signature is the set of pairs (action, block of the target) of the transitions of a state, and its hash the sum of the hashes of
the pairs, each different one counted once. In short rows a pair is compared with those before it; the pairs of long rows
are sorted. Two transitions whose pairs differ never have one pair again, so fewer are sorted from round to round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

Array = Any
"""An array of NumPy or CuPy."""

SHORT_ROW: Final = 16
"""The pairs of rows up to this length are compared with one another."""
LONGEST_ROW_OF_A_WORKER: Final = 256
"""If no row is longer, one worker of a GPU looks at a whole row."""
KEY_BITS: Final = 64
"""The number of bits of a key that is sorted."""


def mixed(value: Array) -> Array:
    """A bijection of 64 bits that scatters its values."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


def pair_hash(action: Array, block: Array, salt: Array) -> Array:
    """The hash of a pair; different pairs have different ones."""
    return mixed(((action * np.uint64(1 << 32)) ^ block) + salt)


def state_key(signature: Array, block: Array) -> Array:
    """The same for states with one signature in one block."""
    return mixed(mixed(signature) + block)


def is_repeated(position: Array, back: Array, here: Array, there: Array) -> Array:
    """Does a transition `back` positions earlier in the same row have the same pair?"""
    return (position >= back) & (here == there)


class Arrays(NamedTuple):
    """The functions for whole arrays, by NumPy or by CuPy."""

    np: Any
    """The module with the functions of NumPy: NumPy itself, or CuPy."""
    at_once: int
    """The number of transitions that are looked at together."""
    worth_a_round: int
    """A round that looks at fewer states costs more than a kernel that looks at each state by itself."""
    pair_hash: Callable[..., Array] = pair_hash
    state_key: Callable[..., Array] = state_key
    is_repeated: Callable[..., Array] = is_repeated
    sums_of_rows: Callable[..., Array] | None = None
    """The sums of the hashes of the different pairs of rows, in one pass, where no row is too long for a worker of a GPU."""
    all_of_rows: Callable[..., Array] | None = None
    """Whether all targets of such rows are marked, in one pass."""


NUMPY = Arrays(np, 1 << 18, 1 << 12)
"""Pieces fit into the cache."""


def narrowed(actions: Array) -> Array:
    """Actions in as few bits as they need, without a sign."""
    most = int(actions.max()) if len(actions) else 0
    return actions.astype(np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.uint32, copy=False)


class ArrayRows:
    """The transitions of some states; those of `states[i]` lie at `offsets[i]` to `offsets[i + 1]`."""

    def __init__(self, by: Arrays, states: Array, offsets: Array, actions: Array, targets: Array) -> None:
        self.by, self.states, self.offsets, self.actions, self.targets = by, states, offsets, actions, targets
        self.number = len(states)
        lengths = offsets[1:] - offsets[:-1]
        self.longest = longest = int(lengths.max()) if self.number else 0
        self.compared = min(longest, SHORT_ROW) - 1
        """How many pairs before its own a pair may have to be compared with."""
        self._cuts = self._cut()
        self._at_once = by.sums_of_rows is not None and longest <= LONGEST_ROW_OF_A_WORKER
        self._position = self._positions() if self.compared > 0 and not self._at_once else None
        self._doubtful: Array | None = None
        """The transitions of long rows whose pair may be that of another one, and whether it was at last."""
        self._repeated: Array | None = None
        if longest > SHORT_ROW:
            self._doubtful = (lengths > SHORT_ROW)[row_of(by.np, offsets, targets.dtype)]
            self._repeated = by.np.zeros(len(targets), dtype=np.bool_)

    def _cut(self) -> list[int]:
        return cuts(self.by, self.offsets)

    def pieces(self) -> Iterator[tuple[int, int]]:
        """Where the transitions that are looked at together begin and end."""
        bounds = [int(self.offsets[cut]) for cut in self._cuts]
        return pairwise(bounds)

    def _positions(self) -> Array:
        """The place of each transition in its row, or 0 in long rows, where pairs are not compared one by one."""
        xp = self.by.np
        positions = xp.empty(len(self.targets), dtype=np.uint8)
        for first, last in pairwise(self._cuts):
            bounds = self.offsets[first : last + 1]
            begin, end = int(bounds[0]), int(bounds[-1])
            row = row_of(xp, bounds, self.targets.dtype)
            place = xp.arange(begin, end, dtype=bounds.dtype) - bounds[:-1][row]
            positions[begin:end] = xp.where((bounds[1:] - bounds[:-1])[row] > SHORT_ROW, 0, place)
        return positions

    def some(self, index: Array) -> ArrayRows:
        """Some of the rows."""
        xp = self.by.np
        moved = ArrayRows.__new__(ArrayRows)
        moved.offsets, places = places_of(xp, self.offsets, index)
        moved.by, moved.states, moved.number, moved.compared = self.by, self.states[index], len(index), self.compared
        moved.longest, moved._at_once = self.longest, self._at_once
        moved.actions, moved.targets = self.actions[places], self.targets[places]
        moved._cuts = moved._cut()
        moved._position = None if self._position is None else self._position[places]
        moved._doubtful = None if self._doubtful is None else self._doubtful[places]
        moved._repeated = None if self._repeated is None else self._repeated[places]
        return moved

    def signatures(self, blocks: Array, salt: np.uint64) -> Array:
        """The hash of the signature of each row."""
        xp = self.by.np
        if self._doubtful is not None:
            self._look_for_repetitions(blocks)
        if self._at_once and self.by.sums_of_rows is not None:
            return self.by.sums_of_rows(self.offsets, self.actions, self.targets, blocks, self._repeated, salt)
        out = xp.zeros(self.number, dtype=np.uint64)
        for first, last in pairwise(self._cuts):
            bounds = self.offsets[first : last + 1]
            begin, end = int(bounds[0]), int(bounds[-1])
            if begin == end:
                continue
            hashes = self.by.pair_hash(self.actions[begin:end], blocks[self.targets[begin:end]], salt)
            self._count_once(hashes, begin, end)
            sums = xp.zeros(end - begin + 1, dtype=np.uint64)
            xp.cumsum(hashes, out=sums[1:])
            out[first:last] = xp.diff(sums[bounds - begin])
        return out

    def lead_only_to(self, marked: Array) -> Array:
        """Which rows have no transitions but to states that are marked?"""
        xp = self.by.np
        if self._at_once and self.by.all_of_rows is not None:
            return self.by.all_of_rows(self.offsets, self.targets, marked)
        out = xp.empty(self.number, dtype=np.bool_)
        for first, last in pairwise(self._cuts):
            bounds = self.offsets[first : last + 1]
            begin, end = int(bounds[0]), int(bounds[-1])
            others = xp.zeros(end - begin + 1, dtype=bounds.dtype)
            xp.cumsum(~marked[self.targets[begin:end]], out=others[1:])
            out[first:last] = xp.diff(others[bounds - begin]) == 0
        return out

    def _count_once(self, hashes: Array, begin: int, end: int) -> None:
        """Set hashes to 0 that are repeated in their row."""
        repeated = None if self._repeated is None else self._repeated[begin:end].copy()
        if self._position is not None:
            repeated = self.by.np.zeros(end - begin, dtype=np.bool_) if repeated is None else repeated
            for back in range(1, min(self.compared + 1, end - begin)):
                position = self._position[begin + back : end]
                repeated[back:] |= self.by.is_repeated(position, np.uint8(back), hashes[back:], hashes[:-back])
        if repeated is not None:
            hashes *= ~repeated

    def _look_for_repetitions(self, blocks: Array) -> None:
        """Mark the transitions of long rows with the pair of another one that is not marked."""
        xp = self.by.np
        assert self._doubtful is not None and self._repeated is not None, "there are long rows"
        doubtful = xp.flatnonzero(self._doubtful)
        if not len(doubtful):
            return
        rows = xp.searchsorted(self.offsets, doubtful, side="right").astype(np.uint64) - np.uint64(1)
        actions, heads = self.actions[doubtful], blocks[self.targets[doubtful]]
        if heads.dtype == np.uint64:  # there is no room beside them
            actions, heads = actions[:0], self.by.pair_hash(actions, heads, np.uint64(0))
        order, different = grouped(xp, rows, actions, heads)
        doubtful = doubtful[order]
        self._repeated[doubtful] = ~different
        last = xp.ones(len(doubtful), dtype=np.bool_)
        last[:-1] = different[1:]
        self._doubtful[doubtful] = ~(different & last)


def cuts(by: Arrays, offsets: Array) -> list[int]:
    """Rows at which pieces begin and end that can be looked at together."""
    step = by.np.arange(0, max(int(offsets[-1]), 1), by.at_once, dtype=offsets.dtype)
    return sorted({*by.np.searchsorted(offsets, step).tolist(), 0, len(offsets) - 1})


def row_of(xp: Any, bounds: Array, kind: Any) -> Array:
    """For each entry between bounds the number of its row."""
    rows = xp.flatnonzero(bounds[1:] > bounds[:-1])
    steps = xp.zeros(int(bounds[-1]) - int(bounds[0]), dtype=kind)
    if len(rows):
        steps[bounds[rows] - bounds[0]] = xp.diff(rows, prepend=rows[:1] * 0)
    return xp.cumsum(steps, dtype=kind, out=steps)


def places_of(xp: Any, offsets: Array, index: Array) -> tuple[Array, Array]:
    """Some rows one after the other: their offsets, and where their entries were."""
    starts = offsets[index]
    bounds = xp.zeros(len(index) + 1, dtype=offsets.dtype)
    xp.cumsum(offsets[index + 1] - starts, out=bounds[1:])
    places = (starts - bounds[:-1])[row_of(xp, bounds, offsets.dtype)]
    places += xp.arange(len(places), dtype=places.dtype)
    return bounds, places


def grouped(xp: Any, rows: Array, actions: Array, blocks: Array) -> tuple[Array, Array]:
    """An order of triples, and whether each differs from the one before it in that order."""
    bits = [int(part.max()).bit_length() if len(part) else 0 for part in (actions, blocks)]
    pairs = (actions.astype(np.uint64) << np.uint64(bits[1])) | blocks if len(actions) else blocks
    width = sum(bits)
    if (int(rows.max()).bit_length() if len(rows) else 0) + width <= KEY_BITS:
        keys = (rows.astype(np.uint64) << np.uint64(width)) | pairs
        order = xp.argsort(keys)
        return order, differing(xp, keys[order])
    order = xp.argsort(pairs, kind="stable")
    order = order[xp.argsort(rows[order], kind="stable")]
    return order, differing(xp, rows[order]) | differing(xp, pairs[order])


def differing(xp: Any, ordered: Array) -> Array:
    """Which elements differ from the one before them? The first does."""
    flags = xp.ones(len(ordered), dtype=np.bool_)
    xp.not_equal(ordered[1:], ordered[:-1], out=flags[1:])
    return flags
