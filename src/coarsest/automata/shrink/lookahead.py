"""Lookahead simulations between the states of a Büchi automaton: the ladder from simulation to the inclusion of words.

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

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from coarsest import tuning
from coarsest._kernels.worker_threads import in_worker_thread
from coarsest.automata.listed import Bits, ListedAutomaton
from coarsest.automata.shrink.simulations import (
    Rows,
    Steps,
    at_first,
    backward_simulation,
    delay_game,
    direct_simulation,
    kernels_for,
    packed,
    simulators,
)
from coarsest.run import Run

ROWS_AT_ONCE: Final = 64
"""A kernel works on this many rows between two looks at limits."""


def direct_lookahead(buchi: ListedAutomaton, ahead: int, run: Run, *, choice: str = "auto") -> Rows:
    """Direct simulation with lookahead, which is contained in the inclusion of traces that accept at the same times."""
    settled = direct_simulation(buchi, run, choice=choice)
    return settled if ahead == 1 else _answered(buchi, [buchi.accepting], settled, ahead, run=run, choice=choice)


def backward_lookahead(buchi: ListedAutomaton, ahead: int, run: Run, *, choice: str = "auto") -> Rows:
    """Backward simulation with lookahead. It implies inclusion of traces from initial states that accept at the same times."""
    settled = backward_simulation(buchi, run, choice=choice)
    if ahead == 1:
        return settled
    return _answered(buchi.reversed(), [buchi.accepting, buchi.initial], settled, ahead, run=run, choice=choice)


def _answered(buchi: ListedAutomaton, labels: list[Bits], settled: Rows, ahead: int, *, run: Run, choice: str) -> Rows:
    kernel = kernels_for("lookahead", buchi, choice)
    related = simulators(labels[0])
    for label in labels[1:]:
        related &= simulators(label)
    bears = np.stack(labels)
    patience, after = tuning.LOOKAHEAD_ATTACK_STEPS, Steps.of(buchi).after
    remove = partial(kernel.remove_attacked, *after, packed(bears), bears, related, settled, ahead, patience)
    _rounds(remove, related, buchi, ahead, run)
    return transitively_closed(related, buchi, run, choice=choice)


def delay_lookahead(buchi: ListedAutomaton, ahead: int, run: Run, *, choice: str = "auto") -> Rows:
    """Delay simulation with lookahead."""
    settled, paid = delay_game(buchi, run, choice=choice)
    if ahead == 1:
        return at_first(buchi, settled, paid)
    kernel, after = kernels_for("lookahead", buchi, choice), Steps.of(buchi).after
    accepting = packed(buchi.accepting[None])[0]
    free = simulators(np.zeros(buchi.states, dtype=np.bool_))
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


def transitively_closed(related: Rows, buchi: ListedAutomaton, run: Run, *, choice: str = "auto") -> Rows:
    """The smallest transitive relation that contains a reflexive one."""
    close = partial(kernels_for("lookahead", buchi, choice).close_transitively, related)
    for begin in range(0, buchi.states, ROWS_AT_ONCE):
        run.step("lookahead", states=buchi.states)
        in_worker_thread(partial(close, begin, min(buchi.states, begin + ROWS_AT_ONCE)))
    return related


def _rounds(work: Callable[[NDArray[np.int64]], int], changing: Rows, buchi: ListedAutomaton, ahead: int, run: Run) -> None:
    """Let a kernel work on rows of a relation until nothing changes; a row is repeated if one in its reach has changed."""
    rows = np.arange(buchi.states)
    while len(rows):
        before = changing.copy()
        for begin in range(0, len(rows), ROWS_AT_ONCE):
            run.step("lookahead", states=buchi.states, rows=len(rows))
            in_worker_thread(partial(work, rows[begin : begin + ROWS_AT_ONCE]))
        near = (changing != before).any(axis=1)
        if near.any():
            for _ in range(ahead):
                near[buchi.sources[near[buchi.targets]]] = True
        rows = np.flatnonzero(near)
