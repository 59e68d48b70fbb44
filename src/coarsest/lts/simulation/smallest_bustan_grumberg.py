"""The smallest graph that is simulation equivalent to a given one.

Reference: Bustan, Grumberg 2003, Simulation-based minimization (Bustan 2002, sections 3.1 and 3.2).
Symbols:   a little brother is a successor that is below another successor by the same action.
Invariant: every graph on the way is simulation equivalent to the first.
Deviates:  ready simulation is treated alike; transitions have actions and the relation need not be total; the quotient has a
           transition where some state of the class has one (the paper asks all states, which gives the same once little
           brothers are gone); an initial state that is below another one is no longer initial. If no state has two transitions
           with one action, there are no little brothers, and states below each other are bisimilar: s and t can do the same, and
           what they lead to is below each other again. Then the preorder is not needed.
Cost:      that of bisimulation for such graphs; otherwise that of the preorder, and for each transition of the quotient a
           comparison with its brothers.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.lts.certificates import PartitionCertificate, SimulationCertificate
from coarsest.lts.labelled import Graph, Numbers
from coarsest.lts.minimise.classes import BisimulationClasses, bisimulation_classes
from coarsest.lts.minimise.minimise import LateCertificate, Minimised, minimise
from coarsest.lts.minimise.quotient import merged, quotient
from coarsest.lts.simulation.preorder_ranzato_tapparo import Preorder, simulation_preorder
from coarsest.lts.staying import name_of_staying, staying
from coarsest.lts.union import tidied
from coarsest.run import Run


def minimise_by_simulation(
    graph: Graph, *, ready: bool = False, stay: bool = False, keep_unreachable: bool = False, run: Run | None = None,
    choice: str = "auto",
) -> Minimised:
    """The unique smallest graph that is equivalent to the reachable part: by simulation where states without successor `stay`, by
    ready simulation, or by finite simulation, which asks nothing of such states.

    >>> graph = Graph.from_edges(5, [0, 0, 1, 1, 2], [0, 0, 1, 2, 1], [1, 2, 3, 4, 3], action_names=("a", "b", "c"))
    >>> minimise_by_simulation(graph).graph
    <Graph: 3 states, 3 transitions, 3 actions>
    """
    run, relation = run or Run(), "simulation" if stay else "ready-simulation" if ready else "finite-simulation"
    bisimilar = bisimulation_classes(graph, run=run, choice=choice)
    small = tidied(merged(graph, bisimilar.class_of))
    if is_deterministic(small):
        return _minimised_by_bisimulation(graph, bisimilar, relation, keep_unreachable=keep_unreachable, run=run)
    order = simulation_preorder(staying(small, name_of_staying(small)) if stay else small, run, ready=ready, choice=choice)
    whole = without_little_brothers(merged(small, order.block), order, choice=choice)
    last = minimise(whole, keep_unreachable=keep_unreachable, run=run, choice=choice)
    class_of = order.block[bisimilar.class_of]
    claim = LateCertificate(order.blocks, partial(certificate_of_quotient, relation, order, class_of, last))
    return Minimised(last.graph, last.state_of[class_of], relation, "ranzato-tapparo", bisimilar.work, claim)


def is_deterministic(graph: Graph) -> bool:
    """Is there one initial state, and no state with two transitions with one action? Each transition must be there once, in the
    order of actions."""
    sources, actions = graph.sources, graph.actions
    return len(graph.initial) < 2 and not np.any((sources[1:] == sources[:-1]) & (actions[1:] == actions[:-1]))


def _minimised_by_bisimulation(
    graph: Graph, classes: BisimulationClasses, relation: str, *, keep_unreachable: bool, run: Run
) -> Minimised:
    """The smallest graph where it is known to have a state for each class of bisimulation."""
    small, state_of = quotient(graph, classes, keep_unreachable=keep_unreachable, run=run)

    def partition() -> PartitionCertificate:
        return PartitionCertificate("bisimulation", np.concatenate([classes.class_of, _classes_of(state_of, classes.class_of)]))

    return Minimised(small, state_of, relation, classes.algorithm, classes.work, LateCertificate(0, partition))


def _classes_of(state_of: Numbers, class_of: Numbers) -> NDArray[np.int64]:
    """The class of each state of a quotient, from those of the states that it stands for."""
    reachable = state_of >= 0
    classes = np.empty(int(state_of.max(initial=-1)) + 1, dtype=np.int64)
    classes[state_of[reachable]] = class_of[reachable]
    return classes


def certificate_of_quotient(relation: str, order: Preorder, class_of: Numbers, last: Minimised) -> SimulationCertificate:
    """A state of the quotient and those that it stands for are in one class."""
    blocks = np.concatenate([class_of, _classes_of(last.state_of, np.arange(len(last.state_of)))]).astype(np.int64)
    return SimulationCertificate(relation, blocks, order.matrix(), preorder=False)


def without_little_brothers(classes: Graph, order: Preorder, *, choice: str = "auto") -> Graph:
    """A graph without transitions to little brothers, and initial ones among them. Its states are the classes of the preorder."""
    sources = classes.sources
    fresh = np.ones(classes.transitions, dtype=np.bool_)
    fresh[1:] = (sources[1:] != sources[:-1]) | (classes.actions[1:] != classes.actions[:-1])
    kernel = kernels("simulation.little_brothers", classes.transitions, choice)
    proper = np.empty(classes.transitions, dtype=np.bool_)
    relation = order.as_arrays()
    kernel.mark_kept(np.append(np.flatnonzero(fresh), classes.transitions), classes.targets, *relation, proper)
    initial = np.empty(len(classes.initial), dtype=np.bool_)
    kernel.mark_kept(np.array([0, len(classes.initial)]), classes.initial, *relation, initial)
    return Graph.from_edges(
        classes.states, sources[proper], classes.actions[proper], classes.targets[proper], initial=classes.initial[initial],
        labels=classes.labels, action_names=classes.action_names, label_names=classes.label_names,
    )  # fmt: skip
