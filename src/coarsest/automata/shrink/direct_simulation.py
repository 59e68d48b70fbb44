"""Direct simulation of automata, forwards and backwards, and the smaller automata that it gives.

A state simulates another if it can copy each of its steps with at least the same marks, for ever (forwards), or if each path to
the other has a copy to it with at least the same marks (backwards). States that simulate each other become one; an edge is left
out if another one from the same source leads, with no fewer marks, to a state that simulates its target.

Reference: Etessami, Wilke, Schuller, Fair simulation relations, parity games, and state space reduction for Büchi automata, 2005;
           Bustan, Grumberg, Simulation-based minimization, 2003 (little brothers);
           Babiak, Badie, Duret-Lutz, Křetínský, Strejček, 2013 (on edges, and backwards).
Symbols:   `above[p]` is the bit set of the states that may simulate p.
Invariant: the greatest simulation is contained in `above`.
Deviates:  letters are handled as guards: a step is copied by several edges together.
Cost:      rounds × pairs of states × products of their edges; meant for automata of formulas, not for large ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from coarsest.automata.automaton import Automaton, Edge, Edges, united
from coarsest.run import Run

STATES_PER_STEP: Final = 32
"""Progress is reported once per this many states."""


def greatest_simulation(edges: Edges, above: Sequence[int], run: Run) -> list[int]:
    """For each state the states that simulate it, among those allowed by `above`."""
    above = list(above)
    changed = True
    while changed:
        changed = False
        for state, own in enumerate(edges):
            if state % STATES_PER_STEP == 0:
                run.step("simulation", states=len(edges), compared=state)
            candidates = above[state] & ~(1 << state)
            while candidates:
                lowest = candidates & -candidates
                candidates ^= lowest
                if not _copies(edges[lowest.bit_length() - 1], own, above):
                    above[state] ^= lowest
                    changed = True
    return above


def _copies(others: Sequence[Edge], own: Sequence[Edge], above: Sequence[int]) -> bool:
    """Can every step along `own` be copied along `others`, as far as `above` knows?"""
    for guard, marks, target in own:
        rest: Any = guard
        may = above[target]
        for other_guard, other_marks, other_target in others:
            if may >> other_target & 1 and marks & ~other_marks == 0:
                copied = rest & other_guard
                if copied:
                    rest = rest ^ copied
                    if not rest:
                        break
        if rest:
            return False
    return True


def _representatives(above: Sequence[int]) -> list[int]:
    """For each state the first one that it simulates and that simulates it."""
    first: list[int] = []
    for state, candidates in enumerate(above):
        equal = next(other for other in _members(candidates) if above[other] >> state & 1)
        first.append(min(equal, state))
    return first


def _members(states: int) -> list[int]:
    members = []
    while states:
        lowest = states & -states
        members.append(lowest.bit_length() - 1)
        states ^= lowest
    return members


def reduce_forwards(automaton: Automaton, run: Run) -> Automaton:
    """One state per class of mutual simulation, and no edge to a little brother."""
    everything = (1 << automaton.states) - 1
    above = greatest_simulation(automaton.edges, [everything] * automaton.states, run)
    representative = _representatives(above)
    edges = [
        _without_little_brothers([(guard, marks, representative[target]) for guard, marks, target in own], above)
        if representative[state] == state
        else []
        for state, own in enumerate(automaton.edges)
    ]
    initial = {representative[state] for state in automaton.initial}
    best = tuple(state for state in sorted(initial) if not any(above[state] >> other & 1 for other in initial if other != state))
    return Automaton(automaton.alphabet, best, edges, automaton.sets)


def _without_little_brothers(edges: Sequence[Edge], above: Sequence[int]) -> list[Edge]:
    own = united(edges)
    proper: list[Edge] = []
    for edge in own:
        letters, marks, target = cast("Any", edge[0]), edge[1], edge[2]
        for other in own:
            if other is not edge and marks & ~other[1] == 0 and above[target] >> other[2] & 1:
                letters = letters ^ (letters & other[0])
                if not letters:
                    break
        else:
            proper.append((letters, marks, target))
    return proper


def reduce_backwards(automaton: Automaton, run: Run, *, state_based: bool = False) -> Automaton:
    """The same for the reversed automaton. With `state_based`, only states with the same marks are compared."""
    count = automaton.states
    reversed_edges: list[list[Edge]] = [[] for _ in range(count)]
    for source, own in enumerate(automaton.edges):
        for guard, marks, target in own:
            reversed_edges[target].append((guard, marks, source))
    initial = sum(1 << state for state in automaton.initial)
    everything = (1 << count) - 1
    above = [initial if initial >> state & 1 else everything for state in range(count)]
    if state_based:
        by_marks: dict[int, int] = {}
        for state in range(count):
            marks = automaton.state_marks(state)
            by_marks[marks] = by_marks.get(marks, 0) | 1 << state
        above = [above[state] & by_marks[automaton.state_marks(state)] for state in range(count)]
    above = greatest_simulation(reversed_edges, above, run)
    representative = _representatives(above)
    edges: list[list[Edge]] = [[] for _ in range(count)]
    for target, own in enumerate(reversed_edges):
        if representative[target] == target:
            mapped = [(guard, marks, representative[source]) for guard, marks, source in own]
            for guard, marks, source in _without_little_brothers(mapped, above):
                edges[source].append((guard, marks, target))
    starts = tuple(sorted({representative[state] for state in automaton.initial}))
    return Automaton(automaton.alphabet, starts, edges, automaton.sets)
