"""Branching bisimulation: internal transitions that change nothing do not count.

Reference: van Glabbeek, Weijland 1996, Branching time and abstraction in bisimulation semantics; with explicit divergence
           as in van Glabbeek, Luttik, Trčka 2009, Branching bisimilarity with explicit divergence.
Symbols:   a transition is inert if it is internal and stays in its block.
Invariant: a block of the partition contains whole components of internal transitions.
Deviates:  cycles of internal transitions between states with one label are collapsed first, because such states are branching
           bisimilar. The collapsed graph has no such cycles, so that states can be processed from the ends of internal paths
           to their beginnings. Where divergence matters, a state that stands for a cycle gets a mark: a transition to itself
           by a new action. Without internal transitions, the relation is bisimulation.
Cost:      that of refinement on the collapsed graph; O(n + m) for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.lts.labelled import Graph, Numbers, gathered, width, without_repetitions
from coarsest.lts.minimise.classes import BisimulationClasses, bisimulation_classes
from coarsest.lts.minimise.minimise import Minimised
from coarsest.lts.minimise.quotient import quotient
from coarsest.lts.rounds.history import Integers, PartitionHistory
from coarsest.lts.rounds.signatures_blom_orzan import refine_by_signatures
from coarsest.lts.union import internal_action, tidied
from coarsest.run import Run

MARK = "divergence"


class Collapsed(Struct, frozen=True, eq=False, dict=True):
    """`graph` has one state for each component; components are numbered so that internal transitions lead to smaller numbers."""

    graph: Graph
    component: Numbers
    internal: int
    divergence: int
    """The number of the action that marks divergence, or -1."""
    inert: int
    """The internal action, if there is a transition of it between states with one label, otherwise -1."""


def collapse(graph: Graph, *, divergence: bool, choice: str = "auto") -> Collapsed:
    """Collapse the cycles of internal transitions between states with one label."""
    internal = internal_action(graph)
    kernel = kernels("partition.silent_components", graph.transitions, choice)
    silent = np.empty(graph.transitions, dtype=np.bool_)
    if not kernel.mark_action(graph.actions, internal, silent):
        return Collapsed(graph, np.arange(graph.states, dtype=graph.targets.dtype), internal, -1, -1)
    if len(graph.label_names) > 1:
        silent &= graph.labels[graph.sources] == graph.labels[graph.targets]
    kind = np.result_type(graph.offsets, graph.targets)
    offsets, component = graph.offsets.astype(kind, copy=False), np.empty(graph.states, dtype=kind)
    count = int(kernel.components(offsets, graph.targets, silent, component))
    columns, has_cycle = np.empty((3, graph.transitions), dtype=kind), np.zeros(count, dtype=np.bool_)
    number, some_left = kernel.outer_transitions(offsets, graph.actions, graph.targets, silent, component, columns, has_cycle)
    del silent  # arrays over transitions are large
    component = component.astype(width(count), copy=False)
    names, parts = graph.action_names, list(columns[:, :number])
    if divergence:
        marked = np.flatnonzero(has_cycle)
        parts = [np.concatenate(pair) for pair in zip(parts, (marked, np.full(len(marked), len(names)), marked))]
        names = (*names, MARK + "'" * (MARK in names))
    labels = np.zeros(count, dtype=component.dtype)
    labels[component] = graph.labels
    tails, actions, heads = (
        part.astype(dtype, copy=False) for part, dtype in zip(parts, (component.dtype, np.int32, component.dtype))
    )
    del columns, parts
    rows = gathered(count, tails, actions, heads)
    del tails, actions, heads
    whole = Graph(*without_repetitions(*rows), np.unique(component[graph.initial]), labels, names, graph.label_names)
    return Collapsed(whole, component, internal, len(names) - 1 if divergence else -1, internal if some_left else -1)


def branching_classes(
    graph: Graph, run: Run, *, divergence: bool = False, choice: str = "auto"
) -> tuple[Collapsed, BisimulationClasses]:
    """The collapsed graph and its classes, `classes.class_of[collapsed.component]` for the states of the graph. Their rows have
    no inert transitions; a class that diverges has an internal transition to itself."""
    collapsed = collapse(graph, divergence=divergence, choice=choice)
    called = collapsed.graph.action_names
    if collapsed.divergence >= 0:
        called = (*called[:-1], called[collapsed.internal])
    classes = bisimulation_classes(collapsed.graph, internal=collapsed.inert, called=called, run=run, choice=choice)
    return collapsed, classes


def branching_quotient(graph: Graph, run: Run, *, divergence: bool, choice: str = "auto") -> tuple[Graph, NDArray[np.int64]]:
    """One state for each class, and the class of each state of the graph."""
    collapsed, classes = branching_classes(graph, run, divergence=divergence, choice=choice)
    class_of = classes.class_of[collapsed.component].astype(np.int64)
    initial, labels = np.unique(class_of[graph.initial]), collapsed.graph.labels[classes.representatives]
    rows = classes.offsets, classes.actions, classes.targets
    kind = rows[2].dtype
    return Graph(*rows, initial.astype(kind), labels, classes.action_names, graph.label_names), class_of


def branching_rounds(
    graph: Graph, run: Run, *, divergence: bool = False, choice: str = "auto", sides: Sequence[Sequence[int]] = ()
) -> tuple[Collapsed, PartitionHistory]:
    """The collapsed graph and the rounds to its coarsest partition, from which formulas are made. The graph should be a quotient,
    since signatures along inert paths may be large. With two sides, the rounds end as soon as some state of one side differs
    from all states of the other.
    """
    collapsed = collapse(graph, divergence=divergence, choice=choice)

    def apart(block: Integers) -> bool:
        left, right = (set(block[collapsed.component[list(side)]].tolist()) for side in sides)
        return left != right

    history = refine_by_signatures(
        collapsed.graph, run, internal=collapsed.internal, choice=choice, enough=apart if sides else None
    )
    return collapsed, history


def branching_partition(
    graph: Graph, run: Run, *, divergence: bool = False, choice: str = "auto"
) -> tuple[Collapsed, PartitionHistory]:
    """The collapsed quotient of a graph and its rounds. `collapsed.component` has an entry for each state of the graph."""
    small, class_of = branching_quotient(graph, run, divergence=divergence, choice=choice)
    collapsed, history = branching_rounds(small, run, divergence=divergence, choice=choice)
    return replace(collapsed, component=collapsed.component[class_of]), history


def minimise_by_branching_bisimulation(
    graph: Graph, *, divergence: bool = False, keep_unreachable: bool = False, run: Run | None = None, choice: str = "auto"
) -> Minimised:
    """The quotient by branching bisimulation, perhaps with divergence, of the reachable states or of all.

    >>> graph = Graph.from_edges(4, [0, 1, 2, 1], [0, 1, 0, 0], [1, 3, 0, 0], action_names=("i", "a"))
    >>> minimise_by_branching_bisimulation(graph).graph, minimise_by_branching_bisimulation(graph, divergence=True).graph
    (<Graph: 2 states, 1 transition, 2 actions>, <Graph: 2 states, 2 transitions, 2 actions>)
    """
    run = run or Run()
    relation = "branching-bisimulation-divergence" if divergence else "branching-bisimulation"
    collapsed, classes = branching_classes(tidied(graph), run, divergence=divergence, choice=choice)
    small, number_of = quotient(collapsed.graph, classes, keep_unreachable=keep_unreachable, run=run, choice=choice)
    return Minimised(small, number_of[collapsed.component], relation, classes.algorithm, classes.work)
