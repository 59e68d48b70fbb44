"""Weak bisimulation, which ignores silent steps before, between and after visible ones, and the smallest graph by it.

Reference: Milner 1989, Communication and concurrency, chapter 5; the smallest graph as in Eloranta, Tienari, Valmari 1997,
           Essential transitions to bisimulation equivalences. With divergence as in mCRL2: a divergence is answered by one
           that leads to a related state.
Symbols:   a transition is essential if no longer path replaces it, with a silent transition to another state before or after.
Invariant: states are weakly bisimilar iff they are bisimilar in the graph of weak transitions.
Deviates:  a branching quotient without silent steps is the answer. Weak transitions are stored only where they are few; an
           essential transition is one of the graph. Because states have labels, several classes, with different labels, may be
           on one silent cycle. The result has one cycle through them in the order of their labels; all other transitions begin
           and end at the first of them.
Cost:      that of branching bisimulation; then that of bisimulation, or of the rounds without weak transitions.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest import tuning
from coarsest.errors import LimitExceeded
from coarsest.lts.closures import components
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.minimise import Minimised, minimise
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.rounds.history import PartitionHistory
from coarsest.lts.rounds.signatures_blom_orzan import refine_by_signatures
from coarsest.lts.union import tidied
from coarsest.lts.weak.rounds_of_weak_signatures import weak_rounds
from coarsest.lts.weak.saturated import branching_classes, marked_by_divergence, silent_part, weak_transitions, with_transitions
from coarsest.lts.weak.weak_paths import longer_paths, weak_paths
from coarsest.run import Run


class WeakClasses(Struct, frozen=True, eq=False, dict=True):
    """`block` is the class of each state; `graph` has transitions between classes from which all weak ones follow. The internal
    action has a number even if no transition has it."""

    block: NDArray[np.int64]
    graph: Graph
    internal: int
    divergence: int
    """The number of the action that marks divergence, or -1."""
    branching_classes: int
    work: int
    rounds: PartitionHistory | None
    """The rounds in which classes were separated, if there were rounds."""

    def history(self, run: Run) -> PartitionHistory:
        """The rounds in which classes were separated."""
        return self.rounds or refine_by_signatures(self.saturated(run), run)

    def saturated(self, run: Run) -> Graph:
        """All weak transitions between classes."""
        return weak_transitions(self.graph, run)


def weak_classes(graph: Graph, run: Run, *, divergence: bool = False, choice: str = "auto") -> WeakClasses:
    """The classes of weak bisimulation of a tidied graph, perhaps with divergence."""
    steps, class_of, internal = branching_classes(graph, run, divergence=divergence, choice=choice)
    mark = len(steps.action_names) if divergence else -1
    if divergence:
        steps = marked_by_divergence(steps, run)
    small = _without_silent_loops(steps, internal)
    if not (small.actions == internal).any():  # branching bisimulation is the same as weak bisimulation here
        return WeakClasses(class_of, small, internal, mark, steps.states, steps.transitions, None)
    weak = _weak_transitions_if_few(small, run, choice)
    if weak is None:
        history = weak_rounds(small, internal, run, choice=choice)
        rounds = PartitionHistory(np.arange(history.blocks), history.parent, history.level)
        block, work = history.block, history.work
    else:
        classes = bisimulation_classes(weak, run=run, choice=choice)
        block, work, rounds = classes.class_of, classes.work, None
    small = _without_silent_loops(merged(small, block), internal)
    return WeakClasses(block[class_of].astype(np.int64), small, internal, mark, steps.states, work, rounds)


def _weak_transitions_if_few(graph: Graph, run: Run, choice: str) -> Graph | None:
    """All weak transitions, unless there are many for each transition."""
    try:
        return weak_transitions(graph, run, most=tuning.WEAK_STEPS * graph.transitions, choice=choice)
    except LimitExceeded as limit:
        if limit.limit != "work":
            raise
        return None


def _without_silent_loops(small: Graph, internal: int) -> Graph:
    """The transitions between classes, without silent steps that stay in a class. Such a loop adds no weak steps, and would look
    like a divergence, which only the mark stands for."""
    return small.only((small.actions != internal) | (small.sources != small.targets))


def minimise_by_weak_bisimulation(
    graph: Graph, *, divergence: bool = False, keep_unreachable: bool = False, run: Run | None = None, choice: str = "auto"
) -> Minimised:
    """The weakly bisimilar graph with fewest states and transitions, of the reachable states or of all.

    >>> graph = Graph.from_edges(4, [0, 0, 1, 1], [0, 1, 1, 2], [1, 3, 3, 2], action_names=("i", "a", "b"))
    >>> minimise_by_weak_bisimulation(graph).graph
    <Graph: 2 states, 2 transitions, 3 actions>
    """
    run = run or Run()
    classes = weak_classes(tidied(graph), run, divergence=divergence, choice=choice)
    small = essential_transitions(classes.graph, classes.internal, classes.divergence, run, choice=choice)
    last = minimise(small, keep_unreachable=keep_unreachable, run=run, choice=choice)
    relation = "weak-bisimulation-divergence" if divergence else "weak-bisimulation"
    return Minimised(last.graph, last.state_of[classes.block], relation, "weak-signatures", classes.work)


def essential_transitions(graph: Graph, internal: int, divergence: int, run: Run, *, choice: str = "auto") -> Graph:
    """The essential transitions between classes. A class that diverges gets a silent transition to itself, unless it is on a
    silent cycle anyway."""
    csr = silent_part(graph, internal)
    component = components(csr, run, np.ones(csr.edges, dtype=np.bool_))
    first, cycle = _cycles(graph, component)
    moved = first[graph.sources], graph.actions, first[graph.targets]
    proper = (graph.actions != divergence) & ((graph.actions != internal) | (moved[0] != moved[2]))
    part = with_transitions(graph, *(column[proper] for column in moved))
    essential = ~_replaced(part, internal, run, choice)
    alone = np.bincount(component, minlength=1)[component] == 1
    loops = graph.sources[(graph.actions == divergence) & (graph.sources == graph.targets) & alone[graph.sources]]
    names = graph.action_names[:divergence] if divergence >= 0 else graph.action_names
    tails = np.concatenate([part.sources[essential], cycle[0], loops])
    silent = np.full(len(cycle[0]) + len(loops), internal, dtype=part.actions.dtype)
    actions = np.concatenate([part.actions[essential], silent])
    heads = np.concatenate([part.targets[essential], cycle[1], loops])
    small = with_transitions(graph, tails, actions, heads)
    return Graph(small.offsets, small.actions, small.targets, small.initial, small.labels, names, small.label_names)


def _replaced(graph: Graph, internal: int, run: Run, choice: str) -> NDArray[np.bool_]:
    """The transitions of a graph without silent cycles that longer paths replace."""
    silent = graph.actions == internal
    before, after = np.zeros((2, graph.states), dtype=np.bool_)
    before[graph.sources[silent]] = after[graph.targets[silent]] = True
    replaced = np.zeros(graph.transitions, dtype=np.bool_)
    asked = np.flatnonzero(before[graph.sources] | after[graph.targets])  # no longer path replaces the others
    if not len(asked):
        return replaced
    paths = weak_paths(graph, internal, run, choice=choice)
    longer = longer_paths(paths)
    tails = paths.component[graph.sources[asked]]
    visible = 2 * paths.nodes_of(tails, graph.actions[asked].astype(np.int64))
    nodes = np.where(silent[asked], 2 * paths.graph.nodes + tails, visible)
    ends, column_of_end = np.unique(graph.targets[asked], return_inverse=True)
    columns = np.full(graph.states, -1, dtype=np.int64)
    columns[ends] = np.arange(len(ends))
    for begin in range(0, len(ends), longer.width):
        run.step("essential transitions", states=begin)
        rows = longer.rows(columns, begin, min(begin + longer.width, len(ends)))
        here = np.flatnonzero((column_of_end >= begin) & (column_of_end < begin + longer.width))
        bit = column_of_end[here] - begin
        replaced[asked[here]] = rows[nodes[here], bit >> 6] >> (bit & 63).astype(np.uint64) & np.uint64(1)
    return replaced


def _cycles(weak: Graph, component: NDArray[np.int64]) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """For each class, the first class of its silent cycle, by label; and the transitions of cycles of more than one class."""
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
