"""Branching bisimulation: internal transitions that change nothing do not count.

Reference: van Glabbeek, Weijland 1996, Branching time and abstraction in bisimulation semantics; with explicit divergence
           as in van Glabbeek, Luttik, Trčka 2009, Branching bisimilarity with explicit divergence; computed by the
           signatures of Blom, Orzan 2003.
Symbols:   a transition is inert if it is internal and stays in its block.
Invariant: a block of the partition contains whole components of internal transitions.
Deviates:  cycles of internal transitions between states with one label are collapsed first: such states are branching
           bisimilar, and what is left has no such cycles, so that signatures can be computed from the ends of internal paths
           towards their beginnings. Where divergence matters, a state that stands for a cycle gets a mark: a transition to
           itself with an action of its own.
Cost:      that of signature refinement on the collapsed graph; O(n + m) for the rest.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.minimise import Minimised, minimise
from coarsest.lts.rounds.history import History
from coarsest.lts.rounds.signatures_blom_orzan import refine_by_signatures
from coarsest.lts.union import internal_action, tidied
from coarsest.run import Run

MARK = "divergence"


class Collapsed(Struct, frozen=True, eq=False, dict=True):
    """`graph` has one state for each component; components are numbered so that internal transitions lead to smaller numbers."""

    graph: Graph
    component: NDArray[np.int64]
    internal: int
    divergence: int
    """The number of the action that marks divergence, or -1."""


def collapse(graph: Graph, *, divergence: bool, choice: str = "auto") -> Collapsed:
    """Collapse the cycles of internal transitions between states with one label."""
    internal = internal_action(graph)
    sources = graph.sources
    silent = (graph.actions == internal) & (graph.labels[sources] == graph.labels[graph.targets])
    component = np.empty(graph.states, dtype=np.int64)
    kernel = kernels("partition.silent_components", graph.transitions, choice)
    count = int(kernel.components(graph.offsets.astype(np.int64, copy=False), graph.targets, silent, component))
    tails, heads = component[sources], component[graph.targets]
    inner = silent & (tails == heads)
    parts: list[NDArray[Any]] = [tails[~inner], graph.actions[~inner], heads[~inner]]
    names = graph.action_names
    if divergence:
        marked = np.unique(tails[inner])
        extra = (marked, np.full(len(marked), len(names)), marked)
        parts = [np.concatenate(pair) for pair in zip(parts, extra)]
        names = (*names, MARK)
    labels = np.zeros(count, dtype=np.int64)
    labels[component] = graph.labels
    whole = Graph.from_edges(
        count, *parts, initial=np.unique(component[graph.initial]), labels=labels, action_names=names,
        label_names=graph.label_names
    )
    return Collapsed(whole, component, internal, len(names) - 1 if divergence else -1)


def branching_partition(
    graph: Graph, run: Run, *, divergence: bool = False, choice: str = "auto"
) -> tuple[Collapsed, History]:
    """The collapsed graph and how its coarsest partition came about; `history.block[collapsed.component]` is that of the
    graph."""
    collapsed = collapse(graph, divergence=divergence, choice=choice)
    return collapsed, refine_by_signatures(collapsed.graph, run, internal=collapsed.internal, choice=choice)


def branching_quotient(collapsed: Collapsed, history: History) -> Graph:
    """One state for each block, without inert transitions; a block that diverges has an internal transition to itself."""
    graph, block = collapsed.graph, history.block
    tails, actions, heads = block[graph.sources], graph.actions.copy(), block[graph.targets]
    proper = (actions != collapsed.internal) | (tails != heads)
    actions[actions == collapsed.divergence] = collapsed.internal
    labels = np.zeros(history.blocks, dtype=np.int64)
    labels[block] = graph.labels
    names = graph.action_names[: collapsed.divergence] if collapsed.divergence >= 0 else graph.action_names
    return Graph.from_edges(
        history.blocks, tails[proper], actions[proper], heads[proper], initial=np.unique(block[graph.initial]), labels=labels,
        action_names=names, label_names=graph.label_names,
    )  # fmt: skip


def minimise_by_branching_bisimulation(
    graph: Graph, *, divergence: bool = False, keep_unreachable: bool = False, run: Run | None = None, choice: str = "auto"
) -> Minimised:
    """The quotient by branching bisimulation, perhaps with divergence, reachable states only unless the others are wanted too.

    >>> graph = Graph.from_edges(4, [0, 1, 2, 1], [0, 1, 0, 0], [1, 3, 0, 0], action_names=("i", "a"))
    >>> minimise_by_branching_bisimulation(graph).graph, minimise_by_branching_bisimulation(graph, divergence=True).graph
    (<Graph: 2 states, 1 transition, 2 actions>, <Graph: 2 states, 2 transitions, 2 actions>)
    """
    started = monotonic()
    run = run or Run()
    relation = "branching-bisimulation-divergence" if divergence else "branching-bisimulation"
    collapsed, history = branching_partition(tidied(graph), run, divergence=divergence, choice=choice)
    last = minimise(branching_quotient(collapsed, history), keep_unreachable=keep_unreachable, run=run, choice=choice)
    state_of = last.state_of[history.block[collapsed.component]]
    return Minimised(last.graph, state_of, relation, "signatures", monotonic() - started, history.work)
