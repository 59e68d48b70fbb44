"""Comparing graphs by preorders, or by the equivalences that they make: simulation, ready simulation, and traces.

Traces are the words of actions along finite paths, with the labels that are seen on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from coarsest.errors import Unsupported
from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts.certificates import InclusionCertificate, SimulationCertificate
from coarsest.lts.compare.compare_by_partition import initial_states
from coarsest.lts.compare.comparison import Comparison, Difference
from coarsest.lts.language.inclusion_antichains import Inclusion, TraceInclusion
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.simulation.distinguish_by_game import SimulationGame
from coarsest.lts.simulation.preorder_ranzato_tapparo import simulation_preorder
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


def compare_by_simulation(both: Graph, first_states: int, run: Run, *, preorder: bool, ready: bool = False) -> Comparison:
    """Two graphs side by side: does the second simulate the first, and, unless it is the preorder, the first the second?"""
    relation = "ready-simulation" if ready else "simulation"
    bisimilar = bisimulation_classes(both, run=run).class_of
    small = merged(both, bisimilar)
    order = simulation_preorder(small, run, ready=ready)
    facts = {"bisimulation_classes": small.states, "classes": order.blocks}
    sides = [sorted({int(bisimilar[state]) for state in states}) for states in initial_states(both, first_states)]
    game = SimulationGame(small, order, run, ready=ready)
    depths = [
        (depth, side, state)
        for side, (states, others) in enumerate([sides, sides[::-1]][: 1 if preorder else 2])
        for state in states
        if (depth := game.depth(state, others)) is not None
    ]
    if not depths:
        blocks = order.block[bisimilar].astype(np.int64)
        certificate = SimulationCertificate(relation, blocks, order.matrix(), preorder)
        return Comparison(relation, preorder, certificate, statistics=facts)
    _, side, state = min(depths)
    difference = Difference(game.between(state, sides[1 - side]), side)
    return Comparison(relation, preorder, difference=difference, statistics=facts)


def certify_simulation(graph: Graph, run: Run, *, minimal: bool) -> SimulationCertificate:
    """The preorder between the classes of the states."""
    if minimal:
        raise Unsupported("formulas show the minimality of bisimulations only", hint="leave out --minimal")
    bisimilar = bisimulation_classes(graph, run=run).class_of
    order = simulation_preorder(merged(graph, bisimilar), run)
    return SimulationCertificate("simulation", order.block[bisimilar].astype(np.int64), order.matrix(), preorder=False)


def compare_by_language(both: Graph, first_states: int, run: Run, *, preorder: bool) -> Comparison:
    """Two graphs side by side: are all traces of the first traces of the second, and, unless it is the preorder, conversely?"""
    bisimilar = bisimulation_classes(both, run=run).class_of
    order = simulation_preorder(merged(both, bisimilar), run)
    blocks = order.block[bisimilar].astype(np.int64)
    small, above = merged(both, blocks), order.matrix()
    sides = [sorted({int(blocks[state]) for state in states}) for states in initial_states(both, first_states)]
    question = TraceInclusion(small, above, run)
    answers = [question.decide(sides[way], sides[1 - way]) for way in range(1 if preorder else 2)]
    facts = {"classes": order.blocks, "inclusions": sum(len(answer.pairs) for answer in answers)}
    missing = [(len(answer.actions), way) for way, answer in enumerate(answers) if answer.actions is not None]
    if not missing:
        simulation = SimulationCertificate("simulation", blocks, above, preorder=True)
        certificate = InclusionCertificate("language", simulation, tuple(answer.pairs for answer in answers), preorder)
        return Comparison("language", preorder, certificate, statistics=facts)
    way = min(missing)[1]
    trace = tuple(both.action_names[action] for action in answers[way].actions or ())
    difference = Difference(_formula(both, answers[way], trace), way, trace)
    return Comparison("language", preorder, difference=difference, statistics=facts)


def _formula(both: Graph, answer: Inclusion, trace: tuple[str, ...]) -> Formula:
    """That there is such a trace, as a formula; labels are named if there are several."""
    make = Builder()
    labels = [both.label_names[number] for number in answer.labels]
    observations = [make.label(name) if len(both.label_names) > 1 else make.true for name in labels]
    place = observations[-1]
    for action, label in zip(reversed(trace), reversed(observations[:-1])):
        place = make.conjunction([label, make.diamond(action, place)])
    return make.formula(place)
