"""Failures as traces: a refusal becomes a transition, and a divergent state can do anything.

Reference: Brookes, Hoare, Roscoe 1984, A theory of communicating sequential processes; Roscoe 2010, Understanding concurrent
           systems, chapter 11; the questions as in Laveaux, Groote, Willemse 2021, Correct and efficient antichain algorithms for
           refinement checking.
Symbols:   I(s) are the actions that s can do at once. A state that counts (any; for weak failures, one without internal
           transitions) refuses a set X of actions if none of X is in I(s).
Invariant: failures are included iff traces of the marked graphs are: q refuses all but I(p) iff I(q) ⊆ I(p), iff q has the
           mark I(p).
Deviates:  the paper asks whether sets of refusals are included at each pair of its search; here a state has a transition for
           each I(p) ⊇ I(s) that occurs, so that simulation makes pairs superfluous for failures, too. Where divergence counts,
           a state on a silent cycle has steps to states that can do everything (one for each label).
Cost:      for the marks, states times different sets I(s).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest.lts.closures import on_cycles
from coarsest.lts.csr import Csr
from coarsest.lts.labelled import Graph
from coarsest.run import Run


class Marked(Struct, frozen=True, eq=False):
    """`graph` has the states of a graph first. Its actions from `first_mark` on are marks: mark k says that all actions but
    `ready[k]` are refused, and the last one marks divergence."""

    graph: Graph
    first_mark: int
    ready: Sequence[frozenset[int]]
    menus: Sequence[frozenset[int] | None]
    """The actions that each state of the graph can do at once, if the state counts."""
    chaos: range
    """The states that can do everything."""

    @property
    def divergence(self) -> int:
        """The number of the mark of divergence."""
        return self.first_mark + len(self.ready)


def marked_by_refusals(graph: Graph, run: Run, *, internal: int, divergence: bool = False) -> Marked:
    """The graph with marks; `internal` is the number of the internal action, which no state that counts can do, or -1."""
    menus = _menus(graph, internal)
    ready = sorted({menu for menu in menus if menu is not None}, key=lambda menu: (len(menu), sorted(menu)))
    wider = {menu: [number for number, other in enumerate(ready) if menu <= other] for menu in ready}
    run.step("refusals", sets=len(ready))
    first_mark, sink = len(graph.action_names), graph.states
    marks = [(state, first_mark + mark, sink) for state, menu in enumerate(menus) if menu is not None for mark in wider[menu]]
    labels = len(graph.label_names)
    chaos = range(sink + 1, sink + 1 + labels if divergence else sink + 1)
    if divergence:
        csr = Csr(graph.offsets.astype(np.int64, copy=False), graph.targets)
        cyclic = np.flatnonzero(on_cycles(csr, run, graph.actions == internal)[0]).tolist()
        marks += [(state, internal, end) for state in cyclic for end in chaos]
        marks += [(state, action, end) for state in chaos for action in range(first_mark) for end in chaos]
        marks += [(state, first_mark + mark, sink) for state in chaos for mark in range(len(ready) + 1)]
    more: NDArray[np.int64] = np.array(marks, dtype=np.int64).reshape(-1, 3)
    columns: list[NDArray[Any]] = [
        np.concatenate([old, new]) for old, new in zip((graph.sources, graph.actions, graph.targets), more.T)
    ]
    prefix = "refusal"
    while any(name.startswith(prefix) for name in graph.action_names):
        prefix += "'"
    whole = Graph.from_edges(
        sink + 1 + len(chaos), *columns, initial=graph.initial, labels=[*graph.labels.tolist(), 0, *range(len(chaos))],
        action_names=(*graph.action_names, *(f"{prefix} {mark}" for mark in range(len(ready) + 1))),
        label_names=graph.label_names,
    )  # fmt: skip
    return Marked(whole, first_mark, ready, menus, chaos)


def _menus(graph: Graph, internal: int) -> list[frozenset[int] | None]:
    """The actions that each state can do at once; None for a state with internal transitions."""
    bounds, actions = graph.offsets.tolist(), graph.actions.tolist()
    menus = [frozenset(actions[bounds[state] : bounds[state + 1]]) for state in range(graph.states)]
    return [None if internal in menu else menu for menu in menus]


def needed_refusals(refused: frozenset[int], others: Sequence[frozenset[int]]) -> list[int]:
    """A small set of refused actions that none of the others refuses completely.

    >>> needed_refusals(frozenset({1, 2, 3}), [frozenset({1, 2}), frozenset({2, 4})])
    [2]
    """
    left, needed = [menu & refused for menu in others], list[int]()
    while left:
        action = min(refused, key=lambda action: (-sum(action in menu for menu in left), action))
        needed.append(action)
        left = [menu for menu in left if action not in menu]
    return sorted(needed)
