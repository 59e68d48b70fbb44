"""The weak transitions of a graph: silent steps, then perhaps an action, then silent steps again.

Reference: Kanellakis, Smolka 1990, CCS expressions, finite state processes, and three problems of equivalence, section 4; as in
           mCRL2 (weak_bisimulation_reduce), branching bisimulation comes first, and divergence becomes an action.
Symbols:   s ⇒ t if silent steps, perhaps none, lead from s to t; s ⇒a⇒ t with an action in between.
Invariant: states related by branching bisimulation are related by every weak relation, so that a graph may be replaced by its
           quotient, with divergence if the relation sees it.
Deviates:  states have labels: those between the ends of ⇒ are not seen. If divergence matters, a state on a silent cycle, with
           any labels along it, has a transition to itself by the action that marks divergence.
Cost:      the branching bisimulation, and a search from each state of the quotient; space by the number of weak transitions,
           which is quadratic in the worst case.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest import tuning
from coarsest._kernels.choose import kernels
from coarsest.errors import LimitExceeded
from coarsest.lts.attended import attended
from coarsest.lts.branching.branching_bisimulation import MARK, branching_quotient
from coarsest.lts.closures import on_cycles
from coarsest.lts.csr import Csr
from coarsest.lts.labelled import INTERNAL, Graph, Numbers
from coarsest.lts.union import internal_action
from coarsest.run import Run


def branching_classes(
    graph: Graph, run: Run, *, divergence: bool, choice: str = "auto"
) -> tuple[Graph, NDArray[np.int64], int]:
    """The quotient by branching bisimulation, perhaps with divergence, the class of each state, and the internal action."""
    steps, class_of = branching_quotient(graph, run, divergence=divergence, choice=choice)
    names = steps.action_names if internal_action(steps) >= 0 else (*steps.action_names, INTERNAL[0])
    steps = Graph(steps.offsets, steps.actions, steps.targets, steps.initial, steps.labels, names, steps.label_names)
    return steps, class_of, internal_action(steps)


def marked_by_divergence(steps: Graph, run: Run) -> Graph:
    """The graph with a mark at each state on a silent cycle."""
    csr = Csr(steps.offsets.astype(np.int64, copy=False), steps.targets)
    cyclic = np.flatnonzero(on_cycles(csr, run, steps.actions == internal_action(steps))[0])
    mark = MARK
    while mark in steps.action_names:
        mark += "'"
    more = cyclic, np.full(len(cyclic), len(steps.action_names)), cyclic
    columns = [np.concatenate(pair) for pair in zip((steps.sources, steps.actions, steps.targets), more)]
    return with_transitions(steps, *columns, names=(*steps.action_names, mark))


def with_transitions(graph: Graph, *columns: NDArray[Any], names: tuple[str, ...] = ()) -> Graph:
    """The states of a graph with other transitions, perhaps by other actions."""
    return Graph.from_edges(
        graph.states, *columns, initial=graph.initial, labels=graph.labels, action_names=names or graph.action_names,
        label_names=graph.label_names,
    )  # fmt: skip


def silent_part(graph: Graph, internal: int) -> Csr:
    """The internal transitions of a graph."""
    silent = graph.actions == internal
    offsets = np.zeros(graph.states + 1, dtype=np.int64)
    np.cumsum(np.bincount(graph.sources[silent], minlength=graph.states), out=offsets[1:])
    return Csr(offsets, graph.targets[silent])


def silently_reached(graph: Graph, internal: int, run: Run, *, most: int | None = None, choice: str = "auto") -> Csr:
    """The states that each state reaches by silent steps, itself first."""
    csr = silent_part(graph, internal)
    kernel = kernels("paths.saturation", graph.transitions, choice)
    lengths, (reached,) = _in_portions(run, graph.states, 1, partial(kernel.silent_rows, csr.offsets, csr.targets), most)
    return Csr(np.append(0, np.cumsum(lengths)), reached)


def weak_transitions(
    graph: Graph, run: Run, *, before: bool = True, after: bool = True, most: int | None = None, choice: str = "auto"
) -> Graph:
    """The graph with all weak transitions instead of its own: silent steps, perhaps none, become one transition, and so does an
    action with silent steps before and after it, or on one side only. Raises LimitExceeded if there are more than `most`."""
    internal = internal_action(graph)
    reach = silently_reached(graph, internal, run, most=most, choice=choice)
    alone = Csr(np.arange(graph.states + 1), np.arange(graph.states))
    visible = graph.actions != internal
    offsets = np.append(0, np.cumsum(visible))[graph.offsets]
    kernel = kernels("paths.saturation", graph.transitions, choice)
    rows = offsets, graph.actions[visible].astype(np.int64), graph.targets[visible].astype(np.int64)
    sides = [part for csr in (reach if before else alone, reach if after else alone) for part in (csr.offsets, csr.targets)]
    lengths, (ends, actions) = _in_portions(run, graph.states, 2, partial(kernel.weak_rows, *rows, *sides), most)
    sources = [np.repeat(np.arange(graph.states), np.diff(reach.offsets)), np.repeat(np.arange(graph.states), lengths)]
    return with_transitions(
        graph, np.concatenate(sources), np.concatenate([np.full(reach.edges, internal), actions]),
        np.concatenate([reach.targets, ends]),
    )  # fmt: skip


def _in_portions(
    run: Run, states: int, columns: int, call: Callable[..., int], most: int | None
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """The lengths of the rows that a kernel fills in several calls, and the columns of their entries."""
    ends, stamps = np.zeros(states, dtype=np.int64), np.empty(states, dtype=np.int64)
    room, start, written = tuning.ARRAY_PIECE // 8, 0, 0
    lengths = np.zeros(states, dtype=np.int64)
    portions: list[list[Numbers]] = [[] for _ in range(columns)]
    while start < states:
        stamps.fill(-1)
        out = [np.empty(room, dtype=np.int64) for _ in range(columns)]
        run.step("weak transitions", states=start, transitions=written)
        (stop,) = attended(run, "weak transitions", partial(call, start, ends, *out, stamps))
        if stop == start:
            room *= 2  # a single state has more weak transitions
            continue
        lengths[start:stop] = np.diff(ends[start:stop], prepend=0)
        for portion, column in zip(portions, out):
            portion.append(column[: ends[stop - 1]].copy())
        start, written = int(stop), written + int(ends[stop - 1])
        if most is not None and written > most:
            raise LimitExceeded("work", f"internal steps give more than {most:,} weak steps")
    return lengths, [np.concatenate(portion) if portion else np.zeros(0, dtype=np.int64) for portion in portions]
