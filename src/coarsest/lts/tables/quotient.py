"""Classes and the transitions between them, as tables or as a graph, and an exact check that the partition is stable.

A partition is stable when all states of a class have the same set of (action, class of the target). Counting decides this
without any hash: for each (class, action, class), all states of the first class must have such a transition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from coarsest.errors import EvidenceRejected, Unsupported
from coarsest.lts.tables.database import Database
from coarsest.lts.tables.numbering import Numbered
from coarsest.run import Run

if TYPE_CHECKING:
    from ibis.expr.types import Table

    from coarsest.lts.labelled import Graph

MOST_TRANSITIONS: Final = 50_000_000
"""A larger quotient does not become a graph in memory."""


class TableQuotient(Struct, frozen=True):
    """`partition` (state, class) and `edges` (source, action, target), with classes named by their least states."""

    partition: Table
    edges: Table
    stable: bool


def quotient(database: Database, graph: Numbered, blocks: Table) -> TableQuotient:
    """The quotient by any partition; `stable` says whether the partition is a bisimulation."""
    least = blocks.group_by("block").aggregate(least=lambda rows: rows.state.min(), size=lambda rows: rows.count())
    least = database.put("least", least)
    partition = database.put("partition", blocks.join(least, "block").select("state", "least"))
    actions = len(graph.action_names)
    heads = partition.view()
    steps = graph.edges.join(heads, graph.edges.target == heads.state)
    steps = steps.select("source", code=heads.least * actions + graph.edges.action).distinct()
    steps = steps.join(partition, steps.source == partition.state).select(steps.code, source=partition.least)
    between = steps.group_by("source", "code").aggregate(able=lambda rows: rows.count())
    between = database.put("between", between)
    sized = between.join(least, between.source == least.least)
    unstable = database.count(sized.filter(sized.able != sized["size"]).limit(1))
    edges = between.select("source", action=between.code % actions, target=between.code // actions)
    return TableQuotient(partition, edges, unstable == 0)


def quotient_graph(database: Database, source: Numbered, partition: Table, edges: Table, transitions: int) -> Graph:
    """The quotient as a graph. Classes are numbered in the order of their least states; those of initial states are initial."""
    import numpy as np

    from coarsest.lts.labelled import Graph

    if transitions > MOST_TRANSITIONS:
        raise Unsupported(f"the quotient has {transitions:,} transitions: too many for a graph in memory",
                          hint="write a table: -o FILE.parquet")  # fmt: skip
    leaders = partition.filter(partition.state == partition.least).select("state")
    leaders = leaders.join(source.blocks, "state").select("state", "block")
    least, labels = database.columns(leaders.order_by("state"), ("state", "block"))
    tails, actions, heads = database.columns(edges, ("source", "action", "target"))
    used, labels = np.unique(labels, return_inverse=True)
    initial: list[int] = []
    if source.initial:
        rows = database.put_rows("initial", {"state": source.initial}, {"state": "int64"})
        classes = database.rows(partition.semi_join(rows, "state").select("least").distinct())
        initial = sorted(int(row["least"]) for row in classes)
    return Graph.from_edges(
        len(least), np.searchsorted(least, tails), actions, np.searchsorted(least, heads),
        initial=np.searchsorted(least, np.array(initial, dtype=np.int64)), labels=labels.reshape(-1),
        action_names=source.action_names, label_names=tuple(source.label_names[number] for number in used.tolist()) or ("",),
    )  # fmt: skip


def canonical_graph(graph: Graph, run: Run) -> Graph:
    """The reachable part of the quotient with the numbers that the kernels give it, because they minimise it once more.

    If it became smaller, the bisimulation would not have been the coarsest.
    """
    from coarsest.lts.minimise.minimise import minimise

    whole = minimise(graph, keep_unreachable=True, run=run)
    if whole.graph.states != graph.states:
        raise EvidenceRejected(f"{graph.states - whole.graph.states:,} classes could be merged into others")
    return minimise(graph, run=run).graph
