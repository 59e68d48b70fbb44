"""Smaller Büchi automata for the same words, by the relation that shall hold between the automaton and the smaller one."""

from __future__ import annotations

from coarsest.automata.automaton import Automaton
from coarsest.automata.listed import Listed, listed, unlisted
from coarsest.automata.shrink.degeneralise import degeneralise
from coarsest.automata.shrink.quotients import quotient, trimmed, without_little_brothers
from coarsest.automata.shrink.simulations import delay_simulation, direct_simulation
from coarsest.automata.tidy import renumber
from coarsest.errors import Unsupported
from coarsest.run import Run


def minimise(automaton: Automaton, by: str, run: Run) -> Automaton:
    """A smaller automaton with acceptance on states."""
    on_states = automaton if automaton.sets == 1 and automaton.is_state_based else degeneralise(automaton)
    buchi = listed(on_states)
    if buchi is None:
        raise Unsupported("the guards of this automaton tell too many letters apart")
    small = smaller(trimmed(buchi), by, run)
    if not small.states:
        return Automaton(automaton.alphabet, (0,), [[]], 1)
    return renumber(unlisted(small, automaton.alphabet))


def smaller(buchi: Listed, by: str, run: Run) -> Listed:
    """Figure 4.3."""
    if by == "delay":
        buchi = trimmed(quotient(buchi, delay_simulation(buchi, run)))
    before = buchi.states + 1
    while buchi.states < before:
        before = buchi.states
        buchi = quotient(buchi, direct_simulation(buchi, run))
        buchi = trimmed(without_little_brothers(buchi, direct_simulation(buchi, run)))
    return buchi
