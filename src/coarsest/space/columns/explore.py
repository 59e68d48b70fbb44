"""The reachable states of a machine, batch by batch.

Reference: breadth-first search; Lamport 2002, "Specifying systems", chapter 14 (a set of fingerprints), here of whole states.
Symbols:   the *number* of a state is its place in the order in which states are met; a *level* has the states of one distance.
Invariant: the states of a level have numbers in a row; those before `explored` have all their steps.
Deviates:  –
Cost:      of a state its words and some 24 bytes in a table of hashes, of a step 4 bytes where steps are listed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from coarsest import tuning
from coarsest._kernels.choose import kernels
from coarsest.errors import LimitExceeded
from coarsest.logic.expr import Expr
from coarsest.lts.csr import Csr
from coarsest.memory_use import MEBIBYTE, memory_limit, most_mebibytes
from coarsest.model.machine import Machine
from coarsest.run import WORK_OF_A_LISTED_STEP, Run
from coarsest.space.columns.column import Array, Flags, Rows
from coarsest.space.columns.frame import ColumnFrame
from coarsest.space.columns.packed import Keys, Words
from coarsest.space.columns.successors import Successors

FIRST_PLACES: Final = 1 << 11
"""Places of the table of hashes in the beginning; three quarters of them may be taken."""
BYTES_IN_TABLE: Final = 16
"""A place in the table of hashes takes so many."""
MOST_NUMBERED: Final = (1 << 31) - 1
"""States have numbers of four bytes."""


class StateNumbers:
    """States by their numbers, and numbers by states."""

    def __init__(self, words: int, run: Run) -> None:
        self.run = run
        self.used = 0
        self._states: Keys = np.empty((3 * FIRST_PLACES // 4, words), dtype=np.uint64)
        self._table: Keys = np.zeros(2 * FIRST_PLACES, dtype=np.uint64)

    @property
    def states(self) -> Keys:
        """A row of words for each state."""
        return self._states[: self.used]

    def words(self, begin: int, end: int) -> Words:
        """Some of the states, word by word."""
        return tuple(self._states[begin:end, place] for place in range(self._states.shape[1]))

    def enter(self, words: Words) -> Rows:
        """The numbers of states; those that were not met before have new ones."""
        keys = words[0].reshape(-1, 1) if len(words) == 1 else np.stack(words, axis=1)
        keys = np.ascontiguousarray(keys)
        numbers = np.empty(len(keys), dtype=np.int64)
        at = 0
        while True:
            at, self.used = self._kernels().enter(keys, self._states, self._table, self.used, numbers, at)
            if at == len(keys):
                return numbers
            self._grow()

    def number(self, state: Sequence[int]) -> int | None:
        """The number of the state with these words; None if it was not met."""
        numbers = np.empty(1, dtype=np.int64)
        key = np.array([state], dtype=np.uint64)
        at, _ = kernels("paths.state_table", 1).enter(key, self.states, self._table, self.used, numbers, 0)
        return int(numbers[0]) if at else None

    def _kernels(self) -> Any:
        return kernels("paths.state_table", self.used)

    def _grow(self) -> None:
        """Make twice as much room, within the memory there may be."""
        more = 2 * len(self._states)
        self._require_memory(more)
        states = np.empty((more, self._states.shape[1]), dtype=np.uint64)
        states[: self.used] = self._states[: self.used]
        self._states = states
        table = np.empty(2 * len(self._table), dtype=np.uint64)  # in large pages, which arrays of zeros are not
        table.fill(0)
        self._kernels().move_over(self._table, table)
        self._table = table

    def _require_memory(self, states: int) -> None:
        """Raise LimitExceeded if so many states take too much, or have no numbers."""
        wanted = states * (8 * self._states.shape[1] + BYTES_IN_TABLE * 4 // 3) * 3 // 2  # what is there now goes on living
        limit = self.run.limits.mebibytes
        if wanted > most_mebibytes(limit) * MEBIBYTE:
            raise LimitExceeded(
                "memory", f"there is no more room for the states listed, {self.used:,}, within {memory_limit(limit)}"
            )
        if states > MOST_NUMBERED:
            raise LimitExceeded("states", f"there are more than {self.used:,} states, too many to be numbered")


class Exploration:
    """The states of a machine that were met so far, and the steps between them if they are wanted."""

    def __init__(self, machine: Machine, run: Run, *, lists_steps: bool = True) -> None:
        """Enter the initial states. Raises NotInColumns where arrays cannot hold what the machine says."""
        self.run = run
        self.successors = Successors(machine)
        self.packing = self.successors.packing
        self.table = StateNumbers(self.packing.words, run)
        self.lists_steps = lists_steps
        self.steps = 0
        self.explored = 0
        self.levels = [0]
        """The first number of each level that was begun, and of the one after them."""
        self.stuck: list[Rows] = []
        """The numbers of states without a successor."""
        self._lengths: list[Array] = []
        self._targets: list[Array] = []
        for words in self.successors.initial():
            self.table.enter(words)
            self._report()
        self.initial = self.met
        """The states before this one are initial."""
        self.levels.append(self.met)

    @property
    def met(self) -> int:
        return self.table.used

    def advance(self) -> bool:
        """Explore the next batch of a level. Was there one?"""
        if self.explored == self.levels[-1]:
            if self.explored == self.met:
                return False
            self.levels.append(self.met)
        self._explore(self.explored, min(self.levels[-1], self.explored + tuning.BATCH_ROWS))
        return True

    def finish(self) -> None:
        while self.advance():
            pass

    def first(self, condition: Expr) -> int | None:
        """The first state in which a condition may be true, at the least distance; explored is what is needed for that."""
        looked = 0
        while True:
            for begin in range(looked, self.met, tuning.BATCH_ROWS):
                truth = self.where(condition, begin, min(self.met, begin + tuning.BATCH_ROWS))
                if truth.any():
                    return begin + int(np.argmax(truth))
            looked = self.met
            if not self.advance():
                return None

    def where(self, condition: Expr, begin: int, end: int) -> Flags:
        """In which of some states a condition may be true."""
        frame = ColumnFrame(self.successors.vocabulary, self.table.words(begin, end))
        truth = frame.truth(condition)
        frame.require_defined(condition, after=False)
        return np.broadcast_to(np.asarray(truth.data), end - begin)

    def path_to(self, number: int) -> list[int]:
        """The states on a shortest path from an initial state to this one: no state has a mark of where it was reached from."""
        path = [number]
        while path[-1] >= self.initial:
            level = bisect_right(self.levels, path[-1]) - 2
            path.append(self._source(path[-1], self.levels[level], min(self.levels[level + 1], self.explored)))
        return path[::-1]

    def _source(self, target: int, begin: int, end: int) -> int:
        """One of these states that has a step to the target."""
        for first in range(begin, end, tuning.BATCH_ROWS):
            self._report()
            for steps in self.successors.of(self.table.words(first, min(end, first + tuning.BATCH_ROWS))):
                hits = np.logical_and.reduce([word == key for word, key in zip(steps.after, self.table.states[target])])
                if hits.any():
                    return first + int(steps.sources[np.argmax(hits)])
        raise AssertionError("a state was met that has no predecessor")

    def _explore(self, begin: int, end: int) -> None:
        self._report()
        offsets, targets = self._steps_from(begin, end)
        lengths = np.diff(offsets)
        self.steps += len(targets)
        self.run.spend(WORK_OF_A_LISTED_STEP * len(targets))
        if not lengths.all():
            self.stuck.append(begin + np.flatnonzero(lengths == 0))
        if self.lists_steps:
            self._list(lengths, targets)
        self.explored = end

    def _list(self, lengths: Array, targets: Array) -> None:
        self._lengths.append(lengths)
        self._targets.append(targets)

    def _steps_from(self, begin: int, end: int) -> tuple[Array, Array]:
        """The targets of the steps from some states, each once, and where those of each state begin."""
        sources, targets = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for steps in self.successors.of(self.table.words(begin, end)):
            sources.append(steps.sources)
            targets.append(self.table.enter(steps.after))
        number = sum(map(len, targets))
        offsets, gathered = np.empty(end - begin + 1, dtype=np.int64), np.empty(number, dtype=np.int32)
        gather = kernels("paths.state_table", number).targets_by_source
        left = gather(np.concatenate(sources), np.concatenate(targets), offsets, gathered)
        return offsets, gathered[:left].copy()

    def _report(self) -> None:
        self.run.step("enumerate", states=self.met, transitions=self.steps)

    def graph(self) -> Csr:
        """The steps between the states, all of which were explored; where they were not listed, they are taken once more."""
        if not self.lists_steps:
            self._lengths, self._targets = [], []
            for begin in range(0, self.met, tuning.BATCH_ROWS):
                self._report()
                offsets, targets = self._steps_from(begin, min(self.met, begin + tuning.BATCH_ROWS))
                self._list(np.diff(offsets), targets)
            self.lists_steps = True
        offsets = np.zeros(self.met + 1, dtype=np.int64)
        if self._lengths:
            np.cumsum(np.concatenate(self._lengths), out=offsets[1:])
        return Csr(offsets, np.concatenate([np.zeros(0, dtype=np.int32), *self._targets]))
