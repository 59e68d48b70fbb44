"""Tidying an automaton: only useful states, only acceptance sets that matter, marks only where they matter.

Reference: Babiak, Badie, Duret-Lutz, Křetínský, Strejček, Compositional approach to suspension and other improvements to LTL
           translation, 2013 (marks and components).
Symbols:   an edge is inner if it stays in a component, transient otherwise.
Invariant: a run finally stays in one component, so marks count on inner edges of accepting components only.
Deviates:  each component numbers the sets that it needs from 0; sets that it does not need are on all its edges.
Cost:      one pass over the edges, and per component the square of the number of sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from coarsest.automata.automaton import Automaton, Edge, united
from coarsest.automata.components import components


class Transient(Enum):
    """The marks for transient edges, which have no meaning."""

    UNMARKED = "no marks"
    MARKED = "all marks"
    MARKED_INTO_ACCEPTING = "all marks if the edge leads into an accepting component, none otherwise"


class AutomatonComponent(Struct, frozen=True):
    """A strongly connected component of an automaton, and the acceptance sets that it needs."""

    states: list[int]
    has_cycle: bool
    accepting: bool
    """Is there an accepting run that stays inside?"""
    useful: bool
    """Is there an accepting run from here?"""
    needed: tuple[int, ...]
    """The sets that decide whether a run is accepting; it then visits the others, too."""


def components_of(automaton: Automaton) -> tuple[list[AutomatonComponent], list[int]]:
    """The reachable components, each after those that it can reach, and the number of the component of each state, or -1."""
    number_of = [-1] * automaton.states
    described: list[AutomatonComponent] = []
    for number, states in enumerate(components(automaton.successors(), automaton.initial)):
        for state in states:
            number_of[state] = number
        inner: set[int] = set()
        leads_on = False
        for state in states:
            for _, marks, target in automaton.edges[state]:
                if number_of[target] == number:
                    inner.add(marks)
                else:
                    leads_on = leads_on or described[number_of[target]].useful
        accepting, needed = _needed_sets(sorted(inner), automaton.all_sets)
        described.append(AutomatonComponent(states, bool(inner), accepting, accepting or leads_on, needed))
    return described, number_of


def is_empty(automaton: Automaton) -> bool:
    """Is no word accepted? The components decide it (Couvreur, On-the-fly verification of linear temporal logic, 1999)."""
    return not any(component.accepting for component in components_of(automaton)[0])


def _needed_sets(inner: Sequence[int], all_sets: int) -> tuple[bool, tuple[int, ...]]:
    """Can edges with these marks satisfy all sets? If so, the second result has a few sets that imply the others."""
    common, union = all_sets, 0
    for marks in inner:
        common &= marks
        union |= marks
    if not inner or union != all_sets:
        return False, ()
    if common == all_sets:
        return True, ()
    where = {
        number: sum(1 << edge for edge, marks in enumerate(inner) if marks >> number & 1)
        for number in range(all_sets.bit_length())
        if not common >> number & 1
    }
    needed: list[int] = []
    for number, edges in where.items():
        stronger = (other for other, others in where.items() if others & edges == others and (others != edges or other < number))
        if next(stronger, None) is None:
            needed.append(number)
    return True, tuple(needed)


def tidy(automaton: Automaton, *, transient: Transient = Transient.UNMARKED) -> Automaton:
    """The same language with no more states and sets; states are numbered as a breadth-first search meets them."""
    parts, number_of = components_of(automaton)
    useful = [number >= 0 and parts[number].useful for number in number_of]
    useful_ones = [component for component in parts if component.useful]
    sets = max((len(component.needed) for component in useful_ones), default=0)
    if sets == 0 and any(component.has_cycle and not component.accepting for component in useful_ones):
        sets = 1
    all_sets = (1 << sets) - 1
    into_accepting = transient is Transient.MARKED_INTO_ACCEPTING
    marked = [transient is Transient.MARKED or (into_accepting and component.accepting) for component in parts]
    relabelled: list[dict[int, int]] = [{} for _ in parts]
    edges: list[list[Edge]] = []
    for state, number in enumerate(number_of):
        own: list[Edge] = []
        for guard, marks, target in automaton.edges[state] if useful[state] else ():
            if number_of[target] == number:
                new_marks = relabelled[number]
                if marks not in new_marks:
                    new_marks[marks] = _relabel(marks, parts[number], all_sets)
                own.append((guard, new_marks[marks], target))
            elif useful[target]:
                own.append((guard, all_sets if marked[number_of[target]] else 0, target))
        edges.append(united(own))
    return renumber(Automaton(automaton.alphabet, automaton.initial, edges, sets))


def _relabel(marks: int, component: AutomatonComponent, all_sets: int) -> int:
    """The marks in the new numbering: `needed[i]` becomes i."""
    if not component.accepting:
        return 0
    result = all_sets >> len(component.needed) << len(component.needed)
    for new, old in enumerate(component.needed):
        result |= (marks >> old & 1) << new
    return result


def tidy_states(automaton: Automaton, *, transient: Transient = Transient.UNMARKED) -> Automaton:
    """The same for a Büchi automaton with acceptance on states, and the result has it, too. A state on no cycle is transient."""
    parts, number_of = components_of(automaton)
    edges: list[list[Edge]] = []
    for state, number in enumerate(number_of):
        if number < 0 or not parts[number].useful:
            edges.append([])
            continue
        component = parts[number]
        marks = automaton.state_marks(state) if component.accepting else 0
        if not component.has_cycle and transient is Transient.MARKED:
            marks = automaton.all_sets
        edges.append([(guard, marks, target) for guard, _, target in automaton.edges[state] if parts[number_of[target]].useful])
    return renumber(Automaton(automaton.alphabet, automaton.initial, edges, automaton.sets))


def renumber(automaton: Automaton) -> Automaton:
    """The automaton of the reachable states, numbered in the order of a breadth-first search."""
    initial = tuple(dict.fromkeys(automaton.initial))
    number_of = {state: number for number, state in enumerate(initial)}
    order = list(initial)
    for state in order:
        for _, _, target in automaton.edges[state]:
            if target not in number_of:
                number_of[target] = len(order)
                order.append(target)
    edges = [[(guard, marks, number_of[target]) for guard, marks, target in automaton.edges[state]] for state in order]
    return Automaton(automaton.alphabet, tuple(range(len(initial))), edges, automaton.sets)
