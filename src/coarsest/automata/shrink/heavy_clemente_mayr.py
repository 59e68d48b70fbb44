"""Smaller automata for the same words by lookahead simulations: quotients and prunings until nothing changes.

Reference: Clemente, Mayr, Efficient reduction of nondeterministic automata with application to language inclusion testing, 2019
           (the reduction Heavy-k, and which relations are good for quotients and for pruning).
Symbols:   k is `ahead`. P(B, F) leaves a transition out if another one with the same letter begins B-above and ends F-above it.
Invariant: the accepted words. Quotients by delay lookahead and by backward lookahead keep them. So do P(=, F) and P(B, =) for
           strict orders B and F within trace inclusion: runs are repaired from the front, or from the back, and every position
           is repaired once. So does P(B, F) with B the strict part of backward simulation and any F within trace inclusion,
           since the first position that is repaired repeatedly only rises in B; and, conversely, with any B and the strict part
           of simulation.
           P(B, F) with simulation on one side and strict lookahead on the other does not keep them.
Deviates:  acceptance is extended to states whose cycles all accept, and removed from those on no cycle, in turns; no jumping
           simulations; no pruning by fair simulation.
Cost:      a few rounds, each with some relations; exponential in k at worst.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from coarsest._kernels.preorders.fair_simulations import Rows, unpacked
from coarsest._kernels.preorders.lookahead import delay_lookahead, direct_lookahead
from coarsest.automata.listed import Bits, ListedAutomaton
from coarsest.automata.shrink.quotients import pruned, quotient, strict, trimmed, with_most_accepting, without_little_brothers
from coarsest.run import Run

Lookahead = Callable[[ListedAutomaton, int, Run], Rows]


def backward_lookahead(buchi: ListedAutomaton, ahead: int, run: Run, *, choice: str = "auto") -> Rows:
    """Whatever leads to p leads to q as well, accepting and initial wherever the other is; contained in the inclusion of traces
    from initial states that accept at the same times."""
    return direct_lookahead(buchi.reversed(), ahead, run, marks=[buchi.accepting, buchi.initial], choice=choice)


class Relations:
    """The relations of one automaton after another; each relation of the present one is computed once."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._subject: object = None
        self._computed: dict[tuple[Lookahead, int], Rows] = {}

    def of(self, buchi: ListedAutomaton, lookahead: Lookahead, ahead: int) -> Rows:
        columns = (buchi.letters, buchi.sources, buchi.targets, buchi.accepting, buchi.initial)
        subject = tuple(column.tobytes() for column in columns)
        if subject != self._subject:
            self._subject = subject
            self._computed.clear()
        if (lookahead, ahead) not in self._computed:
            self._computed[lookahead, ahead] = lookahead(buchi, ahead, self._run)
        return self._computed[lookahead, ahead]

    def strictly(self, buchi: ListedAutomaton, lookahead: Lookahead, ahead: int) -> Bits:
        return strict(buchi, self.of(buchi, lookahead, ahead))


def heavy(buchi: ListedAutomaton, ahead: int, run: Run) -> ListedAutomaton:
    """The reduction of an automaton in which every state is useful. Quotients come first, since pruning leaves less to unite."""
    relations = Relations(run)
    for less in (*(1 << shift for shift in range(ahead.bit_length())), ahead):
        buchi = _united(buchi, less, relations)
    before = (buchi.states + 1, 0)
    while (buchi.states, buchi.transitions) < before and buchi.states:
        before = (buchi.states, buchi.transitions)
        buchi = _round(trimmed(buchi), ahead, relations)
        buchi = _round(with_most_accepting(buchi), ahead, relations)
    return buchi


def _united(buchi: ListedAutomaton, ahead: int, relations: Relations) -> ListedAutomaton:
    """Quotients until nothing changes."""
    before = buchi.states + 1
    while buchi.states < before and buchi.states:
        before = buchi.states
        buchi = trimmed(quotient(buchi, relations.of(buchi, delay_lookahead, ahead)))
        buchi = trimmed(quotient(buchi, relations.of(buchi, backward_lookahead, ahead)))
    return buchi


def _round(buchi: ListedAutomaton, ahead: int, relations: Relations) -> ListedAutomaton:
    buchi = _united(buchi, ahead, relations)
    for step in (brothers, older_sources, steeper, from_higher):
        if buchi.states:
            buchi = trimmed(step(buchi, ahead, relations))
    return buchi


def brothers(buchi: ListedAutomaton, ahead: int, relations: Relations) -> ListedAutomaton:
    """P(=, <) with direct lookahead."""
    return without_little_brothers(buchi, relations.of(buchi, direct_lookahead, ahead))


def older_sources(buchi: ListedAutomaton, ahead: int, relations: Relations) -> ListedAutomaton:
    """P(<, =) with backward lookahead."""
    return pruned(buchi, relations.strictly(buchi, backward_lookahead, ahead), np.eye(buchi.states, dtype=np.bool_))


def steeper(buchi: ListedAutomaton, ahead: int, relations: Relations) -> ListedAutomaton:
    """P(<, ≤) with backward simulation and direct lookahead."""
    after = unpacked(relations.of(buchi, direct_lookahead, ahead), buchi.states)
    return pruned(buchi, relations.strictly(buchi, backward_lookahead, 1), after)


def from_higher(buchi: ListedAutomaton, ahead: int, relations: Relations) -> ListedAutomaton:
    """P(≤, <) with backward lookahead and direct simulation."""
    before = unpacked(relations.of(buchi, backward_lookahead, ahead), buchi.states)
    return pruned(buchi, before, relations.strictly(buchi, direct_lookahead, 1))
