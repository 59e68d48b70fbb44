"""The quotient by bisimulation, which is finer, and then the preorder of its classes as those of a graph.

Reference: Bustan 2002, chapter 2: bisimulation implies simulation equivalence; the preorder as in
           lts/simulation/preorder_ranzato_tapparo.py.
Symbols:   as there.
Invariant: states of one class of the bisimulation are in one class here.
Deviates:  nothing.
Cost:      that of the minimisation by bisimulation, and then of a graph with a state for each of its classes: two bits for each
           pair of classes. Not for systems whose classes by bisimulation are many more than those by simulation.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

import numpy as np

from coarsest.lts.labelled import Graph
from coarsest.lts.simulation.preorder_ranzato_tapparo import simulation_preorder
from coarsest.lts.simulation.smallest_bustan_grumberg import structure
from coarsest.lts.union import tidied
from coarsest.reduce.bisimulation.algorithms import minimise_by
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.partition import Lazy
from coarsest.reduce.simulation.ordered import Ordered, Smallest, numbered
from coarsest.run import Run
from coarsest.space.space import S


def minimise(
    observed: Observed[S], run: Run, *, first: str = "auto", parts: str = "auto", quotient: str = "smallest"
) -> Smallest[S]:
    """The smallest structure, or another quotient, by way of the smallest bisimilar one, which may be made of parts."""
    _, fine = minimise_by(first, observed, run, parts=parts)
    edges = np.asarray(fine.edges, dtype=np.int64).reshape(-1, 3)
    graph = tidied(
        Graph.from_edges(
            len(fine), edges[:, 0], edges[:, 1], edges[:, 2], initial=fine.initial, labels=fine.looks,
            action_names=tuple(map(str, range(len(observed.actions)))), label_names=tuple(map(str, range(len(observed.blocks)))),
        )
    )  # fmt: skip
    order = simulation_preorder(graph, run)
    members: list[list[int]] = [[] for _ in range(order.blocks)]
    for number, block in enumerate(order.block.tolist()):
        members[block].append(number)
    classes = Lazy(order.blocks, lambda block: reduce(or_, (fine.classes[number] for number in members[block])))
    small = structure(graph, order, quotient, np.ones(graph.states, dtype=np.bool_))
    steps = list(zip(small.sources.tolist(), small.actions.tolist(), small.targets.tolist()))
    return numbered(
        Ordered(classes, order.matrix()), small.initial.tolist(), steps,
        lambda block: fine.looks[members[block][0]], lambda block: fine.examples[members[block][0]],
    )  # fmt: skip
