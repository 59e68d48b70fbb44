"""Fewer acceptance sets: two of them become one where no cycle can tell.

Reference: none; the idea is ours.
Symbols:   an edge misses a set if it has not its mark.
Invariant: a cycle whose edges all miss the united set misses one of the two as a whole.
Deviates:  pairs of sets are tried greedily, in the order of their numbers.
Cost:      one search for components per pair that is tried.
"""

from __future__ import annotations

from coarsest.automata.automaton import Automaton
from coarsest.automata.components import components


def unite_sets(automaton: Automaton) -> Automaton:
    """The same states and edges with fewer acceptance sets, best after `saturate`."""
    sets = [1 << number for number in range(automaton.sets)]  # each new set as the old ones that it stands for
    united: list[int] = []
    for own in sets:
        for place, other in enumerate(united):
            if _may_unite(automaton, own, other):
                united[place] = own | other
                break
        else:
            united.append(own)
    if len(united) == len(sets):
        return automaton
    edges = [
        [
            (guard, sum(1 << number for number, old in enumerate(united) if marks & old == old), target)
            for guard, marks, target in own_edges
        ]
        for own_edges in automaton.edges
    ]
    return Automaton(automaton.alphabet, automaton.initial, edges, len(united))


def _may_unite(automaton: Automaton, one: int, other: int) -> bool:
    """Does every cycle without an edge in both sets miss one of them completely?"""
    both = one | other
    missing = [[target for _, marks, target in own if marks & both != both] for own in automaton.edges]
    component_of = [0] * automaton.states
    for number, members in enumerate(components(missing, range(automaton.states))):
        for state in members:
            component_of[state] = number
    met: dict[int, int] = {}
    for state, own in enumerate(automaton.edges):
        for _, marks, target in own:
            if marks & both != both and component_of[state] == component_of[target]:
                met[component_of[state]] = met.get(component_of[state], 0) | (marks & one == one) | (marks & other == other) << 1
    return 3 not in met.values()
