"""Alternatives postponed: one state for several states that the same letter leads to with the same marks.

Reference: Rabin, Scott, Finite automata and their decision problems, 1959 (subsets).
Symbols:   a subset is a bit set of states; an edge is transient if it leaves a component.
Invariant: a subset accepts the words that one of its states accepts.
Deviates:  a letter is taken together with the marks of an edge: an infinite path of subsets contains an infinite path of states
           (König) with the same marks, except on transient edges, which are finitely many and may have any marks. States that
           another one in the subset simulates are left out, but only if that one is in the same component or a later one:
           otherwise a run could take transient edges for ever.
Cost:      exponential at worst; the number of subsets is limited.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coarsest.automata.automaton import Automaton, Edge, united
from coarsest.automata.shrink.direct_simulation import greatest_simulation
from coarsest.automata.tidy import components_of
from coarsest.run import Run


def join_alternatives(automaton: Automaton, run: Run, *, most: int, everywhere: bool) -> Automaton | None:
    """The automaton of the subsets, or None if there are more than `most`.

    The targets of transient edges join the alternatives with most marks, or, if `everywhere`, those with any marks.
    """
    _, component_of = components_of(automaton)  # numbered from the last to the first
    not_before = [sum(1 << other for other, theirs in enumerate(component_of) if theirs <= own) for own in component_of]
    simulated = greatest_simulation(automaton.edges, [(1 << automaton.states) - 1] * automaton.states, run)
    above = [states & allowed for states, allowed in zip(simulated, not_before)]
    start = _strongest(sum(1 << state for state in automaton.initial), above)
    number, subsets = {start: 0}, [start]
    edges: list[list[Edge]] = []
    for subset in subsets:
        own: list[Edge] = []
        for letters, targets in _classes(automaton, subset, component_of):
            for marks, joined in _joined(targets, everywhere=everywhere):
                target = _strongest(joined, above)
                if target not in number:
                    number[target] = len(subsets)
                    subsets.append(target)
                own.append((letters, marks, number[target]))
        edges.append(united(own))
        if len(subsets) > most or len(edges[-1]) > most:
            return None
    return Automaton(automaton.alphabet, (0,), edges, automaton.sets)


Targets = dict[int, int]
"""Subsets by the marks of the edges that lead to them; the key of transient edges is -1."""


def _classes(automaton: Automaton, subset: int, component_of: Sequence[int]) -> list[tuple[Any, Targets]]:
    """Classes of letters, each with its targets."""
    classes: list[tuple[Any, Targets]] = [(automaton.alphabet.full, {})]
    for state in range(automaton.states):
        if not subset >> state & 1:
            continue
        for guard, marks, target in automaton.edges[state]:
            kind = marks if component_of[state] == component_of[target] else -1
            cut: list[tuple[Any, Targets]] = []
            for letters, targets in classes:
                inside = letters & guard
                if inside:
                    cut.append((inside, {**targets, kind: targets.get(kind, 0) | 1 << target}))
                if inside != letters:
                    cut.append((letters ^ inside, targets))
            classes = cut
    return classes


def _joined(targets: Targets, *, everywhere: bool) -> list[tuple[int, int]]:
    leaving = targets.get(-1, 0)
    staying = {marks: subset for marks, subset in targets.items() if marks >= 0}
    if not staying:
        return [(0, leaving)] if leaving else []
    best = max(staying, key=int.bit_count)
    return [(marks, subset | leaving if everywhere or marks == best else subset) for marks, subset in staying.items()]


def _strongest(subset: int, above: Sequence[int]) -> int:
    """The maximal states of a subset, and a single one of several that are above each other."""
    strongest = subset
    for state in range(subset.bit_length()):
        if subset >> state & 1:
            others = above[state] & strongest & ~(1 << state)
            if others:
                strongest ^= 1 << state
    return strongest
