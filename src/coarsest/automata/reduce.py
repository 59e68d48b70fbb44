"""Smaller automata for the same words: one technique after the other, until nothing changes."""

from __future__ import annotations

from coarsest.automata.bisimulation import merge_bisimilar
from coarsest.automata.direct_simulation import reduce_backwards, reduce_forwards
from coarsest.automata.saturate import saturate
from coarsest.automata.tidy import Transient, tidy, tidy_states
from coarsest.model.automaton import Automaton
from coarsest.run import Run

MOST_STATES_TO_COMPARE = 250
"""Simulation compares all pairs of states; larger automata are only tidied and rid of bisimilar states."""


def reduce_on_edges(automaton: Automaton, run: Run) -> Automaton:
    """Reduce an automaton with acceptance on edges."""
    automaton = merge_bisimilar(tidy(automaton))
    if automaton.states > MOST_STATES_TO_COMPARE:
        return automaton
    size = (0, 0, 0)
    while size != (size := _size(automaton)) and automaton.states > 1:
        run.step("simulation", states=automaton.states, edges=automaton.edge_count)
        # The marks of transient edges mean nothing, but simulation sees them: different choices show different pairs.
        automaton = reduce_forwards(tidy(automaton))
        automaton = reduce_forwards(tidy(automaton, transient=Transient.MARKED_INTO_ACCEPTING))
        automaton = tidy(reduce_backwards(tidy(automaton)))
    saturated = tidy(reduce_forwards(saturate(automaton)))
    return saturated if saturated.states < automaton.states else automaton


def reduce_on_states(automaton: Automaton, run: Run) -> Automaton:
    """Reduce a Büchi automaton with acceptance on states; it stays one."""
    automaton = merge_bisimilar(tidy_states(automaton))
    if automaton.states > MOST_STATES_TO_COMPARE:
        return automaton
    size = (0, 0, 0)
    while size != (size := _size(automaton)) and automaton.states > 1:
        run.step("simulation", states=automaton.states, edges=automaton.edge_count)
        automaton = reduce_forwards(tidy_states(automaton))
        automaton = reduce_forwards(tidy_states(automaton, transient=Transient.MARKED))
        automaton = tidy_states(reduce_backwards(tidy_states(automaton), state_based=True))
    return automaton


def _size(automaton: Automaton) -> tuple[int, int, int]:
    return automaton.states, automaton.edge_count, automaton.sets
