"""Büchi automata of RABIT as automata on words, and back: their letters are the names of actions, or classes of letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coarsest.automata.automaton import Automaton, Edge
from coarsest.automata.listed import letter_classes
from coarsest.errors import Unsupported
from coarsest.formats.automaton_as_graph import guard_name
from coarsest.formats.ba.read import LABELS
from coarsest.logic.letters.named import NamedLetters

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


def graph_to_automaton(graph: Graph) -> Automaton:
    """The automaton of a graph from a `.ba` file; the label of a state says whether it is accepting.

    >>> from coarsest.formats.ba.read import parse
    >>> automaton = graph_to_automaton(parse(b"p\\na,p->q\\nb,q->p\\nq\\n"))
    >>> automaton.edges, automaton.alphabet.names
    ([[(1, 0, 1)], [(2, 1, 0)]], ('a', 'b'))
    """
    guards: list[dict[int, int]] = [{} for _ in range(graph.states)]
    for source, action, target in zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()):
        guards[source][target] = guards[source].get(target, 0) | 1 << action
    marks = graph.labels.tolist()
    edges: list[list[Edge]] = [[(guard, mark, to) for to, guard in own.items()] for own, mark in zip(guards, marks)]
    return Automaton(NamedLetters(graph.action_names), tuple(graph.initial.tolist()), edges, 1)


def automaton_to_graph(automaton: Automaton) -> Graph:
    """The graph to be written to a `.ba` file; the automaton has acceptance on states. Letters that no guard distinguishes
    become one letter, named by the guard of exactly these letters."""
    import numpy as np

    from coarsest.lts.labelled import Graph

    alphabet = automaton.alphabet
    classes: list[Any] | None = letter_classes(automaton)
    if classes is None:
        raise Unsupported("this format cannot hold an automaton with this many letters", hint="write .hoa instead")
    if isinstance(alphabet, NamedLetters):
        names, classes = alphabet.names, [1 << letter for letter in range(len(alphabet.names))]
    else:
        names = tuple(guard_name(alphabet, guard) for guard in classes)
    rows = [
        (source, letter, target)
        for source, own in enumerate(automaton.edges)
        for guard, _, target in own
        for letter, single in enumerate(classes)
        if single & guard
    ]
    if not any(marks == automaton.all_sets for own in automaton.edges for _, marks, _ in own):
        # Nothing is accepted. In a file that lists no accepting states, all are accepting, so there must be no transitions.
        return Graph.from_edges(1, [], [], [], initial=[0], labels=[1], action_names=names or ("",), label_names=LABELS)
    labels = [int(automaton.state_marks(state) == automaton.all_sets) for state in range(automaton.states)]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Graph.from_edges(
        automaton.states, *columns, initial=automaton.initial, labels=labels, action_names=names or ("",), label_names=LABELS
    )
