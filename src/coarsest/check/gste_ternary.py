"""GSTE on abstract states: unknown bits instead of sets of states, images that are functions.

Reference: Yang, Seger 2002; Sebastiani, Singerman, Tonetta, Vardi 2004, figure 4.
Symbols:   α is `reached`; ant and cons are evaluated on rails.
Invariant: α(v) allows every state that some initial trace of the circuit reaches at v along the antecedents, and grows.
Deviates:  states, not sets of states, stand at the vertices: what paths bring together at one is their common abstraction.
           Violations count at all vertices from which the graph leads on to acceptance, whether or not the circuit does;
           fairness of the circuit is not looked at. So what holds here holds; what may fail here need not fail.
Cost:      one step of the circuit for each vertex that has changed, in each round.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic

from msgspec import Struct

from coarsest.bdd.protocol import F
from coarsest.model.assertion_graph import AssertionGraph, Semantics
from coarsest.run import Run
from coarsest.system.ternary_circuit import Abstract, TernaryCircuit
from coarsest.system.ternary_refine import Refinement


class Suspicion(Struct, Generic[F], frozen=True):
    """A vertex where the consequent may be violated, after so many steps; and where in its abstract state."""

    vertex: int
    steps: int
    state: Abstract[F]
    where: F


class TernaryOutcome(Struct, Generic[F], frozen=True):
    """None is suspected if the graph holds; `rounds` were needed, and `reached` are the vertices with a state."""

    suspicion: Suspicion[F] | None
    rounds: int
    reached: frozenset[int]


def gste_ternary(circuit: TernaryCircuit[F], graph: AssertionGraph, semantics: Semantics, run: Run) -> TernaryOutcome[F]:
    """Follow all paths of the graph at once; stop where a consequent may be violated on a path that can be accepting."""
    refinement = Refinement(circuit)
    manager = circuit.manager
    counting = leading_to_acceptance(graph, semantics)
    start = circuit.initial()
    for constraint in circuit.machine.initial_constraints:
        start = refinement.where(start, constraint)
    reached: dict[int, Abstract[F]] = {}
    arriving = dict.fromkeys(sorted(graph.initial), start)
    rounds = 0
    while arriving:
        run.step("ternary GSTE", vertices=len(reached), nodes=manager.live_nodes)
        changed = []
        for vertex, state in arriving.items():
            state = refinement.where(state, graph.vertices[vertex].antecedent)
            if state.domain == manager.false:
                continue
            before = reached.get(vertex)
            after = state if before is None else circuit.join(before, state)
            if before is not None and circuit.same(before, after):
                continue
            reached[vertex] = after
            changed.append(vertex)
            if vertex in counting:
                truth = circuit.truth(after, graph.vertices[vertex].consequent)
                if truth.zero != manager.false:
                    return TernaryOutcome(Suspicion(vertex, rounds, after, truth.zero), rounds, frozenset(reached))
        manager.tidy()
        arriving = _images(circuit, graph, reached, changed)
        rounds += 1
    return TernaryOutcome(None, rounds, frozenset(reached))


def _images(
    circuit: TernaryCircuit[F], graph: AssertionGraph, reached: dict[int, Abstract[F]], changed: Iterable[int]
) -> dict[int, Abstract[F]]:
    """What arrives at each vertex from those that have changed."""
    arriving: dict[int, Abstract[F]] = {}
    successors = graph.successors
    for vertex in changed:
        if successors[vertex]:
            after = circuit.post(reached[vertex])
            for target in successors[vertex]:
                arriving[target] = circuit.join(arriving[target], after) if target in arriving else after
    return dict(sorted(arriving.items()))


def leading_to_acceptance(graph: AssertionGraph, semantics: Semantics) -> frozenset[int]:
    """The vertices from which some path of the graph ends at a final vertex, or meets every fair set for ever."""
    predecessors = graph.predecessors
    sets = graph.accepting(semantics)
    if semantics is Semantics.FINITE:
        return _before(predecessors, sets[0])
    good = frozenset(range(len(graph.vertices)))
    while True:
        kept = good
        for members in sets:
            entering = {v for w in members & kept for v in predecessors[w]}
            kept = kept & _before([[v for v in before if v in kept] for before in predecessors], kept & entering)
        if kept == good:
            return good
        good = kept


def _before(predecessors: list[list[int]], goal: Iterable[int]) -> frozenset[int]:
    """The vertices from which a path leads to the goal, the goal included."""
    found = set(goal)
    waiting = list(found)
    while waiting:
        for vertex in predecessors[waiting.pop()]:
            if vertex not in found:
                found.add(vertex)
                waiting.append(vertex)
    return frozenset(found)
