"""Simulations between the states of a Büchi automaton or a fair graph: direct, backward and delay, as matrices of bits.

Reference: Etessami, Wilke, Schuller, Fair simulation relations, parity games, and state space reduction for Büchi automata, 2005;
           Bustan, Equivalence-based reductions and checking for preorders, 2002, section 4.1.
Symbols:   bit q of row p says that q simulates p. In the delay game q owes an accepting state from where p is in one until q is
           in one itself, which may be at once.
Invariant: X is `free` and `owing`, Y the rows of `owing` that grow: νX μY. (p, q) stays in `free` if every step leads back into
           X, and comes into `owing` if every step leads to X by paying, or to Y.
Deviates:  rows of bits instead of a parity game; `owing` is found anew each time that `free` has shrunk, but never grows beyond
           what it was before.
Cost:      rounds × states × transitions at worst; two matrices of bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from operator import and_
from typing import Any, Final, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest._kernels.worker_threads import in_worker_thread

Rows = NDArray[np.uint64]
Bits = NDArray[np.bool_]


class StepListener(Protocol):
    """Gets reports of progress, and may raise to end the work; usually a `coarsest.run.Run`."""

    def step(self, task: str, **facts: int) -> None:
        """Take notice of one step of a task."""


class Buchi(Protocol):
    """Transitions in the order of letters, sources and targets, each of them once, and accepting states."""

    @property
    def letters(self) -> NDArray[np.int64]: ...
    @property
    def sources(self) -> NDArray[np.int64]: ...
    @property
    def targets(self) -> NDArray[np.int64]: ...
    @property
    def accepting(self) -> Bits: ...

WORK_BETWEEN_STEPS: Final = 100_000_000
"""A kernel does this many units of its work between two looks at limits."""


class Steps(Struct, frozen=True, eq=False):
    """The transitions of an automaton as kernels want them: by letter, by target and by source."""

    by_letter: tuple[Any, Any, Any]
    before: tuple[Any, Any, Any]
    after: tuple[Any, Any, Any]

    @property
    def all(self) -> tuple[Any, ...]:
        return (*self.by_letter, *self.before, *self.after)

    @classmethod
    def of(cls, buchi: Buchi) -> Steps:
        by_letter = np.searchsorted(buchi.letters, np.arange(int(buchi.letters.max(initial=-1)) + 2))
        return cls(
            (by_letter, np.ascontiguousarray(buchi.sources), np.ascontiguousarray(buchi.targets)),
            _grouped(buchi.targets, buchi.letters, buchi.sources, len(buchi.accepting)),
            _grouped(buchi.sources, buchi.letters, buchi.targets, len(buchi.accepting)),
        )


def _grouped(ends: Any, letters: Any, others: Any, states: int) -> tuple[Any, Any, Any]:
    order = np.lexsort((others, letters, ends))
    return np.searchsorted(ends[order], np.arange(states + 1)), letters[order], others[order]


def packed(matrix: Bits) -> Rows:
    """Rows of truth values as rows of bits."""
    rows, columns = matrix.shape
    padded = np.zeros((rows, (columns + 63) // 64 * 64), dtype=np.uint8)
    padded[:, :columns] = matrix
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def unpacked(rows: Rows, columns: int) -> Bits:
    """Rows of bits as rows of truth values."""
    return np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")[:, :columns].view(np.bool_)


def simulators(members: Bits) -> Rows:
    """The relation in which every state that is no member is related to all, and every member to all members."""
    row = packed(np.stack([np.ones_like(members), members]))
    return np.ascontiguousarray(row[members.astype(np.int64)])


def kernels_for(name: str, buchi: Buchi, choice: str) -> Any:
    """The kernels of a name, compiled or pure, whichever suits the size: they compare states with transitions."""
    return kernels(f"simulation.{name}", len(buchi.accepting) * len(buchi.letters), choice)


def finish(work: Callable[[], bool], run: StepListener, task: str, **facts: int) -> None:
    """Let a kernel go on until it is finished, within the limits of the run."""
    run.step(task, **facts)
    while not in_worker_thread(work):
        run.step(task, **facts)


def direct_simulation(
    buchi: Buchi, run: StepListener, *, marks: Sequence[Bits] | None = None, choice: str = "auto"
) -> Rows:
    """Direct simulation: bit q of row p is set if q copies every step of p, accepting wherever p does; or with each of some
    `marks` wherever p has it. Backwards: for the reversed automaton, where initial states are marked, too."""
    free = reduce(and_, map(simulators, [buchi.accepting] if marks is None else marks))
    steps, kernel = Steps.of(buchi), kernels_for("delay", buchi, choice)
    nothing = np.zeros((len(buchi.accepting), 0), dtype=np.uint64)
    dirty, spoils = np.full(len(buchi.accepting), 2, dtype=np.int8), np.zeros(len(buchi.accepting), dtype=np.bool_)
    shrink = partial(kernel.shrink_answers, *steps.all, free, nothing, free[:0].reshape(-1), spoils, free.copy(), dirty)
    finish(partial(shrink, WORK_BETWEEN_STEPS), run, "simulation", states=len(buchi.accepting))
    return free


def delay_simulation(buchi: Buchi, run: StepListener, *, choice: str = "auto") -> Rows:
    """Delay simulation: bit q of row p is set if q copies every step of p, accepting some time after p does."""
    return at_first(buchi, *delay_game(buchi, run, choice=choice))


def at_first(buchi: Buchi, free: Rows, owing: Rows) -> Rows:
    """The relation at the beginning of the delay game, when nothing is owed yet."""
    accepting = packed(buchi.accepting[None])[0]
    return np.where(buchi.accepting[:, None], (free & accepting) | (owing & ~accepting), free)


def delay_game(buchi: Buchi, run: StepListener, *, choice: str = "auto") -> tuple[Rows, Rows]:
    """The pairs from which q answers p in the delay game if it owes nothing, and if it owes an accepting state."""
    steps, kernel = Steps.of(buchi), kernels_for("delay", buchi, choice)
    accepting, everyone = packed(buchi.accepting[None])[0], packed(np.ones((1, len(buchi.accepting)), dtype=np.bool_))
    free = np.repeat(everyone, len(buchi.accepting), axis=0)
    most, drawn_upon = free.copy(), free.copy()
    dirty = np.full(len(buchi.accepting), 2, dtype=np.int8)
    is_dead_end = np.bincount(buchi.sources, minlength=len(buchi.accepting)) == 0

    def shrink(owing: Rows, spoils: Bits) -> None:
        work = partial(kernel.shrink_answers, *steps.all, free, owing, accepting, spoils, drawn_upon, dirty, WORK_BETWEEN_STEPS)
        finish(work, run, "delay simulation", states=len(buchi.accepting))

    shrink(most, np.zeros(len(buchi.accepting), dtype=np.bool_))
    while True:
        owing = np.where(is_dead_end[:, None], most, np.uint64(0))
        dirty[:] = 1
        grow = partial(kernel.grow_answers, *steps.all, free, owing, most, accepting, np.zeros_like(free), dirty)
        finish(partial(grow, WORK_BETWEEN_STEPS), run, "delay simulation", states=len(buchi.accepting))
        dirty[:] = (owing != most).any(axis=1) & buchi.accepting
        most = owing
        before = free.copy()
        shrink(owing, buchi.accepting)
        if np.array_equal(before, free):
            return free, owing
