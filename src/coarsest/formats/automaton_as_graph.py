"""Automata as explicit graphs: edges with one guard and the same marks have the same action.

The name of an action is the guard over the names of the atomic propositions, and the acceptance sets of the edge behind it, if
it is in any. Two guards are the same action if they are true of the same letters, however they are written. None is internal:
the proposition `i` is no name of the internal action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coarsest.automata.automaton import Automaton
from coarsest.logic.letters.guards import Alphabet, Guard
from coarsest.logic.show import show

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


def automaton_to_graph(automaton: Automaton) -> Graph:
    """The automaton without its meaning: states, guards and marks."""
    import numpy as np

    from coarsest.lts.labelled import Graph

    numbers: dict[tuple[Guard, int], int] = {}
    rows = [
        (state, numbers.setdefault((guard, marks), len(numbers)), target)
        for state, edges in enumerate(automaton.edges)
        for guard, marks, target in edges
    ]
    names = tuple(_name(automaton, guard, marks) for guard, marks in numbers)
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Graph.from_edges(automaton.states, *columns, initial=automaton.initial, action_names=names or ("",))


def _name(automaton: Automaton, guard: Guard, marks: int) -> str:
    from coarsest.lts.union import visible

    sets = "".join(f" {{{number}}}" for number in range(automaton.sets) if marks >> number & 1)
    return visible(guard_name(automaton.alphabet, guard) + sets)


def guard_name(alphabet: Alphabet, guard: Guard) -> str:
    """A guard over the names of the atomic propositions."""
    atoms = [show(atom) for atom in alphabet.atoms]
    cubes = []
    for true, false in alphabet.cover(guard):
        literals = [f"{'' if true >> k & 1 else '!'}{atom}" for k, atom in enumerate(atoms) if (true | false) >> k & 1]
        cubes.append(" & ".join(literals) or "true")
    return " | ".join(cubes) or "false"
