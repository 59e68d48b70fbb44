"""Determinisation, and the smallest deterministic graph with the same traces.

Reference: Rabin, Scott 1959, Finite automata and their decision problems: sets of states. Weak traces are those of the graph of
           weak transitions.
Symbols:   a state of the result is a set of states with one label: all that a trace leads to.
Invariant: every set in the queue has all states that some trace leads to.
Deviates:  a graph is deterministic here if a state has, by each action, at most one successor for each label; there is one
           initial state for each label. What simulation makes superfluous is taken away before.
Cost:      exponential in the worst case; each set costs the transitions of its states.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from coarsest.lts.certificates import GraphCertificate
from coarsest.lts.closures import reachable_part
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.minimise import LateCertificate, Minimised, minimise
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.simulation.preorder_ranzato_tapparo import simulation_preorder
from coarsest.lts.simulation.smallest_bustan_grumberg import without_little_brothers
from coarsest.lts.union import internal_action, side_by_side, tidied
from coarsest.run import Run

if TYPE_CHECKING:
    from collections.abc import Iterable


def determinised(graph: Graph, run: Run) -> Graph:
    """The deterministic graph with the traces of a tidied one, reachable states only.

    >>> graph = Graph.from_edges(4, [0, 0, 1, 2], [0, 0, 1, 2], [1, 2, 3, 3], action_names=("a", "b", "c"))
    >>> determinised(graph, Run())
    <Graph: 3 states, 3 transitions, 3 actions>
    """
    labels = graph.labels.tolist()
    bounds, actions, targets = graph.offsets.tolist(), graph.actions.tolist(), graph.targets.tolist()
    numbers: dict[tuple[int, ...], int] = {}
    sets: list[tuple[int, ...]] = []

    def number_of(members: tuple[int, ...]) -> int:
        if members not in numbers:
            numbers[members] = len(sets)
            sets.append(members)
        return numbers[members]

    initial = [number_of(part) for part in _by_label(graph.initial.tolist(), labels)]
    rows: list[tuple[int, int, int]] = []
    for source, members in enumerate(sets):  # grows
        run.step("determinise", sets=len(sets), transitions=len(rows))
        after: dict[int, set[int]] = {}
        for state in members:
            for place in range(bounds[state], bounds[state + 1]):
                after.setdefault(actions[place], set()).add(targets[place])
        for action, ends in sorted(after.items()):
            rows += [(source, action, number_of(part)) for part in _by_label(ends, labels)]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Graph.from_edges(
        len(sets), *columns, initial=initial, labels=[labels[members[0]] for members in sets], action_names=graph.action_names,
        label_names=graph.label_names,
    )  # fmt: skip


def _by_label(states: Iterable[int], labels: list[int]) -> list[tuple[int, ...]]:
    parts: dict[int, list[int]] = {}
    for state in sorted(set(states)):
        parts.setdefault(labels[state], []).append(state)
    return [tuple(parts[label]) for label in sorted(parts)]


def minimise_by_traces(
    graph: Graph, *, weak: bool = False, keep_unreachable: bool = False, run: Run | None = None
) -> Minimised:
    """The smallest deterministic graph with the same traces, or weak traces. No state of it stands for one of the original."""
    run, relation = run or Run(), "weak-traces" if weak else "traces"
    whole = reachable_part(tidied(graph), run)[0]
    if weak:
        from coarsest.lts.weak.weak_bisimulation import weak_classes

        whole = weak_classes(whole, run).saturated(run)
    alike = bisimulation_classes(whole, run=run)
    small = tidied(merged(whole, alike.class_of))
    blocks = small.states
    if not _is_deterministic(small):
        order = simulation_preorder(small, run)
        blocks, small = order.blocks, tidied(without_little_brothers(merged(small, order.block), order))
    smallest = minimise(determinised(small, run), run=run).graph
    if weak:
        smallest = _without_silent_loops(smallest)
    nowhere = np.full(graph.states, -1, dtype=np.int64)
    claim = LateCertificate(blocks + smallest.states, partial(_claimed, relation, graph, smallest, run))
    return Minimised(smallest, nowhere, relation, "determinise", alike.work, claim)


def determinise(graph: Graph, *, keep_unreachable: bool = False, run: Run | None = None) -> Minimised:
    """The graph of sets of states, as it is; see `determinised`."""
    run = run or Run()
    result = determinised(tidied(graph), run)
    claim = LateCertificate(graph.states + result.states, partial(_claimed, "traces", graph, result, run))
    nowhere = np.full(graph.states, -1, dtype=np.int64)
    return Minimised(result, nowhere, "traces", "determinise", graph.transitions, claim)


def _is_deterministic(graph: Graph) -> bool:
    """Is there at most one successor for each action and label, and at most one initial state for each label?"""
    labels = len(graph.label_names)
    codes = (graph.sources.astype(np.int64) * len(graph.action_names) + graph.actions) * labels + graph.labels[graph.targets]
    seen_at_start = graph.labels[graph.initial]
    return len(np.unique(codes)) == len(codes) and len(np.unique(seen_at_start)) == len(seen_at_start)


def _without_silent_loops(graph: Graph) -> Graph:
    proper = (graph.actions != internal_action(graph)) | (graph.sources != graph.targets)
    return Graph.from_edges(
        graph.states, graph.sources[proper], graph.actions[proper], graph.targets[proper], initial=graph.initial,
        labels=graph.labels, action_names=graph.action_names, label_names=graph.label_names,
    )  # fmt: skip


def _claimed(relation: str, graph: Graph, result: Graph, run: Run) -> GraphCertificate:
    """The evidence of a comparison with the original."""
    from coarsest.lts.compare.compare_by_preorder import compare_by_traces

    both = side_by_side(graph, result)
    comparison = compare_by_traces(both, graph.states, run, preorder=False, weak=relation == "weak-traces")
    assert comparison.related and comparison.evidence is not None, "the result has the same traces"
    return comparison.evidence
