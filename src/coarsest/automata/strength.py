"""The strength of acceptance: some automata need no fair cycles, only reachability.

Reference: Bloem, Ravi, Somenzi, Efficient decision procedures for model checking of linear time logic properties, 1999;
           Renault, Duret-Lutz, Kordon, Poitrenaud, Strength-based decomposition, 2013.
Symbols:   closed: every infinite run is accepting; terminal: a run that enters an accepting component can stay there and accept;
           weak: within a component, either all cycles are accepting or no cycle is.
Invariant: –
Deviates:  closed is distinguished from weak.
Cost:      one search for components per acceptance set.
"""

from __future__ import annotations

from enum import Enum

from coarsest.automata.automaton import Automaton
from coarsest.automata.saturate import saturate
from coarsest.automata.tidy import components_of, tidy


class Strength(Enum):
    """The search that finds an accepted word in a product with a system."""

    CLOSED = "closed"
    """Any infinite run: the words are a safety property."""
    TERMINAL = "terminal"
    """A state of an accepting component is reached: the words are a guarantee property."""
    WEAK = "weak"
    """A cycle within an accepting component."""
    GENERAL = "general"
    """A cycle through all acceptance sets."""


def strength(automaton: Automaton) -> Strength:
    """The easiest kind of acceptance that the structure of this automaton shows."""
    saturated = tidy(saturate(automaton))
    components, _ = components_of(saturated)
    if any(component.needed for component in components):
        return Strength.GENERAL
    if not saturated.sets:
        return Strength.CLOSED
    if terminal_states(saturated) == {state for component in components if component.accepting for state in component.states}:
        return Strength.TERMINAL
    return Strength.WEAK


def terminal_states(automaton: Automaton) -> frozenset[int]:
    """The states of accepting components in which every word has an accepting run that stays inside."""
    components, number_of = components_of(automaton)
    terminal: set[int] = set()
    for number, component in enumerate(components):
        if not component.accepting or component.needed:
            continue
        for state in component.states:
            staying = automaton.alphabet.empty
            for guard, _, target in automaton.edges[state]:
                if number_of[target] == number:
                    staying = staying | guard
            if staying != automaton.alphabet.full:
                break
        else:
            terminal.update(component.states)
    return frozenset(terminal)
