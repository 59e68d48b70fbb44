"""Relations that abstract from internal steps, slowly, from their definitions: weak steps listed, fixpoints over pairs."""

from __future__ import annotations

from itertools import product

from coarsest.lts.labelled import Graph
from oracles.graph_relations import Pair, labels, steps


class Weak:
    """The weak steps of a graph."""

    def __init__(self, graph: Graph) -> None:
        self.states = range(graph.states)
        self.labels = labels(graph)
        self.steps = steps(graph)
        self.actions = sorted({action for out in self.steps for action, _ in out} - {"i"})
        self.silent = [self._closure({s}) for s in self.states]

    def _closure(self, start: set[int]) -> set[int]:
        reached = set(start)
        while True:
            more = reached | {t for s in reached for a, t in self.steps[s] if a == "i"}
            if more == reached:
                return reached
            reached = more

    def after(self, state: int, action: str) -> set[int]:
        """⇒a⇒, or ⇒ for the internal action."""
        if action == "i":
            return self.silent[state]
        return self._closure({t for s in self.silent[state] for a, t in self.steps[s] if a == action})

    def cycles(self) -> set[int]:
        """States on silent cycles."""
        return {s for s in self.states if any(a == "i" and s in self.silent[t] for a, t in self.steps[s])}

    def divergent(self, state: int) -> set[int]:
        """What is reached by silent steps through a state on a silent cycle."""
        return {t for s in self.silent[state] & self.cycles() for t in self.silent[s]}

    def same_labels(self) -> set[Pair]:
        return {(s, t) for s, t in product(self.states, repeat=2) if self.labels[s] == self.labels[t]}


def _simulates(weak: Weak, relation: set[Pair], s: int, t: int) -> bool:
    return all(
        any((x, y) in relation for y in weak.after(t, action)) for action in ("i", *weak.actions) for x in weak.after(s, action)
    )


def _diverges_alike(weak: Weak, relation: set[Pair], s: int, t: int) -> bool:
    return all(any((x, y) in relation for y in weak.divergent(t)) for x in weak.divergent(s))


def weak_bisimulation(graph: Graph, *, divergence: bool = False) -> set[Pair]:
    """The greatest symmetric relation such that weak steps are answered by weak steps, and divergences, if they count, too."""
    weak = Weak(graph)
    relation = weak.same_labels()
    while True:
        turned = {(t, s) for s, t in relation}
        fewer = {
            (s, t)
            for s, t in relation
            if _simulates(weak, relation, s, t)
            and _simulates(weak, turned, t, s)
            and (not divergence or (_diverges_alike(weak, relation, s, t) and _diverges_alike(weak, turned, t, s)))
        }
        if fewer == relation:
            return relation
        relation = fewer


def weak_simulation(graph: Graph) -> set[Pair]:
    """The greatest relation such that weak steps of the first are answered by weak steps of the second."""
    weak = Weak(graph)
    relation = weak.same_labels()
    while True:
        fewer = {(s, t) for s, t in relation if _simulates(weak, relation, s, t)}
        if fewer == relation:
            return relation
        relation = fewer


def coupled_simulation(graph: Graph) -> set[Pair]:
    """The same, where silent steps lead from the second to a state that is related to the first."""
    weak = Weak(graph)
    relation = weak.same_labels()
    while True:
        fewer = {
            (s, t)
            for s, t in relation
            if _simulates(weak, relation, s, t) and any((u, s) in relation for u in weak.silent[t])
        }
        if fewer == relation:
            return relation
        relation = fewer
