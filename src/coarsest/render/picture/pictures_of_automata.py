"""Assertion graphs and automata as pictures."""

from __future__ import annotations

from coarsest.automata.automaton import Automaton
from coarsest.logic.expr import TRUE
from coarsest.logic.show import show
from coarsest.model.assertion_graph import AssertionGraph, Vertex
from coarsest.render.picture.picture import Picture, PictureEdge, PictureNode, wrapped

DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
"""Raised numbers distinguish acceptance sets."""


def picture_of_assertion_graph(graph: AssertionGraph) -> Picture:
    """Vertices show antecedent and consequent; final ones and those of a single fair set have a double border."""
    accepting = graph.final | (graph.fair[0] if len(graph.fair) == 1 else frozenset())
    nodes = []
    for number, vertex in enumerate(graph.vertices):
        sets = [place for place, members in enumerate(graph.fair) if number in members]
        marks = "".join(raised(place) for place in sets) if len(graph.fair) > 1 else ""
        lines = (f"{vertex.name}{marks}", *_conditions(vertex))
        tooltip = f"{vertex.name}\nantecedent: {show(vertex.antecedent)}\nconsequent: {show(vertex.consequent)}"
        nodes.append(PictureNode(vertex.name, lines, number in graph.initial, number in accepting, tooltip=tooltip))
    names = [vertex.name for vertex in graph.vertices]
    edges = tuple(PictureEdge(names[source], names[target]) for source, target in sorted(graph.edges))
    return Picture(graph.name, tuple(nodes), edges, notes=tuple(_acceptance(graph)))


def _conditions(vertex: Vertex) -> list[str]:
    lines: list[str] = []
    if vertex.antecedent != TRUE:
        lines += wrapped(f"if {show(vertex.antecedent)}")
    if vertex.consequent != TRUE:
        lines += wrapped(f"must {show(vertex.consequent)}")
    return lines


def _acceptance(graph: AssertionGraph) -> list[str]:
    if graph.final:
        return ["double border: final"]
    if len(graph.fair) == 1:
        return ["double border: met again and again"]
    return [f"{raised(place)} fair set: {', '.join(graph.names_of(sorted(m)))}" for place, m in enumerate(graph.fair)]


def picture_of_automaton(automaton: Automaton, title: str) -> Picture:
    """Edges show guards; accepting states or edges are marked."""
    on_states = automaton.is_state_based and automaton.sets == 1
    initial = set(automaton.initial)
    nodes = tuple(
        PictureNode(str(state), (str(state),), state in initial, on_states and bool(automaton.state_marks(state)))
        for state in range(automaton.states)
    )
    edges = []
    for state, edges_out in enumerate(automaton.edges):
        for guard, marks, target in edges_out:
            text = show(automaton.alphabet.expr(guard))
            sets = [place for place in range(automaton.sets) if marks >> place & 1]
            label = text if on_states else f"{text} {''.join(map(raised, sets))}".rstrip()
            edges.append(PictureEdge(str(state), str(target), label, accepting=bool(sets) and not on_states, tooltip=text))
    return Picture(title, nodes, tuple(edges), notes=(_runs(automaton, on_states=on_states),))


def _runs(automaton: Automaton, *, on_states: bool) -> str:
    if automaton.sets == 0:
        return "every run is accepting"
    if on_states:
        return "a run is accepting if it meets a double border again and again"
    names = ", ".join(map(raised, range(automaton.sets)))
    return f"a run is accepting if it takes edges marked {names} again and again"


def raised(number: int) -> str:
    """A small mark for the acceptance set of this number, counted from 1.

    >>> raised(0), raised(11)
    ('¹', '¹²')
    """
    return "".join(DIGITS[int(digit)] for digit in str(number + 1))


