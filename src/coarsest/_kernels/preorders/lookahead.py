"""Lookahead simulations of Büchi automata and fair graphs: the ladder from simulation to the inclusion of words.

The attacker shows k steps, and the defender answers some of the first: with more steps, more states are related, up to trace
inclusion. With k = 1 these are the simulations.

Reference: Mayr, Clemente, Advanced automata minimization, 2013; Clemente, Mayr, Efficient reduction of nondeterministic automata
           with application to language inclusion testing, 2019, section 6.
Symbols:   k is `ahead`; bit q of row p says that q answers p.
Invariant: removed pairs can be attacked, or were not decided within the allowed steps; the other pairs have answers among them.
Deviates:  all answers on the same letters are followed at once, as sets. The relations are closed transitively.
Cost:      rounds × pairs × attacks, which are exponential in k at worst.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from operator import and_
from typing import Final

import numpy as np
from numpy.typing import NDArray

from coarsest import tuning
from coarsest._kernels.preorders.fair_simulations import (
    Bits,
    Buchi,
    Rows,
    StepListener,
    Steps,
    at_first,
    delay_game,
    direct_simulation,
    kernels_for,
    packed,
    simulators,
)
from coarsest._kernels.worker_threads import in_worker_thread

ROWS_AT_ONCE: Final = 64
"""A kernel works on this many rows between two looks at limits."""


def direct_lookahead(
    buchi: Buchi, ahead: int, run: StepListener, *, marks: Sequence[Bits] | None = None, choice: str = "auto"
) -> Rows:
    """Direct simulation with lookahead, which implies inclusion of traces that accept, or have all marks, at the same times."""
    settled = direct_simulation(buchi, run, marks=marks, choice=choice)
    if ahead == 1:
        return settled
    bears = np.stack([buchi.accepting] if marks is None else list(marks))
    related = reduce(and_, map(simulators, bears))
    patience, after = tuning.LOOKAHEAD_ATTACK_STEPS, Steps.of(buchi).after
    kernel = kernels_for("lookahead", buchi, choice)
    remove = partial(kernel.remove_attacked, *after, packed(bears), bears, related, settled, ahead, patience)
    _rounds(remove, related, buchi, ahead, run)
    return transitively_closed(related, buchi, run, choice=choice)


def delay_lookahead(buchi: Buchi, ahead: int, run: StepListener, *, choice: str = "auto") -> Rows:
    """Delay simulation with lookahead."""
    settled, paid = delay_game(buchi, run, choice=choice)
    if ahead == 1:
        return at_first(buchi, settled, paid)
    kernel, after = kernels_for("lookahead", buchi, choice), Steps.of(buchi).after
    accepting = packed(buchi.accepting[None])[0]
    free = simulators(np.zeros(len(buchi.accepting), dtype=np.bool_))
    owing = free.copy()
    patience = tuning.LOOKAHEAD_ATTACK_STEPS
    while True:
        paying = paid.copy()
        add = partial(kernel.add_paying, *after, accepting, buchi.accepting, free, owing, paying, ahead, patience)
        _rounds(add, paying, buchi, ahead, run)
        owing = paying
        before = free.copy()
        remove = partial(kernel.remove_attacked_later, *after, accepting, buchi.accepting, free, owing, settled, ahead, patience)
        _rounds(remove, free, buchi, ahead, run)
        if np.array_equal(before, free):
            return transitively_closed(at_first(buchi, free, owing), buchi, run, choice=choice)


def transitively_closed(related: Rows, buchi: Buchi, run: StepListener, *, choice: str = "auto") -> Rows:
    """The smallest transitive relation that contains a reflexive one."""
    close = partial(kernels_for("lookahead", buchi, choice).close_transitively, related)
    for begin in range(0, len(buchi.accepting), ROWS_AT_ONCE):
        run.step("lookahead", states=len(buchi.accepting))
        in_worker_thread(partial(close, begin, min(len(buchi.accepting), begin + ROWS_AT_ONCE)))
    return related


def _rounds(work: Callable[[NDArray[np.int64]], int], changing: Rows, buchi: Buchi, ahead: int, run: StepListener) -> None:
    """Let a kernel work on rows of a relation until nothing changes; a row is repeated if one in its reach has changed."""
    rows = np.arange(len(buchi.accepting))
    while len(rows):
        before = changing.copy()
        for begin in range(0, len(rows), ROWS_AT_ONCE):
            run.step("lookahead", states=len(buchi.accepting), rows=len(rows))
            in_worker_thread(partial(work, rows[begin : begin + ROWS_AT_ONCE]))
        near = (changing != before).any(axis=1)
        if near.any():
            for _ in range(ahead):
                near[buchi.sources[near[buchi.targets]]] = True
        rows = np.flatnonzero(near)
