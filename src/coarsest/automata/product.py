"""The synchronous product: both automata read the same word.

Reference: Choueka, Theories of automata on ω-tapes: a simplified approach, 1974.
Symbols:   –
Invariant: the sets of the left automaton keep their numbers, those of the right one come after them.
Deviates:  only reachable pairs are made.
Cost:      pairs of states × pairs of edges.
"""

from __future__ import annotations

from coarsest.automata.automaton import Automaton, Edge


def product(left: Automaton, right: Automaton) -> Automaton:
    """An automaton for the words that both accept. They must have the same alphabet object."""
    if left.alphabet is not right.alphabet:
        raise ValueError("the automata have different alphabets")
    pairs = [(state, other) for state in left.initial for other in right.initial]
    number = {pair: index for index, pair in enumerate(pairs)}
    initial = tuple(range(len(pairs)))
    edges: list[list[Edge]] = []
    for state, other in pairs:
        own: list[Edge] = []
        for guard, marks, target in left.edges[state]:
            for other_guard, other_marks, other_target in right.edges[other]:
                both = guard & other_guard
                if both:
                    pair = (target, other_target)
                    if pair not in number:
                        number[pair] = len(pairs)
                        pairs.append(pair)
                    own.append((both, marks | other_marks << left.sets, number[pair]))
        edges.append(own)
    return Automaton(left.alphabet, initial, edges, left.sets + right.sets)
