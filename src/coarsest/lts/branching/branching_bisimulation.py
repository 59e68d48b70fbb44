"""Branching bisimulation: internal transitions that change nothing do not count.

Reference: van Glabbeek, Weijland 1996, Branching time and abstraction in bisimulation semantics; with explicit divergence
           as in van Glabbeek, Luttik, Trčka 2009, Branching bisimilarity with explicit divergence; computed by the
           signatures of Blom, Orzan 2003.
Symbols:   a transition is inert if it is internal and stays in its block.
Invariant: a block of the partition contains whole components of internal transitions.
Deviates:  components are collapsed first; divergence is an action of its own that only the component itself can do.
Cost:      that of signature refinement on the collapsed graph; O(n + m) for the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from coarsest.lts.branching.collapse import Collapsed, collapse
from coarsest.lts.labelled import Graph
from coarsest.lts.rounds.signatures_blom_orzan import refine_by_signatures

if TYPE_CHECKING:
    from coarsest.lts.rounds.history import History
    from coarsest.run import Run


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
    kept = (actions != collapsed.internal) | (tails != heads)
    actions[actions == collapsed.divergence] = collapsed.internal
    labels = np.zeros(history.blocks, dtype=np.int64)
    labels[block] = graph.labels
    names = graph.action_names[: collapsed.divergence] if collapsed.divergence >= 0 else graph.action_names
    return Graph.from_edges(
        history.blocks, tails[kept], actions[kept], heads[kept], initial=np.unique(block[graph.initial]), labels=labels,
        action_names=names, label_names=graph.label_names,
    )  # fmt: skip
