"""As many marks as possible: an edge joins an acceptance set if every cycle through it visits that set anyway.

Reference: Boigelot, Jodogne, Wolper, On the use of weak automata for deciding linear arithmetic with integer and real variables,
           2001 (inherently weak components).
Symbols:   –
Invariant: the same cycles miss a set.
Deviates:  edge by edge, instead of component by component.
Cost:      one search for components per acceptance set.
"""

from __future__ import annotations

from coarsest.automata.automaton import Automaton
from coarsest.automata.components import components


def saturate(automaton: Automaton) -> Automaton:
    """The same states and edges with the largest acceptance sets; edges between components join all of them."""
    edges = automaton.edges
    everyone = range(automaton.states)
    for number in range(automaton.sets):
        bit = 1 << number
        missing = [[target for _, marks, target in own if not marks & bit] for own in edges]
        if not any(missing):
            continue
        component_of = [0] * automaton.states
        for component, members in enumerate(components(missing, everyone)):
            for state in members:
                component_of[state] = component
        edges = [
            [
                (guard, marks if component_of[source] == component_of[target] else marks | bit, target)
                for guard, marks, target in own
            ]
            for source, own in enumerate(edges)
        ]
    return Automaton(automaton.alphabet, automaton.initial, edges, automaton.sets)


def balance(automaton: Automaton) -> Automaton:
    """Remove marks of a saturated automaton where all inner edges into a state then have the same marks.

    A state then needs fewer copies, because copies differ by the marks with which they are entered.
    """
    edges = [list(own) for own in automaton.edges]
    component_of = [0] * automaton.states
    for component, members in enumerate(components(automaton.successors(), range(automaton.states))):
        for state in members:
            component_of[state] = component
    into: list[list[tuple[int, int]]] = [[] for _ in edges]
    for source, own in enumerate(edges):
        for index, (_, _, target) in enumerate(own):
            if component_of[source] == component_of[target]:
                into[target].append((source, index))
    for number in range(automaton.sets):
        bit = 1 << number
        for state, entering in enumerate(into):
            marked = [(source, index) for source, index in entering if edges[source][index][1] & bit]
            if marked and len(marked) < len(entering):
                missing = [[target for _, marks, target in own if not marks & bit] for own in edges]
                if not _reaches(missing, state, {source for source, _ in marked}):
                    for source, index in marked:
                        guard, marks, target = edges[source][index]
                        edges[source][index] = (guard, marks ^ bit, target)
    return Automaton(automaton.alphabet, automaton.initial, edges, automaton.sets)


def _reaches(successors: list[list[int]], start: int, goals: set[int]) -> bool:
    reached = {start}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state in goals:
            return True
        for target in successors[state]:
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return False
