"""The smallest graph that is simulation equivalent to a given one, and the quotients on the way to it.

Reference: Bustan, Grumberg 2003, Simulation-based minimization (Bustan 2002, sections 3.1 and 3.2).
Symbols:   a little brother is a successor that is below another successor by the same action. The ∀-quotient (definition 3.2.1)
           is the one with a transition where all states of a class have one, the ∃-quotient where some state has one.
Invariant: every graph on the way is simulation equivalent to the first.
Deviates:  ready simulation is treated alike; transitions have actions and the relation need not be total; the smallest graph
           is made of the ∃-quotient (the paper takes the ∀-quotient, which gives the same once little brothers are gone); an
           initial state that is below another one is no longer initial in it. If no state has two transitions
           with one action, there are no little brothers, and states below each other are bisimilar: s and t can do the same, and
           what they lead to is below each other again. Then the preorder is not needed.
Cost:      that of bisimulation for such graphs; otherwise that of the preorder, and for each transition of the quotient a
           comparison with its brothers.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.lts.certificates import PartitionCertificate, SimulationCertificate
from coarsest.lts.closures import reachable, reachable_part
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
    choice: str = "auto", quotient: str = "smallest",
) -> Minimised:
    """The unique smallest graph that is equivalent to the reachable part: by simulation where states without successor `stay`, by
    ready simulation, or by finite simulation, which asks nothing of such states. Or one of its quotients, `all` or `some`.

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
    if quotient != "smallest" and not keep_unreachable:
        inside = np.isin(np.arange(small.states), reachable(small, run).reached)
    else:
        inside = np.ones(small.states, dtype=np.bool_)
    whole = structure(small, order, quotient, inside, choice=choice)
    last = minimise(whole, keep_unreachable=keep_unreachable, run=run, choice=choice)
    class_of = order.block[bisimilar.class_of]
    claim = LateCertificate(order.blocks, partial(certificate_of_quotient, relation, order, class_of, last))
    return Minimised(last.graph, last.state_of[class_of], relation, "ranzato-tapparo", bisimilar.work, claim)


def structure(graph: Graph, order: Preorder, quotient: str, inside: NDArray[np.bool_], *, choice: str = "auto") -> Graph:
    """The quotient by classes of equivalent states: with the transitions that `all` or `some` states of a class have, of which
    those count that are `inside`, or with those of the `smallest` structure. Unreachable classes are not left out yet."""
    inside = inside | ~np.isin(order.block, order.block[inside])  # a class of others is left out whole, later
    graph = graph.only(inside[graph.sources])
    if quotient == "smallest":
        return without_little_brothers(merged(graph, order.block), order, choice=choice)
    if quotient == "all" and graph.transitions:
        sizes, block = np.bincount(order.block[inside], minlength=order.blocks), order.block.astype(np.int64)
        arrivals = np.stack([block[graph.sources], graph.actions, block[graph.targets]])
        _, first = np.unique(np.vstack([arrivals, graph.sources]), axis=1, return_index=True)  # once for each state
        _, of_step, counts = np.unique(arrivals[:, first], axis=1, return_inverse=True, return_counts=True)
        of_all = np.zeros(graph.transitions, dtype=np.bool_)
        of_all[first] = counts[of_step.reshape(-1)] == sizes[arrivals[0, first]]
        graph = graph.only(of_all)
    return merged(graph, order.block)


def disconnect_little_brothers(graph: Graph, *, keep_unreachable: bool = False, run: Run | None = None) -> Minimised:
    """The graph itself without transitions to little brothers, by simulation where states without successor stay, and without
    what cannot be reached then: figures 3.1 and 3.2 of the thesis, on a graph that may have equivalent states.

    >>> graph = Graph.from_edges(5, [0, 0, 1, 1, 2], [0, 0, 1, 2, 1], [1, 2, 3, 4, 3], action_names=("a", "b", "c"))
    >>> disconnect_little_brothers(graph).graph
    <Graph: 4 states, 3 transitions, 3 actions>
    """
    run, whole = run or Run(), tidied(graph)
    bisimilar = bisimulation_classes(whole, run=run)
    small = tidied(merged(whole, bisimilar.class_of))
    order = simulation_preorder(staying(small, name_of_staying(small)), run)
    block = order.block[bisimilar.class_of]
    proper, initial = proper_successors(whole, block, order)
    last, numbers = reachable_part(replace(whole.only(proper), initial=whole.initial[initial]), run, keep=keep_unreachable)
    class_of = np.concatenate([block, block[np.argsort(numbers)[whole.states - last.states :]]]).astype(np.int64)
    claim = LateCertificate(order.blocks, lambda: SimulationCertificate("simulation", class_of, order.matrix(), preorder=False))
    return Minimised(last, numbers, "simulation", "ranzato-tapparo", bisimilar.work, claim)


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
    proper, initial = proper_successors(classes, np.arange(classes.states), order, choice=choice)
    return replace(classes.only(proper), initial=classes.initial[initial])


def proper_successors(
    graph: Graph, block: Numbers, order: Preorder, *, choice: str = "auto"
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which transitions do not lead to little brothers, and which initial states are none: `block` has the class of each state in
    the preorder."""
    sources = graph.sources
    fresh = np.ones(graph.transitions, dtype=np.bool_)
    fresh[1:] = (sources[1:] != sources[:-1]) | (graph.actions[1:] != graph.actions[:-1])
    kernel = kernels("simulation.little_brothers", graph.transitions, choice)
    proper, relation, class_of = np.empty(graph.transitions, dtype=np.bool_), order.as_arrays(), block.astype(np.int32)
    kernel.mark_kept(np.append(np.flatnonzero(fresh), graph.transitions), class_of[graph.targets], *relation, proper)
    initial = np.empty(len(graph.initial), dtype=np.bool_)
    kernel.mark_kept(np.array([0, len(graph.initial)]), class_of[graph.initial], *relation, initial)
    return proper, initial
