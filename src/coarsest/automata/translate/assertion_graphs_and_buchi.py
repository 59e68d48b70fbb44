"""Assertion graphs as Büchi automata for the violating sequences, and Büchi automata as assertion graphs.

Reference: Sebastiani, Singerman, Tonetta, Vardi 2004, theorems 1 to 4.
Symbols:   a state (v, k) of the automaton is the number 3v + k; L is the guard of the edges that leave it; 𝓕' are its marks.
Invariant: k is 0 as long as the antecedents hold, 1 where the violated consequent is, and 2 after that.
Deviates:  guards stand on edges here: L(v) is the guard of every edge out of v, and the marks of these edges are the sets that v
           belongs to. Back again, edges out of a state with the same guard and the same marks are one vertex.
           A finite word is accepted if the last edge of a run on it is marked: so a vertex needs an edge out of it, and a
           vertex without one first gets an edge to a vertex whose antecedent never holds.
           With no fair set at all theorem 2 would accept runs that stay at k = 0 for ever; the set of all vertices is taken
           then, which says the same.
Cost:      linear: three states for each vertex, four edges for each edge; back, one vertex for each guard of a state.
"""

from __future__ import annotations

from typing import Any, Final

from coarsest.automata.automaton import Automaton, Edge
from coarsest.automata.tidy import renumber, tidy_states
from coarsest.errors import ModelProblem
from coarsest.logic.expr import FALSE, Apply, Expr
from coarsest.logic.linear.ltl_from_expr import from_expr, read_formula
from coarsest.model.assertion_graph import AssertionGraph, Semantics, Vertex, check_assertion_graph, made_total

COUNTS: Final = (0, 1, 2)
AFTER = {0: (0, 1), 1: (2,), 2: (2,)}
"""How the count goes on along an edge."""


def violations_of(graph: AssertionGraph, semantics: Semantics) -> Automaton:
    """Theorems 1 and 2: an automaton that accepts exactly the sequences that do not satisfy the graph.

    In the finite semantics it is to be read on finite words: one is accepted if the last edge of some run on it is marked.

    >>> from coarsest.logic.expr import Name
    >>> from coarsest.logic.show import show
    >>> graph = AssertionGraph("g", (Vertex("v", Name("a"), Name("c")),), frozenset({(0, 0)}), frozenset({0}))
    >>> found = violations_of(graph, Semantics.FAIR)
    >>> found.initial, [(show(found.alphabet.expr(edges[0][0])), found.state_marks(s)) for s, edges in enumerate(found.edges)]
    ((0, 1), [('a', 0), ('a & !c', 0), ('a', 1)])
    """
    check_assertion_graph(graph, semantics)
    accepting = graph.accepting(semantics)
    graph = made_total(graph)
    table = from_expr(Apply("and", tuple(graph.conditions))).table
    edges: list[list[Edge]] = []
    for vertex, successors in enumerate(graph.successors):
        at = graph.vertices[vertex]
        holds, meets = (read_formula(condition, table).guard for condition in (at.antecedent, at.consequent))
        for count in COUNTS:
            label: Any = holds & table.alphabet.complement(meets) if count == 1 else holds
            marks = _marks(vertex, count, accepting, semantics)
            targets = [3 * successor + after for successor in successors for after in AFTER[count]]
            edges.append([(label, marks, target) for target in targets if label])
    initial = tuple(3 * vertex + count for vertex in sorted(graph.initial) for count in (0, 1))
    return Automaton(table.alphabet, initial, edges, len(accepting))


def violating_paths(graph: AssertionGraph, semantics: Semantics) -> Automaton:
    """An automaton for the infinite sequences that do not satisfy the graph: in the finite semantics, those with a bad prefix.

    >>> from coarsest.logic.expr import Name
    >>> graph = AssertionGraph("g", (Vertex("v", consequent=Name("c")),), frozenset(), frozenset({0}), frozenset({0}))
    >>> found = violating_paths(graph, Semantics.FINITE)
    >>> found.states, found.edge_count
    (2, 2)
    """
    violating = violations_of(graph, semantics)
    if semantics is Semantics.FAIR:
        return _useful(violating)
    bad, full = violating.states, violating.alphabet.full
    edges: list[list[Edge]] = []
    for own in violating.edges:
        last = [guard for guard, marks, _ in own if marks]  # a prefix may end with such an edge, and whatever comes is bad
        edges.append([(guard, 0, target) for guard, _, target in own] + [(guard, 0, bad) for guard in dict.fromkeys(last)])
    edges.append([(full, 1, bad)])
    return _useful(Automaton(violating.alphabet, violating.initial, edges, 1))


