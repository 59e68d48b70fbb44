"""From generalised acceptance on edges to Büchi acceptance on states.

Within a component, a state has a copy for every level that runs can have there: the number of acceptance sets, in a fixed order,
that were visited since the last accepting copy.

Reference: Gastin, Oddoux, Fast LTL to Büchi automata translation, 2001 (levels that skip);
           Babiak, Badie, Duret-Lutz, Křetínský, Strejček, Compositional approach to suspension and other improvements to LTL
           translation, 2013 (per component; levels chosen on entry).
Symbols:   copy (state, level); the accepting level is the number of sets that the component needs.
Invariant: an inner path of copies visits the accepting level infinitely often iff the run visits all needed sets so.
Deviates:  a component is entered only in the smallest terminal part of its graph of copies, over all orders of few sets.
Cost:      per component and order: edges × levels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Any

from coarsest import tuning
from coarsest.automata.automaton import Automaton, Edge, united
from coarsest.automata.components import components
from coarsest.automata.saturate import balance, saturate
from coarsest.automata.shrink.unite_sets import unite_sets
from coarsest.automata.tidy import AutomatonComponent, components_of, renumber, tidy

Copy = tuple[int, int]


def degeneralise(automaton: Automaton) -> Automaton:
    """The same language with one acceptance set in which all edges of a state agree (or no set, if every run is accepting)."""
    automaton = balance(tidy(unite_sets(saturate(tidy(automaton)))))
    components, number_of = components_of(automaton)
    entry: dict[int, int] = {}
    steps: dict[Copy, list[tuple[Any, Copy]]] = {}
    accepting: set[Copy] = set()
    for component in components:
        copies = _copies(automaton, component, number_of)
        for state, level in copies:
            entry.setdefault(state, level)
        steps |= copies
        if component.accepting:
            accepting.update(copy for copy in copies if copy[1] == len(component.needed))
    return _assembled(automaton, number_of, entry, steps, accepting)


def _copies(automaton: Automaton, component: AutomatonComponent, number_of: Sequence[int]) -> dict[Copy, list[tuple[Any, Copy]]]:
    """The smallest set of copies of a component's states that is closed under its inner steps."""
    here = number_of[component.states[0]]
    inner = {
        state: [edge for edge in automaton.edges[state] if number_of[edge[2]] == here] for state in sorted(component.states)
    }
    if not component.needed:
        return {(state, 0): [(guard, (target, 0)) for guard, _, target in own] for state, own in inner.items()}
    best: dict[Copy, list[tuple[Any, Copy]]] = {}
    for order in _orders(component.needed):
        graph = {
            (state, level): [(guard, (target, _level_after(level, marks, order))) for guard, marks, target in own]
            for state, own in inner.items()
            for level in range(len(order) + 1)
        }
        closed = _smallest_closed_part(graph)
        if not best or len(closed) < len(best):
            best = closed
    return best


def _orders(needed: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
    if len(needed) > tuning.BUCHI_SETS_IN_ALL_ORDERS:
        return [needed, needed[::-1]]
    return permutations(needed)


def _level_after(level: int, marks: int, order: tuple[int, ...]) -> int:
    level = 0 if level == len(order) else level
    while level < len(order) and marks >> order[level] & 1:
        level += 1
    return level


def _smallest_closed_part(graph: dict[Copy, list[tuple[Any, Copy]]]) -> dict[Copy, list[tuple[Any, Copy]]]:
    """The smallest terminal component: it has copies of all states, since the states are strongly connected."""
    copies = list(graph)
    number = {copy: index for index, copy in enumerate(copies)}
    successors = [[number[target] for _, target in graph[copy]] for copy in copies]
    terminal: list[list[int]] = []
    for members in components(successors, range(len(copies))):
        inside = set(members)
        if all(target in inside for member in members for target in successors[member]):
            terminal.append(sorted(members))
    return {copies[member]: graph[copies[member]] for member in min(terminal, key=len)}


def _assembled(
    automaton: Automaton,
    number_of: Sequence[int],
    entry: dict[int, int],
    steps: dict[Copy, list[tuple[Any, Copy]]],
    accepting: set[Copy],
) -> Automaton:
    number = {copy: index for index, copy in enumerate(steps)}
    sets = 1 if automaton.sets else 0
    edges: list[list[Edge]] = []
    for copy, inner in steps.items():
        mark = sets if copy in accepting else 0
        state = copy[0]
        leaving = [(guard, (to, entry[to])) for guard, _, to in automaton.edges[state] if number_of[to] != number_of[state]]
        edges.append(united((guard, mark, number[target]) for guard, target in (*inner, *leaving)))
    initial = tuple(number[state, entry[state]] for state in automaton.initial)
    return renumber(Automaton(automaton.alphabet, initial, edges, sets))
