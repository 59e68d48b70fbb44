"""The end of many rounds in memory: once the part of the graph that can still change fits there, kernels finish it.

Only blocks of several states can be split, and only transitions from their states matter for that. A state alone in its block
stays so; as a target it is known by that block. So the rest is a graph of its own, with blocks as labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coarsest.lts.tables.engine import Engine
from coarsest.run import Run

if TYPE_CHECKING:
    from ibis.expr.types import Table

BYTES = 200  # per transition, at the most crowded moment
SHARE = 0.2  # of a memory limit: the database has most of it
MOST_TRANSITIONS = 20_000_000  # without a limit


def rest_in_memory(engine: Engine, edges: Table, blocks: Table, *, actions: int, next_number: int, run: Run) -> Table | None:
    """The final (state, block) of all states in blocks of several, numbered from `next_number`; None if that is too much."""
    sizes = blocks.group_by("block").aggregate(size=lambda rows: rows.count())
    rest = engine.put("rest", blocks.semi_join(sizes.filter(sizes["size"] > 1), "block"))
    steps = engine.put("steps", edges.semi_join(rest, edges.source == rest.state))
    limit = run.limits.mebibytes
    most = MOST_TRANSITIONS if limit is None else int(limit * 2**20 * SHARE / BYTES)
    if engine.count(steps) + engine.count(rest) > most:
        return None
    return _finished(engine, rest, steps, actions=actions, next_number=next_number, run=run)


def _finished(engine: Engine, rest: Table, steps: Table, *, actions: int, next_number: int, run: Run) -> Table:
    import numpy as np

    from coarsest.lts.labelled import Graph
    from coarsest.lts.minimise.classes import bisimulation_classes

    states, labels = engine.columns(rest.order_by("state"), ("state", "block"))
    sources, words, targets = engine.columns(steps, ("source", "action", "target"))
    alone = np.setdiff1d(targets, states)
    members = np.union1d(states, alone)
    names, dense = np.unique(labels, return_inverse=True)
    seen = np.empty(len(members), dtype=np.int64)
    seen[np.searchsorted(members, states)] = dense.reshape(-1)
    seen[np.searchsorted(members, alone)] = len(names) + np.arange(len(alone))
    graph = Graph.from_edges(
        len(members), np.searchsorted(members, sources), words, np.searchsorted(members, targets), labels=seen, initial=(),
        action_names=tuple(map(str, range(actions))), label_names=("",) * (len(names) + len(alone)),
    )  # fmt: skip
    classes = bisimulation_classes(graph, run=run)
    least = members[classes.representatives[classes.class_of[np.searchsorted(members, states)]]]
    return engine.put_arrays("finished", {"state": states, "block": least + next_number})
