"""GSTE on abstract states: unknown bits instead of sets of states, images that are functions.

Reference: Yang, Seger 2002; Sebastiani, Singerman, Tonetta, Vardi 2004, figure 4.
Symbols:   α is `reached`; ant and cons are evaluated on rails.
Invariant: α(v) allows every state that some initial trace of the circuit reaches at v along the antecedents, and grows.
Deviates:  states, not sets of states, stand at the vertices: what paths bring together at one is their common abstraction.
           By definition 4 a violation counts where its path goes on to acceptance: that is looked for from the violating part
           of the state alone, again on abstract states, and fairness of the circuit is not looked at. So what holds here
           holds; what may fail here need not fail.
Cost:      one step of the circuit for each vertex that has changed, in each round; the same again for each possible violation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic

from msgspec import Struct

from coarsest.bdd.protocol import F
from coarsest.model.assertion_graph import AssertionGraph, Semantics
from coarsest.run import Run
from coarsest.space.ternary.ternary_circuit import Abstract, TernaryCircuit
from coarsest.space.ternary.ternary_refine import TernaryRefinement


class Suspicion(Struct, Generic[F], frozen=True):
    """A vertex where the consequent may be violated after some steps, and where in its abstract state."""

    vertex: int
    steps: int
    state: Abstract[F]
    where: F


class TernaryOutcome(Struct, Generic[F], frozen=True):
    """The graph holds if nothing is suspected. `reached` are the vertices that have a state."""

    suspicion: Suspicion[F] | None
    rounds: int
    reached: frozenset[int]


def gste_ternary(circuit: TernaryCircuit[F], graph: AssertionGraph, semantics: Semantics, run: Run) -> TernaryOutcome[F]:
    """Follow all paths of the graph at once; stop where a consequent may be violated on a path that can be accepting."""
    false = circuit.manager.false
    counting = leading_to_acceptance(graph, semantics)
    search = _Search(circuit, graph, run)
    start = circuit.initial()
    for constraint in circuit.machine.initial_constraints:
        start = search.refinement.where(start, constraint)
    for vertex, state in search.spread(dict.fromkeys(sorted(graph.initial), start)):
        if vertex not in counting:
            continue
        violating = search.refinement.where(state, graph.vertices[vertex].consequent, holds=False)
        if violating.domain != false and _can_be_accepted(_Search(circuit, graph, run), semantics, vertex, violating):
            suspicion = Suspicion(vertex, search.rounds, state, violating.domain)
            return TernaryOutcome(suspicion, search.rounds, frozenset(search.reached))
    return TernaryOutcome(None, search.rounds, frozenset(search.reached))


class _Search(Generic[F]):
    """Paths of the graph followed all at once, from some abstract states at vertices."""

    def __init__(self, circuit: TernaryCircuit[F], graph: AssertionGraph, run: Run) -> None:
        self.circuit, self.graph, self.run = circuit, graph, run
        self.refinement = TernaryRefinement(circuit)
        self.reached: dict[int, Abstract[F]] = {}
        self.rounds = 0

    def spread(self, arriving: dict[int, Abstract[F]]) -> Iterator[tuple[int, Abstract[F]]]:
        """The vertices and what has become possible there, whenever that has changed."""
        circuit, manager = self.circuit, self.circuit.manager
        while arriving:
            self.run.step("ternary GSTE", vertices=len(self.reached), nodes=manager.live_nodes)
            changed = []
            for vertex, state in arriving.items():
                state = self.refinement.where(state, self.graph.vertices[vertex].antecedent)
                if state.domain == manager.false:
                    continue
                before = self.reached.get(vertex)
                after = state if before is None else circuit.join(before, state)
                if before is not None and circuit.same(before, after):
                    continue
                self.reached[vertex] = after
                changed.append(vertex)
                yield vertex, after
            manager.tidy()
            arriving = self._images(changed)
            self.rounds += 1

    def _images(self, changed: Iterable[int]) -> dict[int, Abstract[F]]:
        """What arrives at each vertex from those that have changed."""
        arriving: dict[int, Abstract[F]] = {}
        successors = self.graph.successors
        for vertex in changed:
            if successors[vertex]:
                after = self.circuit.post(self.reached[vertex])
                for target in successors[vertex]:
                    arriving[target] = self.circuit.join(arriving[target], after) if target in arriving else after
        return dict(sorted(arriving.items()))


def _can_be_accepted(search: _Search[F], semantics: Semantics, vertex: int, state: Abstract[F]) -> bool:
    """May a path go on from here to a final vertex, or for ever through every fair set? The search has not begun."""
    final = search.graph.accepting(semantics)[0] if semantics is Semantics.FINITE else frozenset[int]()
    if any(there in final for there, _ in search.spread({vertex: state})):
        return True
    return vertex in leading_to_acceptance(search.graph, semantics, frozenset(search.reached))


def leading_to_acceptance(graph: AssertionGraph, semantics: Semantics, through: frozenset[int] | None = None) -> frozenset[int]:
    """The vertices from which some path (`through` these alone) ends at a final vertex, or meets every fair set for ever."""
    good = frozenset(range(len(graph.vertices))) if through is None else through
    predecessors = [[before for before in those if before in good] for those in graph.predecessors]
    sets = graph.accepting(semantics)
    if semantics is Semantics.FINITE:
        return _before(predecessors, sets[0] & good)
    while True:
        left = good
        for members in sets:
            entering = {v for w in members & left for v in predecessors[w]}
            left = left & _before([[v for v in before if v in left] for before in predecessors], left & entering)
        if left == good:
            return good
        good = left


def _before(predecessors: list[list[int]], goal: Iterable[int]) -> frozenset[int]:
    """The vertices from which a path leads to the goal, the goal included."""
    reaching = set(goal)
    waiting = list(reaching)
    while waiting:
        for vertex in predecessors[waiting.pop()]:
            if vertex not in reaching:
                reaching.add(vertex)
                waiting.append(vertex)
    return frozenset(reaching)
