"""Classes and the transitions between them; and whether the partition is stable, exactly.

A partition is stable when all states of a class have the same set of (action, class of the target). Counting decides that
without any hash: for each (class, action, class) the states with such a transition must be all states of the first class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from coarsest.lts.tables.engine import Engine
from coarsest.lts.tables.numbering import Numbered

if TYPE_CHECKING:
    from ibis.expr.types import Table


class Quotient(Struct, frozen=True):
    """`partition` (state, class) and `edges` (source, action, target), classes called by their least states."""

    partition: Table
    edges: Table
    stable: bool


def quotient(engine: Engine, graph: Numbered, blocks: Table) -> Quotient:
    """Of any partition; `stable` says whether it is a bisimulation."""
    least = blocks.group_by("block").aggregate(least=lambda rows: rows.state.min(), size=lambda rows: rows.count())
    least = engine.put("least", least)
    partition = engine.put("partition", blocks.join(least, "block").select("state", "least"))
    actions = len(graph.action_names)
    heads = partition.view()
    steps = graph.edges.join(heads, graph.edges.target == heads.state)
    steps = steps.select("source", code=heads.least * actions + graph.edges.action).distinct()
    steps = steps.join(partition, steps.source == partition.state).select(steps.code, source=partition.least)
    between = steps.group_by("source", "code").aggregate(able=lambda rows: rows.count())
    between = engine.put("between", between)
    sized = between.join(least, between.source == least.least)
    unstable = engine.count(sized.filter(sized.able != sized["size"]).limit(1))
    edges = between.select("source", action=between.code % actions, target=between.code // actions)
    return Quotient(partition, edges, unstable == 0)
