"""Automata as explicit graphs: edges with one guard and the same marks have the same action.

The name of an action is the guard over the names of the atomic propositions, followed by the acceptance sets of the edge, if it
is in any. Two guards are the same action if they are true of the same letters, however they are written. No action is internal:
the proposition `i` does not name the internal action.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from coarsest.automata.automaton import Automaton
from coarsest.logic.letters.alphabet import alphabet_over
from coarsest.logic.letters.guards import Alphabet, Guard
from coarsest.logic.show import show
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.fair import FairGraph
    from coarsest.lts.labelled import Graph


def automaton_to_graph(automaton: Automaton) -> Graph:
    """The automaton without its meaning: states, guards and marks."""
    import numpy as np

    from coarsest.lts.labelled import Graph

    action_of: dict[tuple[Guard, int], int] = {}
    rows = [
        (state, action_of.setdefault((guard, marks), len(action_of)), target)
        for state, edges in enumerate(automaton.edges)
        for guard, marks, target in edges
    ]
    names = tuple(
        _action_name(automaton.alphabet, guard, "".join(f" {{{mark}}}" for mark in range(automaton.sets) if marks >> mark & 1))
        for guard, marks in action_of
    )
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Graph.from_edges(automaton.states, *columns, initial=automaton.initial, action_names=names or ("",))


def _action_name(alphabet: Alphabet, guard: Guard, sets: str = "") -> str:
    from coarsest.lts.union import visible

    return visible(guard_name(alphabet, guard) + sets)


def guard_name(alphabet: Alphabet, guard: Guard) -> str:
    """A guard over the names of the atomic propositions."""
    atoms = [show(atom) for atom in alphabet.atoms]
    cubes = []
    for true, false in alphabet.cover(guard):
        literals = [f"{'' if true >> k & 1 else '!'}{atom}" for k, atom in enumerate(atoms) if (true | false) >> k & 1]
        cubes.append(" & ".join(literals) or "true")
    return " | ".join(cubes) or "false"


def automata_to_fair_graphs(automata: Sequence[Automaton], run: Run) -> list[FairGraph]:
    """Automata as fair graphs over one alphabet: an action is a largest set of letters that no guard distinguishes.

    The marks on a state say which fairness sets it is in. If marks are on edges, a state is in the sets of the edge by which it
    was entered, so that there may be several copies of it.
    """
    letters = alphabet_over(atom for automaton in automata for atom in automaton.alphabet.atoms)
    guards = {(index, guard): _moved(automaton.alphabet, guard, letters)
              for index, automaton in enumerate(automata) for edges in automaton.edges for guard, _, _ in edges}  # fmt: skip
    classes: list[Guard] = [letters.full]
    for guard in dict.fromkeys(guards.values()):
        run.step("letters", classes=len(classes))
        classes = [part for whole in classes for part in (whole & guard, whole & letters.complement(guard)) if part]
    names = tuple(_action_name(letters, letter_class) for letter_class in classes)
    actions = {
        guard: [action for action, letter_class in enumerate(classes) if letter_class & guard]
        for guard in dict.fromkeys(guards.values())
    }
    return [
        _fair_graph(automaton, lambda guard, index=index: actions[guards[index, guard]], names)  # type: ignore[misc]
        for index, automaton in enumerate(automata)
    ]


def _moved(alphabet: Alphabet, guard: Guard, letters: Alphabet) -> Guard:
    """The same guard over an alphabet with more atoms."""
    moved: Guard = letters.empty
    for true, false in alphabet.cover(guard):
        cube: Guard = letters.full
        for k, atom in enumerate(alphabet.atoms):
            if true >> k & 1:
                cube = cube & letters.of_atom(atom)
            elif false >> k & 1:
                cube = cube & letters.complement(letters.of_atom(atom))
        moved = moved | cube
    return moved


def _fair_graph(automaton: Automaton, letters_of: Callable[[Guard], list[int]], names: tuple[str, ...]) -> FairGraph:
    import numpy as np

    from coarsest.lts.fair import FairGraph
    from coarsest.lts.labelled import Graph

    by_states = automaton.is_state_based
    copies = {(state, automaton.state_marks(state) if by_states else 0): k for k, state in enumerate(automaton.initial)}
    listed, rows = list(copies), []
    for copy in listed:
        for guard, marks, target in automaton.edges[copy[0]]:
            following = (target, automaton.state_marks(target) if by_states else marks)
            if following not in copies:
                copies[following] = len(copies)
                listed.append(following)
            rows += [(copies[copy], letter, copies[following]) for letter in letters_of(guard)]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    graph = Graph.from_edges(len(listed), *columns, initial=list(range(len(automaton.initial))), action_names=names)
    members = [np.array([marks >> mark & 1 for _, marks in listed], dtype=np.bool_) for mark in range(automaton.sets)]
    return FairGraph(graph, tuple(members))
