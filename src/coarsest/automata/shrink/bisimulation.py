"""Merging states with the same edges until nothing changes: the quotient by bisimulation.

Reference: Kanellakis, Smolka, CCS expressions, finite state processes, and three problems of equivalence, 1990 (naive method).
Symbols:   the signature of a state is the set of its edges, with targets replaced by their blocks.
Invariant: bisimilar states are in one block.
Deviates:  marks belong to the signature.
Cost:      rounds × edges, with at most as many rounds as states.
"""

from __future__ import annotations

from coarsest.automata.automaton import Automaton, Edge, united
from coarsest.automata.tidy import renumber


def merge_bisimilar(automaton: Automaton) -> Automaton:
    """One state for each block of states that behave alike."""
    blocks = [0] * automaton.states
    count = 1
    while True:
        number: dict[object, int] = {}
        signatures = [united((guard, marks, blocks[target]) for guard, marks, target in own) for own in automaton.edges]
        blocks = [number.setdefault(frozenset(signature), len(number)) for signature in signatures]
        if len(number) == automaton.states:
            return automaton
        if len(number) == count:
            break
        count = len(number)
    edges: list[list[Edge]] = [[] for _ in range(count)]
    for block, signature in zip(blocks, signatures):
        if not edges[block]:
            edges[block] = signature
    return renumber(Automaton(automaton.alphabet, tuple(blocks[state] for state in automaton.initial), edges, automaton.sets))
