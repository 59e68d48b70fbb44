"""The smallest graph that is branching bisimilar to a given one."""

from __future__ import annotations

from time import monotonic

from coarsest.lts.branching.branching_bisimulation import branching_partition, branching_quotient
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.minimise import Minimised, minimise
from coarsest.lts.union import tidied
from coarsest.run import Run


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
