"""Smaller Büchi automata for the same words, by a relation between the automaton and the smaller one."""

from __future__ import annotations

from typing import Final

from coarsest._kernels.preorders.lookahead import delay_lookahead, direct_lookahead
from coarsest.automata.automaton import Automaton
from coarsest.automata.listed import ListedAutomaton, listed, unlisted
from coarsest.automata.shrink.degeneralise import degeneralise
from coarsest.automata.shrink.heavy_clemente_mayr import heavy
from coarsest.automata.shrink.quotients import quotient, trimmed, without_little_brothers
from coarsest.automata.tidy import renumber
from coarsest.errors import Unsupported
from coarsest.run import Run

LOOKAHEAD: Final = 4
"""The default lookahead where only the words matter; with 1, fewer states are united."""


def minimise(automaton: Automaton, by: str, run: Run, *, lookahead: int = 0) -> Automaton:
    """A smaller automaton with acceptance on states; `lookahead` is 1, or `LOOKAHEAD` for words, where it is 0."""
    on_states = automaton if automaton.sets == 1 and automaton.is_state_based else degeneralise(automaton)
    buchi = listed(on_states)
    if buchi is None:
        raise Unsupported("the guards of this automaton distinguish too many letters")
    small = smaller(trimmed(buchi), by, run, lookahead=lookahead or (LOOKAHEAD if by == "words" else 1))
    if not small.states:
        return Automaton(automaton.alphabet, (0,), [[]], 1)
    return renumber(unlisted(small, automaton.alphabet))


def smaller(buchi: ListedAutomaton, by: str, run: Run, *, lookahead: int = 1) -> ListedAutomaton:
    """A smaller automaton. By delay, this is figure 4.3 of Bustan's thesis: the quotient, then direct little brothers."""
    if by == "words":
        return heavy(buchi, lookahead, run)
    if by == "delay":
        buchi = trimmed(quotient(buchi, delay_lookahead(buchi, lookahead, run)))
    before = buchi.states + 1
    while buchi.states < before:
        before = buchi.states
        buchi = quotient(buchi, direct_lookahead(buchi, lookahead, run))
        buchi = trimmed(without_little_brothers(buchi, direct_lookahead(buchi, lookahead, run)))
    return buchi
