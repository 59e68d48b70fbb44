"""Assertion graphs and Büchi automata beside explicit systems, from definitions 3 and 4: all paths by search in the product.

Nothing is shared with the package but the classes that hold graphs and automata. A violation is looked for forwards, with one bit
that remembers whether a consequent has been violated so far; infinite paths are found by components.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from coarsest.automata.automaton import Automaton
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.model.assertion_graph import AssertionGraph
from oracles.fair_graphs import FairGraph, reachable

Node = Hashable


class System(Struct, frozen=True, dict=True):
    """A system <S, S_I, T> with fairness, and what is true where; finite traces end in any state, or only in those of `ends`."""

    initial: set[Any]
    graph: FairGraph[Any]
    where: Callable[[Expr], set[Any]]
    ends: set[Any] | None = None

    def may_end(self, state: Any) -> bool:
        return self.ends is None or state in self.ends


def word(letters: Sequence[frozenset[str]], loop: int | None) -> System:
    """One sequence of states, each with the names that are true in it; without a loop, it ends with the last."""
    count = len(letters)
    after: dict[int, list[int]] = {place: [place + 1] for place in range(count - 1)}
    after[count - 1] = [] if loop is None else [loop]
    return System({0}, FairGraph(after), lambda expr: {i for i in range(count) if holds(expr, letters[i])}, {count - 1})


def holds(expr: Expr, true: frozenset[str]) -> bool:
    """A boolean combination of names."""
    match expr:
        case Constant(bool(value)):
            return value
        case Name(name):
            return name in true
        case Apply(op, args):
            values = [holds(arg, true) for arg in args]
            return {"not": not values[0], "and": all(values), "or": any(values)}[op]
    raise AssertionError(expr)


def refutes(system: System, graph: AssertionGraph, *, fair: bool) -> bool:
    """Has the system a trace that does not satisfy the graph?"""
    antecedent = [system.where(vertex.antecedent) for vertex in graph.vertices]
    consequent = [system.where(vertex.consequent) for vertex in graph.vertices]
    every = range(len(graph.vertices))
    edges = {v: [w for w in every if (v, w) in graph.edges] for v in every}
    pairs = [(s, v) for v in every for s in antecedent[v]]
    after = {(s, v): [(t, w) for t in system.graph.after[s] for w in edges[v] if t in antecedent[w]] for s, v in pairs}
    going_on = _infinite(system, after, _fair_sets(graph, after)) if fair else set()
    start = {(s, v, s not in consequent[v]) for s in system.initial for v in graph.initial if s in antecedent[v]}
    flagged = {
        (s, v, bad): [(t, w, bad or t not in consequent[w]) for t, w in successors]
        for (s, v), successors in after.items()
        for bad in (False, True)
    }
    final = graph.final or frozenset().union(*graph.fair)
    for s, v, bad in reachable(flagged, start):
        if bad and ((s, v) in going_on if fair else v in final and system.may_end(s)):
            return True
    return False


def _fair_sets(graph: AssertionGraph, after: Mapping[Any, Any]) -> list[set[Any]]:
    sets = graph.fair or ((graph.final,) if graph.final else ())
    return [{(s, v) for s, v in after if v in members} for members in sets]


def _infinite(system: System, after: Mapping[Any, Sequence[Any]], sets: Sequence[set[Any]]) -> set[Any]:
    """The nodes of a product, each a tuple with the state first, from which a path goes on that is fair on both sides."""

    def lifted(states: set[Any]) -> set[Any]:
        return {node for node in after if node[0] in states}

    justice = [*sets, *map(lifted, system.graph.justice)]
    compassion = [(lifted(p), lifted(q)) for p, q in system.graph.compassion]
    return FairGraph(after, justice, compassion).with_fair_path(set(after))


def accepts_some(system: System, automaton: Automaton, *, fair: bool) -> bool:
    """Has the system a trace that the automaton accepts? A finite one is accepted if the last edge on it is marked."""
    edges = [(q, guard, marks, r) for q, out in enumerate(automaton.edges) for guard, marks, r in out]
    atoms = [system.where(atom) for atom in automaton.alphabet.atoms]
    letter = {s: sum(1 << i for i, true in enumerate(atoms) if s in true) for s in system.graph.after}
    read = {(s, e) for s in letter for e, edge in enumerate(edges) if automaton.alphabet.contains(edge[1], letter[s])}
    follow = [[f for f, edge in enumerate(edges) if edge[0] == target] for *_, target in edges]
    after = {(s, e): [(t, f) for t in system.graph.after[s] for f in follow[e] if (t, f) in read] for s, e in read}
    start = {(s, e) for s, e in read if s in system.initial and edges[e][0] in automaton.initial}
    found = reachable(after, start)
    if not fair:
        return any(edges[e][2] & 1 and system.may_end(s) for s, e in found)
    sets = [{(s, e) for s, e in read if edges[e][2] >> number & 1} for number in range(automaton.sets)]
    return bool(start & _infinite(system, after, sets))
