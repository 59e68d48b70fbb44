"""The quotient of tables as a graph in memory, where it is small enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coarsest.errors import Unsupported
from coarsest.reduce.relational.engine import Engine
from coarsest.reduce.relational.numbering import Numbered

if TYPE_CHECKING:
    from ibis.expr.types import Table

    from coarsest.graph.labelled import Graph

MOST_TRANSITIONS = 50_000_000


def quotient_graph(engine: Engine, source: Numbered, partition: Table, edges: Table, transitions: int) -> Graph:
    """Classes are numbered in the order of their least states; those of initial states are initial."""
    import numpy as np

    from coarsest.graph.labelled import Graph

    if transitions > MOST_TRANSITIONS:
        raise Unsupported(f"the quotient has {transitions:,} transitions: too many for a graph in memory",
                          hint="write a table: -o FILE.parquet")  # fmt: skip
    leaders = partition.filter(partition.state == partition.least).select("state")
    leaders = leaders.join(source.blocks, "state").select("state", "block")
    least, labels = engine.columns(leaders.order_by("state"), ("state", "block"))
    tails, actions, heads = engine.columns(edges, ("source", "action", "target"))
    initial: list[int] = []
    if source.initial:
        rows = engine.put_rows("initial", {"state": source.initial}, {"state": "int64"})
        initial = sorted(int(row["least"]) for row in engine.rows(partition.semi_join(rows, "state").select("least").distinct()))
    return Graph.from_edges(
        len(least), np.searchsorted(least, tails), actions, np.searchsorted(least, heads),
        initial=np.searchsorted(least, np.array(initial, dtype=np.int64)), labels=labels,
        action_names=source.action_names, label_names=source.label_names,
    )  # fmt: skip
