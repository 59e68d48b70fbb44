"""Transformations that shorten silent steps, and reductions by weak simulations.

Reference: the transformations are those of mCRL2 (tau-star, tau-scc). Bustan, Grumberg 2003 show that merging states that
           simulate each other keeps simulation equivalence; the same holds for coupled simulation, because a state related to
           a member of a class is related to the class.
Symbols:   s ⇒ t if silent steps lead from s to t through states with one label.
Invariant: –
Deviates:  silent steps that change the label are visible, and remain.
Cost:      τ*-closure is quadratic in the worst case, τ-components are linear; the rest is that of the preorder.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from coarsest.lts.branching.branching_bisimulation import collapse
from coarsest.lts.certificates import GraphCertificate
from coarsest.lts.closures import reachable_part
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.minimise import LateCertificate, Minimised
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.simulation.preorder_ranzato_tapparo import simulation_preorder
from coarsest.lts.simulation.smallest_bustan_grumberg import certificate_of_quotient, without_little_brothers
from coarsest.lts.union import internal_action, tidied
from coarsest.lts.weak.coupled_bisping_nestmann import coupled_preorder
from coarsest.lts.weak.saturated import silently_reached, with_transitions
from coarsest.lts.weak.weak_bisimulation import minimise_by_weak_bisimulation, weak_classes
from coarsest.run import Run


def minimise_by_weak_simulation(
    graph: Graph, *, weak: bool = True, keep_unreachable: bool = False, run: Run | None = None
) -> Minimised:
    """The graph in which states are merged that are below each other by weak simulation (`weak`) or coupled simulation, without
    transitions that silent ones make superfluous; for weak simulation, also without little brothers, if that is smaller."""
    run = run or Run()
    relation = "weak-simulation" if weak else "coupled-simulation"
    classes = weak_classes(tidied(graph), run)
    steps = classes.saturated(run)
    order = simulation_preorder(steps, run) if weak else coupled_preorder(steps, classes.internal, run)
    whole = merged(steps, order.block)
    candidates = [whole, without_little_brothers(whole, order)] if weak else [whole]
    smaller = [minimise_by_weak_bisimulation(candidate, keep_unreachable=keep_unreachable, run=run) for candidate in candidates]
    last = min(smaller, key=lambda small: (small.graph.states, small.graph.transitions))
    class_of = order.block[classes.block]
    claim = LateCertificate(order.blocks, partial(certificate_of_quotient, relation, order, class_of, last))
    return Minimised(last.graph, last.state_of[class_of], relation, "ranzato-tapparo", classes.work, claim)


def minimise_by_coupled_simulation(graph: Graph, *, keep_unreachable: bool = False, run: Run | None = None) -> Minimised:
    """The graph in which states are merged that are below each other by coupled simulation."""
    return minimise_by_weak_simulation(graph, weak=False, keep_unreachable=keep_unreachable, run=run)


def contract_silent_components(graph: Graph, *, keep_unreachable: bool = False, run: Run | None = None) -> Minimised:
    """The graph with one state for each cycle of silent transitions between states with one label. It is branching bisimilar."""
    run = run or Run()
    collapsed = collapse(tidied(graph), divergence=False)
    result, numbers = reachable_part(collapsed.graph, run, keep=keep_unreachable)
    return Minimised(result, numbers[collapsed.component], "branching-bisimulation", "closure", graph.transitions)


def close_silent_steps(graph: Graph, *, keep_unreachable: bool = False, run: Run | None = None) -> Minimised:
    """The graph without silent transitions between states with one label: states get the steps that were possible after them."""
    run = run or Run()
    whole = tidied(graph)
    internal = internal_action(whole)
    silent = (whole.actions == internal) & (whole.labels[whole.sources] == whole.labels[whole.targets])
    inner = with_transitions(whole, whole.sources[silent], whole.actions[silent], whole.targets[silent])
    reach = silently_reached(inner, internal, run)
    rest = with_transitions(whole, whole.sources[~silent], whole.actions[~silent], whole.targets[~silent])
    lengths = np.diff(rest.offsets)[reach.targets]
    indices = np.repeat(rest.offsets[reach.targets] - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    closed = with_transitions(whole, np.repeat(reach.sources, lengths), rest.actions[indices], rest.targets[indices])
    result, numbers = reachable_part(closed, run, keep=keep_unreachable)
    claim = LateCertificate(graph.states + result.states, partial(_claimed, graph, result, run))
    return Minimised(result, numbers, "weak-simulation", "closure", graph.transitions, claim)


def _claimed(graph: Graph, result: Graph, run: Run) -> GraphCertificate:
    from coarsest.lts.compare.compare_by_preorder import compare_by_simulation
    from coarsest.lts.union import side_by_side

    comparison = compare_by_simulation(side_by_side(graph, result), graph.states, run, preorder=False, weak=True)
    assert comparison.related and comparison.evidence is not None, "the result is simulation equivalent"
    return comparison.evidence
