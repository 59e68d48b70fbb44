"""The quotient of tables as a graph in memory, where it is small enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coarsest.errors import EvidenceRejected, Unsupported
from coarsest.lts.tables.engine import Engine
from coarsest.lts.tables.numbering import Numbered
from coarsest.run import Run

if TYPE_CHECKING:
    from ibis.expr.types import Table

    from coarsest.lts.labelled import Graph

MOST_TRANSITIONS = 50_000_000


def quotient_graph(engine: Engine, source: Numbered, partition: Table, edges: Table, transitions: int) -> Graph:
    """Classes are numbered in the order of their least states; those of initial states are initial."""
    import numpy as np

    from coarsest.lts.labelled import Graph

    if transitions > MOST_TRANSITIONS:
        raise Unsupported(f"the quotient has {transitions:,} transitions: too many for a graph in memory",
                          hint="write a table: -o FILE.parquet")  # fmt: skip
    leaders = partition.filter(partition.state == partition.least).select("state")
    leaders = leaders.join(source.blocks, "state").select("state", "block")
    least, labels = engine.columns(leaders.order_by("state"), ("state", "block"))
    tails, actions, heads = engine.columns(edges, ("source", "action", "target"))
    used, labels = np.unique(labels, return_inverse=True)
    initial: list[int] = []
    if source.initial:
        rows = engine.put_rows("initial", {"state": source.initial}, {"state": "int64"})
        initial = sorted(int(row["least"]) for row in engine.rows(partition.semi_join(rows, "state").select("least").distinct()))
    return Graph.from_edges(
        len(least), np.searchsorted(least, tails), actions, np.searchsorted(least, heads),
        initial=np.searchsorted(least, np.array(initial, dtype=np.int64)), labels=labels.reshape(-1),
        action_names=source.action_names, label_names=tuple(source.label_names[number] for number in used.tolist()) or ("",),
    )  # fmt: skip


def canonical_graph(graph: Graph, run: Run) -> Graph:
    """The quotient with the numbers that the kernels give it, reachable classes only.

    The kernels minimise it once more for that. If it became smaller, the bisimulation would not have been the coarsest.
    """
    from coarsest.lts.minimise.minimise import minimise

    whole = minimise(graph, keep_unreachable=True, run=run)
    if whole.graph.states != graph.states:
        raise EvidenceRejected(f"{graph.states - whole.graph.states:,} classes could be merged into others")
    return minimise(graph, run=run).graph