def _useful(automaton: Automaton) -> Automaton:
    """The automaton without states that accept nothing."""
    tidied = tidy_states(automaton)
    initial = tuple(state for state in tidied.initial if tidied.edges[state])
    return renumber(Automaton(tidied.alphabet, initial, tidied.edges, tidied.sets))


def _marks(vertex: int, count: int, accepting: tuple[frozenset[int], ...], semantics: Semantics) -> int:
    """𝓕': F × {1, 2} in the finite semantics, every F_j × {2} in the fair one."""
    counts = (1, 2) if semantics is Semantics.FINITE else (2,)
    return sum(1 << number for number, members in enumerate(accepting) if vertex in members and count in counts)


def assertion_graph_against(automaton: Automaton, semantics: Semantics, *, name: str = "never") -> AssertionGraph:
    """Theorems 3 and 4: a graph satisfied by exactly the sequences that the automaton does not accept.

    In the finite semantics the automaton is read on finite words, as above, and has one acceptance set.
    """
    if semantics is Semantics.FINITE and automaton.sets != 1:
        message = f"on finite words an automaton has one acceptance set, this one has {automaton.sets}"
        raise ModelProblem(message, hint="choose the fair semantics")
    number_of: dict[tuple[int, Any, int], int] = {}
    out_of: list[list[int]] = [[] for _ in automaton.edges]
    for state, edges in enumerate(automaton.edges):
        for guard, marks, _ in edges:
            if (state, guard, marks) not in number_of:
                number_of[state, guard, marks] = len(number_of)
                out_of[state].append(number_of[state, guard, marks])
    vertices = [Vertex(name, antecedent, FALSE) for name, antecedent in _names(automaton, number_of, out_of)]
    steps = {
        (number_of[state, guard, marks], after)
        for state, edges in enumerate(automaton.edges)
        for guard, marks, target in edges
        for after in out_of[target]
    }
    sets = tuple(
        frozenset(number for (_, _, marks), number in number_of.items() if marks >> place & 1) for place in range(automaton.sets)
    )
    final, fair = (sets[0], ()) if semantics is Semantics.FINITE else (frozenset[int](), sets)
    initial = frozenset(vertex for state in automaton.initial for vertex in out_of[state])
    return _completed(AssertionGraph(name, tuple(vertices), frozenset(steps), initial, final, fair), semantics)


def _completed(graph: AssertionGraph, semantics: Semantics) -> AssertionGraph:
    """The graph as definition 1 and the text format want it: what is missing becomes a vertex whose antecedent never holds."""
    dead_ends = graph.dead_ends if semantics is Semantics.FAIR else []
    sets = graph.fair if semantics is Semantics.FAIR else (graph.final,)
    if graph.initial and not dead_ends and all(sets):
        return graph
    nowhere = len(graph.vertices)
    sets = tuple(members or frozenset({nowhere}) for members in sets)
    return AssertionGraph(
        graph.name,
        (*graph.vertices, Vertex("nowhere", FALSE, FALSE)),
        graph.edges | {(vertex, nowhere) for vertex in (*dead_ends, nowhere)},
        graph.initial or frozenset({nowhere}),
        sets[0] if semantics is Semantics.FINITE else frozenset(),
        sets if semantics is Semantics.FAIR else (),
    )


def _names(
    automaton: Automaton, number_of: dict[tuple[int, Any, int], int], out_of: list[list[int]]
) -> list[tuple[str, Expr]]:
    """A name and an antecedent for each vertex: the number of the state, with a second one where it has several vertices."""
    names = []
    for (state, guard, _), number in number_of.items():
        several = len(out_of[state]) > 1
        name = f"s{state}.{out_of[state].index(number)}" if several else f"s{state}"
        names.append((name, automaton.alphabet.expr(guard)))
    return names
