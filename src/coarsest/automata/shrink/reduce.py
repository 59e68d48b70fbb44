"""Smaller automata for the same words: one technique after the other, until nothing changes."""

from __future__ import annotations

from typing import Final

from coarsest import tuning
from coarsest.automata.automaton import Automaton
from coarsest.automata.saturate import saturate
from coarsest.automata.shrink.bisimulation import merge_bisimilar
from coarsest.automata.shrink.direct_simulation import reduce_backwards, reduce_forwards
from coarsest.automata.shrink.remove_unions import remove_unions
from coarsest.automata.shrink.unite_sets import unite_sets
from coarsest.automata.tidy import Transient, tidy, tidy_states
from coarsest.run import Run


def reduce_on_edges(automaton: Automaton, run: Run, *, smallest: bool = True) -> Automaton:
    """Reduce an automaton with acceptance on edges."""
    automaton = merge_bisimilar(tidy(automaton))
    if automaton.states > tuning.AUTOMATON_STATES_TO_COMPARE:
        return automaton
    if automaton.states > tuning.AUTOMATON_STATES_TO_REFINE and not smallest:
        return tidy(reduce_forwards(automaton, run))
    before = _NOTHING_YET
    while automaton.states > 1 and (size := _size(automaton)) < before:
        before = size
        # The marks of transient edges have no meaning, but simulation sees them: different choices give different pairs.
        automaton = reduce_forwards(tidy(automaton), run)
        automaton = reduce_forwards(tidy(automaton, transient=Transient.MARKED_INTO_ACCEPTING), run)
        automaton = tidy(reduce_backwards(tidy(automaton), run))
    saturated = tidy(reduce_forwards(unite_sets(saturate(automaton)), run))
    return saturated if (saturated.states, saturated.sets) < (automaton.states, automaton.sets) else automaton


def reduce_on_states(automaton: Automaton, run: Run, *, smallest: bool = True) -> Automaton:
    """Reduce a Büchi automaton with acceptance on states, and keep this form."""
    automaton = merge_bisimilar(tidy_states(automaton))
    if automaton.states > tuning.AUTOMATON_STATES_TO_COMPARE:
        return automaton
    if automaton.states > tuning.AUTOMATON_STATES_TO_REFINE and not smallest:
        return tidy_states(reduce_forwards(automaton, run))
    before = _NOTHING_YET
    while automaton.states > 1 and (size := _size(automaton)) < before:
        before = size
        automaton = reduce_forwards(tidy_states(automaton), run)
        automaton = reduce_forwards(tidy_states(automaton, transient=Transient.MARKED), run)
        automaton = tidy_states(reduce_backwards(tidy_states(automaton), run, state_based=True))
    return automaton


def without_unions_on_edges(automaton: Automaton, run: Run) -> Automaton:
    """The automaton without states that are unions of others, reduced again."""
    return reduce_on_edges(remove_unions(tidy(automaton, transient=Transient.MARKED), run), run)


def without_unions_on_states(automaton: Automaton, run: Run) -> Automaton:
    """The same for a Büchi automaton with acceptance on states, which remains one."""
    return reduce_on_states(remove_unions(tidy_states(automaton, transient=Transient.MARKED), run), run)


_NOTHING_YET: Final = (1 << 62, 0)


def _size(automaton: Automaton) -> tuple[int, int]:
    return automaton.states, automaton.edge_count
