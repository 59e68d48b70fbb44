"""Comparing graphs by preorders, or by the equivalences that they make: simulations, and traces.

Traces are the words of actions along finite paths, with the labels of the states on the way. The weak variants are the same
questions about the graph of weak transitions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from coarsest.errors import Unsupported
from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts.certificates import InclusionCertificate, SimulationCertificate
from coarsest.lts.compare.compare_by_partition import initial_states
from coarsest.lts.compare.comparison import Comparison, Difference
from coarsest.lts.labelled import INTERNAL
from coarsest.lts.language.inclusion_antichains import Inclusion, TraceInclusion
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.rounds.weak_modalities import WeakModalities
from coarsest.lts.simulation.distinguish_by_game import DistinguishingGame
from coarsest.lts.simulation.preorder_ranzato_tapparo import Preorder, simulation_preorder
from coarsest.lts.staying import StayingFormulas, name_of_staying, staying
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


class ComparedQuotient(Struct, frozen=True, eq=False):
    """The quotient by bisimulation, or that by weak bisimulation with weak transitions; `make` makes formulas about its steps."""

    class_of: NDArray[np.signedinteger[Any]]
    graph: Graph
    make: Builder
    relation: str
    """The simulation that is computed on the quotient."""
    internal: int = -1
    """The number of the internal action, for weak relations."""

    @classmethod
    def of(cls, graph: Graph, run: Run, *, weak: bool) -> ComparedQuotient:
        if not weak:
            class_of = bisimulation_classes(graph, run=run).class_of
            return cls(class_of, merged(graph, class_of), Builder(), "finite-simulation")
        from coarsest.lts.weak.weak_bisimulation import weak_classes

        classes = weak_classes(graph, run)
        make = WeakModalities(silent=classes.graph.action_names[classes.internal])
        return cls(classes.block, classes.saturated(run), make, "weak-simulation", classes.internal)

    def staying(self) -> ComparedQuotient:
        """The quotient where states without successors stay where they are."""
        action = name_of_staying(self.graph)
        return replace(self, graph=staying(self.graph, action), make=StayingFormulas(action=action), relation="simulation")

    def sides(self, both: Graph, first_states: int) -> list[list[int]]:
        """The classes of the initial states of the first graph and of the second."""
        return [sorted({int(self.class_of[state]) for state in states}) for states in initial_states(both, first_states)]


def compare_by_simulation(
    both: Graph, first_states: int, run: Run, *, preorder: bool, ready: bool = False, weak: bool = False, stay: bool = False
) -> Comparison:
    """Two graphs side by side: does the second simulate the first, and conversely unless `preorder` is true? With `stay`, states
    without successors stay where they are."""
    small = ComparedQuotient.of(both, run, weak=weak)
    small = small.staying() if stay else small
    order = simulation_preorder(small.graph, run, ready=ready)
    game = DistinguishingGame(small.graph, order, run, ready=ready, make=small.make)
    relation = "ready-simulation" if ready else small.relation
    return _compared(relation, small, order, game, small.sides(both, first_states), preorder=preorder)


def compare_by_coupled_simulation(both: Graph, first_states: int, run: Run, *, preorder: bool) -> Comparison:
    """Two graphs side by side: are they coupled similar, or is the first below the second if `preorder` is true?"""
    from coarsest.lts.weak.coupled_bisping_nestmann import CoupledGame, coupled_preorder

    small = ComparedQuotient.of(both, run, weak=True)
    order = coupled_preorder(small.graph, small.internal, run)
    game = CoupledGame(small.graph, order, run, internal=small.internal, make=small.make)
    return _compared("coupled-simulation", small, order, game, small.sides(both, first_states), preorder=preorder)


def _compared(
    relation: str, small: ComparedQuotient, order: Preorder, game: DistinguishingGame, sides: list[list[int]], *, preorder: bool
) -> Comparison:
    facts = {"bisimulation_classes": small.graph.states, "classes": order.blocks}
    depths = [
        (depth, side, state)
        for side, (states, others) in enumerate([sides, sides[::-1]][: 1 if preorder else 2])
        for state in states
        if (depth := game.depth(state, others)) is not None
    ]
    if not depths:
        blocks = order.block[small.class_of].astype(np.int64)
        certificate = SimulationCertificate(relation, blocks, order.matrix(), preorder)
        return Comparison(relation, preorder, certificate, statistics=facts)
    _, side, state = min(depths)
    difference = Difference(game.between(state, sides[1 - side]), side)
    return Comparison(relation, preorder, difference=difference, statistics=facts)


def certify_simulation(
    graph: Graph, run: Run, *, minimal: bool, ready: bool = False, weak: bool = False, stay: bool = False
) -> SimulationCertificate:
    """The preorder between the classes of the states."""
    if minimal:
        raise Unsupported("formulas show the minimality of bisimulations only", hint="leave out --minimal")
    small = ComparedQuotient.of(graph, run, weak=weak)
    small = small.staying() if stay else small
    order = simulation_preorder(small.graph, run, ready=ready)
    relation = "ready-simulation" if ready else small.relation
    return SimulationCertificate(relation, order.block[small.class_of].astype(np.int64), order.matrix(), preorder=False)


def certify_coupled_simulation(graph: Graph, run: Run, *, minimal: bool) -> SimulationCertificate:
    """The preorder of coupled simulation between the classes of the states."""
    from coarsest.lts.weak.coupled_bisping_nestmann import coupled_preorder

    if minimal:
        raise Unsupported("formulas show the minimality of bisimulations only", hint="leave out --minimal")
    small = ComparedQuotient.of(graph, run, weak=True)
    order = coupled_preorder(small.graph, small.internal, run)
    blocks = order.block[small.class_of].astype(np.int64)
    return SimulationCertificate("coupled-simulation", blocks, order.matrix(), preorder=False)


def certify_traces(graph: Graph, run: Run, *, minimal: bool, weak: bool = False) -> SimulationCertificate:
    """Refuse, because traces do not partition the states of one graph."""
    hint = f"compare it with what it was reduced to: coarsest compare A B --by {'weak-traces' if weak else 'traces'}"
    raise Unsupported("certificates about traces are about two graphs", hint=f"{hint} --certificate FILE")


def compare_by_traces(both: Graph, first_states: int, run: Run, *, preorder: bool, weak: bool = False) -> Comparison:
    """Two graphs side by side: are all traces of the first traces of the second, and conversely unless `preorder` is true?"""
    relation = "weak-traces" if weak else "traces"
    small = ComparedQuotient.of(both, run, weak=weak)
    order = simulation_preorder(small.graph, run)
    graph, above = merged(small.graph, order.block), order.matrix()
    sides = [sorted({int(order.block[state]) for state in states}) for states in small.sides(both, first_states)]
    question = TraceInclusion(graph, above, run)
    answers = [question.decide(sides[way], sides[1 - way]) for way in range(1 if preorder else 2)]
    facts = {"classes": order.blocks, "inclusions": sum(len(answer.pairs) for answer in answers)}
    missing = [(len(answer.actions), way) for way, answer in enumerate(answers) if answer.actions is not None]
    if not missing:
        blocks = order.block[small.class_of].astype(np.int64)
        simulation = SimulationCertificate(small.relation, blocks, above, preorder=True)
        certificate = InclusionCertificate(relation, simulation, tuple(answer.pairs for answer in answers), preorder)
        return Comparison(relation, preorder, certificate, statistics=facts)
    way = min(missing)[1]
    formula = trace_formula(graph, answers[way], small.make)
    words = tuple(graph.action_names[action] for action in answers[way].actions or ())
    trace = tuple(word for word in words if not weak or word not in INTERNAL)
    return Comparison(relation, preorder, difference=Difference(formula, way, trace), statistics=facts)


def trace_formula(graph: Graph, answer: Inclusion, make: Builder, end: int | None = None) -> Formula:
    """The formula that the trace of an answer exists, with `end` true at its end. It mentions labels if there are several."""
    return make.formula(trace_node(graph, answer, make, end))


def trace_node(graph: Graph, answer: Inclusion, make: Builder, end: int | None = None) -> int:
    """The node of that formula in the builder."""
    labels = [graph.label_names[number] for number in answer.labels]
    observations = [make.label(name) if len(graph.label_names) > 1 else make.true for name in labels]
    node = observations[-1] if end is None else make.conjunction([observations[-1], end])
    for action, label in zip(reversed(answer.actions or ()), reversed(observations[:-1])):
        node = make.conjunction([label, make.diamond(graph.action_names[action], node)])
    return node
