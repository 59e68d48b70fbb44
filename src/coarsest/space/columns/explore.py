"""The reachable states of a machine, batch by batch.

Reference: breadth-first search; Lamport 2002, "Specifying systems", chapter 14 (a set of fingerprints), here of whole states.
Symbols:   the *number* of a state is its place in the order in which states are met; a *level* has the states of one distance.
Invariant: the states of a level have numbers in a row; those before `explored` have all their steps.
Deviates:  –
Cost:      of a state its words and some 24 bytes in a table of hashes, of a step 4 bytes where steps are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from coarsest import tuning
from coarsest._kernels.choose import kernels
from coarsest.errors import LimitExceeded
from coarsest.lts.csr import Csr
from coarsest.memory_use import MEBIBYTE, memory_limit, most_mebibytes
from coarsest.model.machine import Machine
from coarsest.run import Run
from coarsest.space.columns.column import Array, Rows
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
        """Raises NotInColumns where arrays cannot hold what the machine says."""
        self.run = run
        self.successors = Successors(machine)
        self.packing = self.successors.packing
        self.table = StateNumbers(self.packing.words, run)
        self.lists_steps = lists_steps
        self.steps = 0
        self.explored = 0
        self.initial = 0
        """The states before this one are initial."""
        self.levels: list[int] = []
        """The first number of each level."""
        self._lengths: list[Array] = []
        self._targets: list[Array] = []

    @property
    def met(self) -> int:
        return self.table.used

    def begin(self) -> None:
        """Enter the initial states."""
        for words in self.successors.initial():
            self.table.enter(words)
            self._report()
        self.initial = self.met
        self.levels = [0] if self.met else []

    def finish(self, look: Callable[[int, int], bool] = lambda begin, end: False) -> bool:
        """Explore level by level; `look` is given the numbers of each level's states, and ends it by saying so. Did it?"""
        while self.explored < self.met:
            end = self.met
            if look(self.explored, end):
                return True
            for begin in range(self.explored, end, tuning.BATCH_ROWS):
                self._explore(begin, min(end, begin + tuning.BATCH_ROWS))
            if self.met > end:
                self.levels.append(end)
        return False

    def _explore(self, begin: int, end: int) -> None:
        self._report()
        sources, targets = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for steps in self.successors.of(self.table.words(begin, end)):
            sources.append(steps.sources)
            targets.append(self.table.enter(steps.after))
        self._link(end - begin, np.concatenate(sources), np.concatenate(targets))
        self.explored = end

    def _link(self, rows: int, sources: Rows, targets: Rows) -> None:
        """Count the steps of a batch, each once, and list them if they are wanted."""
        offsets, gathered = np.empty(rows + 1, dtype=np.int64), np.empty(len(targets), dtype=np.int32)
        number = kernels("paths.state_table", len(targets)).targets_by_source(sources, targets, offsets, gathered)
        self.steps += number
        if self.lists_steps:
            self._lengths.append(np.diff(offsets))
            self._targets.append(gathered[:number].copy())

    def _report(self) -> None:
        self.run.step("enumerate", states=self.met, transitions=self.steps)

    def graph(self) -> Csr:
        """The steps between the states, all of which were explored."""
        offsets = np.zeros(self.met + 1, dtype=np.int64)
        if self._lengths:
            np.cumsum(np.concatenate(self._lengths), out=offsets[1:])
        return Csr(offsets, np.concatenate([np.zeros(0, dtype=np.int32), *self._targets]))
