"""The coarsest weak or delay bisimulation in rounds: the signature of a state is the set of blocks that its weak steps lead to.

Reference: Blom, Orzan 2003, Distributed branching bisimulation reduction of state spaces, with the signatures of weak steps; see
           also Boulgakov, Gibson-Robinson, Roscoe 2016, Computing maximal weak and other bisimulations.
Symbols:   the signature of s is {(a, block of t) : s ⇒a⇒ t} ∪ {(i, block of t) : s ⇒ t}; without ⇒ after a for delay
           bisimulation.
Invariant: after round k, two states are in one block iff no formula with k nested modalities of weak steps distinguishes them.
Deviates:  weak transitions are never stored. Signatures contain only blocks that were split in the round before, because the
           states of a block agree on all others. They are compared by their hash, and in the end themselves: if two different
           ones had the same hash, everything is repeated with other hashes.
Cost:      a pass over the paths (`weak_paths`) for each 64 blocks that are split or new, and for each round.
"""

from __future__ import annotations

from itertools import count

import numpy as np
from numpy.typing import NDArray

from coarsest.lts.labelled import Graph
from coarsest.lts.rounds.history import PartitionHistory
from coarsest.lts.weak.weak_paths import WeakPaths, weak_paths
from coarsest.run import Run

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]

ODD = np.uint64(0x9E3779B97F4A7C15)
MIXERS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def weak_rounds(graph: Graph, internal: int, run: Run, *, after: bool = True, choice: str = "auto") -> PartitionHistory:
    """The history of the coarsest partition that respects the labels, by weak bisimulation or, without `after`, by delay
    bisimulation."""
    paths = weak_paths(graph, internal, run, after=after, choice=choice)
    for seed in count():
        history = _Rounds(graph, paths, run, seed).history()
        if not _is_deceived(paths, history, run):
            return history
    raise AssertionError("never reached")


class _Rounds:
    def __init__(self, graph: Graph, paths: WeakPaths, run: Run, seed: int) -> None:
        self._paths, self._run, self._seed = paths, run, np.uint64(seed)
        labels, block = np.unique(graph.labels, return_inverse=True)
        self._block = block.astype(np.int64).reshape(-1)
        self._parent, self._level = [-1] * len(labels), [0] * len(labels)
        self._work = 0

    def history(self) -> PartitionHistory:
        changed = np.arange(len(self._parent))
        for number in count(1):
            if not len(changed):
                break
            self._run.step("weak signatures", blocks=len(self._parent), rounds=number)
            changed = self._split(self._hashes(changed)[self._paths.component], number)
        parent, level = np.array(self._parent, dtype=np.int64), np.array(self._level, dtype=np.int64)
        return PartitionHistory(self._block, parent, level, self._work)

    def _hashes(self, blocks: Integers) -> Words:
        """For each component, a hash of the blocks among these that its nodes lead to; 0 if there are none."""
        paths = self._paths
        hashes = np.zeros(paths.components, dtype=np.uint64)
        column = np.full(len(self._parent), -1, dtype=np.int64)
        column[blocks] = np.arange(len(blocks))
        for begin in range(0, len(blocks), paths.width):
            self._run.step("weak signatures", blocks=len(self._parent))
            rows = paths.rows(column[self._block], begin, min(begin + paths.width, len(blocks)))
            nodes, words = np.nonzero(rows)
            keys = paths.action[nodes].astype(np.uint64) + (words + begin + 1).astype(np.uint64) * ODD
            mixed = _mixed(rows[nodes, words] ^ _mixed(keys + self._seed)) | np.uint64(1)
            np.add.at(hashes, paths.owner[nodes], mixed)
            self._work += paths.graph.edges
        return hashes

    def _split(self, hashes: Words, number: int) -> Integers:
        """Split the blocks by hashes of their states; the largest part keeps its number. Returns the blocks that have changed."""
        touched = np.zeros(len(self._parent), dtype=np.bool_)
        touched[self._block[hashes != 0]] = True
        states = np.flatnonzero(touched[self._block])
        order = states[np.lexsort((hashes[states], self._block[states]))]
        blocks, values = self._block[order], hashes[order]
        first = np.flatnonzero((np.diff(blocks, prepend=-1) != 0) | (np.append(True, values[1:] != values[:-1])))
        sizes, owners = np.diff(np.append(first, len(order))), blocks[first]
        largest_first = np.lexsort((-sizes, owners))
        others = largest_first[np.append(False, np.diff(owners[largest_first]) == 0)] if len(first) else first
        numbers = owners.copy()
        numbers[others] = len(self._parent) + np.arange(len(others))
        self._parent += owners[others].tolist()
        self._level += [number] * len(others)
        self._block[order] = np.repeat(numbers, sizes)
        return np.unique(np.append(owners[others], numbers[others]))


def _mixed(words: Words) -> Words:
    """The numbers, scrambled so that they look random."""
    with np.errstate(over="ignore"):
        for shift, mixer in zip((30, 27), MIXERS):
            words = (words ^ (words >> np.uint64(shift))) * mixer
    return words ^ (words >> np.uint64(31))


def _is_deceived(paths: WeakPaths, history: PartitionHistory, run: Run) -> bool:
    """Are there states in one block with different signatures?"""
    representative = np.zeros(history.blocks, dtype=np.int64)
    representative[history.block] = paths.component
    pairs = np.unique(np.stack([paths.component, representative[history.block]]), axis=1)
    left, right = pairs[:, pairs[0] != pairs[1]]
    actions = int(paths.action.max(initial=-1)) + 2
    codes = paths.owner * actions + paths.action + 1
    order = np.argsort(codes)
    bounds = np.searchsorted(codes[order], np.arange(paths.components + 1) * actions)
    lengths = np.diff(bounds)
    if (lengths[left] != lengths[right]).any():
        return True
    lengths = lengths[left]
    inner = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    mine, theirs = (order[np.repeat(bounds[side], lengths) + inner] for side in (left, right))
    if (paths.action[mine] != paths.action[theirs]).any():
        return True
    for begin in range(0, history.blocks if len(mine) else 0, paths.width):
        run.step("weak signatures", checked=begin)
        rows = paths.rows(history.block.astype(np.int64), begin, min(begin + paths.width, history.blocks))
        if (rows[mine] != rows[theirs]).any():
            return True
    return False
