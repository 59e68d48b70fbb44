"""Smaller Büchi automata by relations between states.

States that are above each other are united, and transitions are left out if another one leads higher.

Reference: Bustan, Equivalence-based reductions and checking for preorders, 2002, figure 4.3 (delay quotient, then direct little
           brothers); Clemente, Mayr, Efficient reduction of nondeterministic automata with application to language inclusion
           testing, 2019 (the relations for quotients and for pruning).
Symbols:   bit q of row p of a relation says that p is below q.
Invariant: the accepted words.
Deviates:  –
Cost:      one look at each pair of transitions of a state with one letter, or at each pair of transitions with one letter.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from coarsest._kernels.preorders.fair_simulations import Rows, unpacked
from coarsest.automata.components import components
from coarsest.automata.listed import Bits, ListedAutomaton

TRANSITIONS_AT_ONCE: Final = 256
"""Matrices are made for this many transitions at once, so that they stay small."""


def quotient(buchi: ListedAutomaton, below: Rows) -> ListedAutomaton:
    """The automaton where states that are below each other are one, with the transitions of all."""
    if not buchi.states:
        return buchi
    matrix = unpacked(below, buchi.states)
    first = (matrix & matrix.T).argmax(axis=1)
    _, number_of = np.unique(first, return_inverse=True)
    return buchi.with_states(number_of.astype(np.int64), int(number_of.max(initial=-1)) + 1)


def trimmed(buchi: ListedAutomaton) -> ListedAutomaton:
    """The automaton of the reachable states that accept some word, where only states on a cycle are accepting."""
    successors: list[list[int]] = [[] for _ in range(buchi.states)]
    for source, target in zip(buchi.sources.tolist(), buchi.targets.tolist()):
        successors[source].append(target)
    useful = np.zeros(buchi.states, dtype=np.bool_)
    on_accepting_cycle = np.zeros(buchi.states, dtype=np.bool_)
    for members in components(successors, np.flatnonzero(buchi.initial).tolist()):
        has_cycle = len(members) > 1 or members[0] in successors[members[0]]
        is_accepting = has_cycle and any(buchi.accepting[state] for state in members)
        on_accepting_cycle[members] = has_cycle
        useful[members] = is_accepting or any(useful[target] for state in members for target in successors[state])
    number_of = np.where(useful, np.cumsum(useful) - 1, -1)
    small = buchi.with_states(number_of, int(useful.sum()))
    accepting = (buchi.accepting & on_accepting_cycle)[useful]
    return ListedAutomaton(small.guards, small.letters, small.sources, small.targets, accepting, small.initial)


def without_little_brothers(buchi: ListedAutomaton, below: Rows) -> ListedAutomaton:
    """The automaton without transitions and initial states beside others that lead strictly higher. The relation must imply that
    words of a lower state are words of a higher one, accepting at the same times."""
    strictly = strict(buchi, below)
    small = pruned(buchi, np.eye(buchi.states, dtype=np.bool_), strictly)
    starts = np.flatnonzero(buchi.initial)
    initial = np.zeros_like(buchi.initial)
    initial[starts[~strictly[np.ix_(starts, starts)].any(axis=1)]] = True
    return ListedAutomaton(small.guards, small.letters, small.sources, small.targets, small.accepting, initial)


def strict(buchi: ListedAutomaton, below: Rows) -> Bits:
    """The strict part: p is below q, and q is not below p."""
    matrix = unpacked(below, buchi.states)
    return matrix & ~matrix.T


def pruned(buchi: ListedAutomaton, before: Bits, after: Bits) -> ListedAutomaton:
    """The automaton without transitions for which there is another one with the same letter between higher states, by `before`
    for sources and `after` for targets. One of these must be strict, so that one of several transitions remains."""
    stays = np.ones(buchi.transitions, dtype=np.bool_)
    ends = np.searchsorted(buchi.letters, np.arange(len(buchi.guards) + 1))
    for low, high in zip(ends[:-1].tolist(), ends[1:].tolist()):
        sources, targets = buchi.sources[low:high], buchi.targets[low:high]
        for begin in range(low, high, TRANSITIONS_AT_ONCE):
            part = slice(begin, min(high, begin + TRANSITIONS_AT_ONCE))
            above = before[np.ix_(buchi.sources[part], sources)] & after[np.ix_(buchi.targets[part], targets)]
            stays[part] = ~above.any(axis=1)
    return buchi.with_transitions(buchi.letters[stays], buchi.sources[stays], buchi.targets[stays])


def with_most_accepting(buchi: ListedAutomaton) -> ListedAutomaton:
    """The automaton where states become accepting if all their cycles have an accepting state anyway."""
    successors: list[list[int]] = [[] for _ in range(buchi.states)]
    for source, target in zip(buchi.sources.tolist(), buchi.targets.tolist()):
        if not (buchi.accepting[source] or buchi.accepting[target]):
            successors[source].append(target)
    accepting = buchi.accepting.copy()
    for members in components(successors, range(buchi.states)):
        if len(members) == 1 and members[0] not in successors[members[0]]:
            accepting[members] = True
    return ListedAutomaton(buchi.guards, buchi.letters, buchi.sources, buchi.targets, accepting, buchi.initial)
