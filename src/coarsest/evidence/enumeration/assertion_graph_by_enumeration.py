"""Confirms a verdict on an assertion graph on all states one by one, if there are few. No engine takes part.

In the finite semantics all paths through graph and model are followed, by definition 4. In the fair semantics the violations of
the graph are an automaton (theorem 2), and the explicit graph of the model is searched for a fair path that it accepts.
"""

from __future__ import annotations

from coarsest.automata.translate.assertion_graphs_and_buchi import violations_of
from coarsest.errors import EvidenceRejected, LimitExceeded
from coarsest.evidence.confirmation import Enumerated
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.enumeration.ctl_by_enumeration import CtlByEnumeration
from coarsest.evidence.enumeration.enumerated_states import EnumeratedStates, EnumerationBounds, PathPositions
from coarsest.evidence.enumeration.ltl_by_enumeration import beginnings
from coarsest.model.assertion_graph import AssertionGraph, Semantics
from coarsest.model.machine import Machine
from coarsest.run import Run


def confirm_assertion_graph_holds(
    machine: Machine, graph: AssertionGraph, semantics: Semantics, run: Run, bounds: EnumerationBounds
) -> Enumerated | None:
    """The confirmation; None if there are too many states. Raises EvidenceRejected if the graph does not hold."""
    try:
        states = EnumeratedStates(machine, run, bounds)
        fairness = [*machine.justice, *(expr for pair in machine.compassion for expr in pair)]
        positions = states.positions(states.inputs_in([*graph.conditions, *fairness]))
        refuted = _some_finite(positions, graph, run) if semantics is Semantics.FINITE else _some_fair(positions, graph, run)
    except (NotConfirmed, LimitExceeded):
        return None
    if refuted:
        raise EvidenceRejected(f"the graph {graph.name} is violated on the {len(states.states)} reachable states, one by one")
    return Enumerated(len(states.states))


def _some_finite(positions: PathPositions, graph: AssertionGraph, run: Run) -> bool:
    """Is there a violating path to a final vertex? The third part of a node says whether a consequent was violated."""
    holds = [positions.where(vertex.antecedent) for vertex in graph.vertices]
    meets = [positions.where(vertex.consequent) for vertex in graph.vertices]
    steps_of = positions.labels.enumerated.steps
    (final,) = graph.accepting(Semantics.FINITE)
    successors = graph.successors
    waiting = [(p, v, p not in meets[v]) for p in positions.initial for v in graph.initial if p in holds[v]]
    reached = set(waiting)
    taken, bounds = 0, positions.labels.enumerated.bounds
    while waiting:
        position, vertex, violated = waiting.pop()
        if violated and vertex in final:
            return True
        ends = not steps_of[positions.place[position][0]]  # a finite path ends in a dead end
        following = [] if ends else positions.after[position]
        taken += len(following) * len(successors[vertex])
        bounds.require(taken, bounds.visits)
        if len(reached) % 1000 == 0:
            run.step("confirm by enumeration", pairs=len(reached))
        for after in following:
            for v in successors[vertex]:
                node = (after, v, violated or after not in meets[v])
                if after in holds[v] and node not in reached:
                    reached.add(node)
                    waiting.append(node)
    return False


def _some_fair(positions: PathPositions, graph: AssertionGraph, run: Run) -> bool:
    automaton = violations_of(graph, Semantics.FAIR)
    checker = CtlByEnumeration(positions, run)
    truths = [positions.where(atom) for atom in automaton.alphabet.atoms]
    most_steps = positions.labels.enumerated.bounds.visits
    return bool(beginnings(checker.graph, automaton, truths, positions.initial, run, most_steps=most_steps))
