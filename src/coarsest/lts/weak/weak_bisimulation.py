"""Weak bisimulation: silent steps do not count, before, between and after what is seen; and the smallest graph by it.

Reference: Milner 1989, Communication and concurrency, chapter 5; the smallest graph as in Eloranta, Tienari, Valmari 1997,
           Essential transitions to bisimulation equivalences. With divergence as in mCRL2: a divergence is answered by one
           that leads to a related state.
Symbols:   a transition is essential if no shorter way replaces it: a silent transition to another state comes before or after.
Invariant: states are weakly bisimilar iff they are bisimilar in the graph of weak transitions.
Deviates:  states have labels, so that classes may lie on one silent cycle. They have different labels then, and the cycle that
           is written goes through them in the order of their labels; all else begins and ends at the first of them.
Cost:      that of the weak transitions, and of strong bisimulation on them.
"""

from __future__ import annotations

from functools import partial
from time import monotonic

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.lts.attended import attended
from coarsest.lts.closures import components
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.minimise import Minimised, minimise
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.union import tidied
from coarsest.lts.weak.saturated import saturated, silent_part
from coarsest.run import Run


class WeakClasses(Struct, frozen=True, eq=False, dict=True):
    """`block` numbers the class of each state; `graph` has the weak transitions between classes."""

    block: NDArray[np.int64]
    graph: Graph
    internal: int
    divergence: int
    """The number of the action that marks divergence, or -1."""
    work: int


def weak_classes(graph: Graph, run: Run, *, divergence: bool = False, choice: str = "auto") -> WeakClasses:
    """The classes of weak bisimulation of a tidied graph, perhaps with divergence."""
    weak = saturated(graph, run, divergence=divergence, choice=choice)
    classes = bisimulation_classes(weak.graph, run=run, choice=choice)
    class_of = classes.class_of.astype(np.int64)
    small = merged(weak.graph, class_of)
    return WeakClasses(class_of[weak.class_of], small, weak.internal, weak.divergence, classes.work)


def minimise_by_weak_bisimulation(
    graph: Graph, *, divergence: bool = False, keep_unreachable: bool = False, run: Run | None = None, choice: str = "auto"
) -> Minimised:
    """The graph with fewest states and transitions that is weakly bisimilar, reachable states only unless others are wanted too.

    >>> graph = Graph.from_edges(4, [0, 0, 1, 1], [0, 1, 1, 2], [1, 3, 3, 2], action_names=("i", "a", "b"))
    >>> minimise_by_weak_bisimulation(graph).graph
    <Graph: 2 states, 2 transitions, 3 actions>
    """
    started = monotonic()
    run = run or Run()
    classes = weak_classes(tidied(graph), run, divergence=divergence, choice=choice)
    small = essential_transitions(classes.graph, classes.internal, classes.divergence, run, choice=choice)
    last = minimise(small, keep_unreachable=keep_unreachable, run=run, choice=choice)
    relation = "weak-bisimulation-divergence" if divergence else "weak-bisimulation"
    return Minimised(last.graph, last.state_of[classes.block], relation, "saturation", monotonic() - started, classes.work)


def essential_transitions(weak: Graph, internal: int, divergence: int, run: Run, *, choice: str = "auto") -> Graph:
    """Of a graph of weak transitions between classes, those that are needed; a class that diverges gets a silent transition to
    itself, unless it is on a silent cycle anyway."""
    csr = silent_part(weak, internal)
    component = components(csr, run, np.ones(csr.edges, dtype=np.bool_))
    first, cycle = _cycles(weak, component)
    at_first = (first[weak.sources] == weak.sources) & (first[weak.targets] == weak.targets)
    own = at_first if divergence < 0 else at_first & (weak.actions != divergence)
    part = _with_only(weak, weak.sources[own], weak.actions[own], weak.targets[own])
    essential = np.zeros(part.transitions, dtype=np.bool_)
    kernel = kernels("paths.saturation", part.transitions, choice)
    rows = part.offsets, part.actions, part.targets, internal, essential, np.full(part.states, -1, dtype=np.int64)
    attended(run, "essential transitions", partial(kernel.mark_essential, *rows))
    alone = np.bincount(component, minlength=1)[component] == 1
    loops = weak.sources[(weak.actions == divergence) & (weak.sources == weak.targets) & alone[weak.sources]]
    names = weak.action_names[:divergence] if divergence >= 0 else weak.action_names
    tails = np.concatenate([part.sources[essential], cycle[0], loops])
    silent = np.full(len(cycle[0]) + len(loops), internal, dtype=part.actions.dtype)
    actions = np.concatenate([part.actions[essential], silent])
    heads = np.concatenate([part.targets[essential], cycle[1], loops])
    small = _with_only(weak, tails, actions, heads)
    return Graph(small.offsets, small.actions, small.targets, small.initial, small.labels, names, small.label_names)


def _with_only(graph: Graph, *columns: NDArray[np.signedinteger]) -> Graph:
    return Graph.from_edges(
        graph.states, *columns, initial=graph.initial, labels=graph.labels, action_names=graph.action_names,
        label_names=graph.label_names,
    )  # fmt: skip


def _cycles(weak: Graph, component: NDArray[np.int64]) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """For each class, the first of its silent cycle, by label; and the transitions of the cycles of more than one class."""
    rank = np.argsort(np.argsort(np.array(weak.label_names)))
    order = np.lexsort([rank[weak.labels], component])
    begins = np.flatnonzero(np.diff(component[order], prepend=-1))
    lengths = np.diff(np.append(begins, len(order)))
    first = np.empty(weak.states, dtype=np.int64)
    first[order] = np.repeat(order[begins], lengths)
    following = np.roll(order, -1)
    following[begins + lengths - 1] = order[begins]
    several = np.repeat(lengths > 1, lengths)
    return first, (order[several], following[several])
