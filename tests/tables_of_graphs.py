"""Graphs as tables for tests: written with every column, read back as partitions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from coarsest.lts.labelled import Graph
from coarsest.lts.tables.tables import EdgeTable, StateTable


def write_tables(graph: Graph, folder: Path, *, suffix: str = ".parquet", naming: Any = int) -> tuple[EdgeTable, StateTable]:
    """The graph in two files; `naming` makes identifiers of numbers."""
    names = [naming(state) for state in range(graph.states)]
    edges = pa.table({
        "source": pa.array([names[s] for s in graph.sources.tolist()], type=_kind(names)),
        "action": pa.array([graph.action_names[a] for a in graph.actions.tolist()], type=pa.string()),
        "target": pa.array([names[t] for t in graph.targets.tolist()], type=_kind(names)),
    })  # fmt: skip
    states = pa.table({
        "state": names,
        "label": [graph.label_names[number] for number in graph.labels.tolist()],
        "initial": [state in graph.initial.tolist() for state in range(graph.states)],
    })  # fmt: skip
    write_table(edges, folder / f"edges{suffix}")
    write_table(states, folder / f"states{suffix}")
    return EdgeTable((str(folder / f"edges{suffix}"),)), StateTable((str(folder / f"states{suffix}"),))


def _kind(names: list[Any]) -> pa.DataType:
    return pa.string() if isinstance(names[0], str) else pa.int64()


def write_table(table: pa.Table, path: Path) -> None:
    if path.suffix == ".csv":
        pa.csv.write_csv(table, path)
    else:
        pa.parquet.write_table(table, path)


def together(graphs: list[Graph]) -> Graph:
    """The graphs side by side, as one."""
    before = np.cumsum([0] + [graph.states for graph in graphs]).tolist()
    actions = tuple(sorted({name for graph in graphs for name in graph.action_names}))
    labels = tuple(sorted({name for graph in graphs for name in graph.label_names}))
    parts = [
        (
            graph.sources + shift, [actions.index(graph.action_names[a]) for a in graph.actions.tolist()], graph.targets + shift,
            [labels.index(graph.label_names[number]) for number in graph.labels.tolist()], graph.initial + shift,
        )
        for graph, shift in zip(graphs, before)
    ]  # fmt: skip
    sources, words, targets, seen, initial = (np.concatenate(column).astype(np.int64) for column in zip(*parts))
    return Graph.from_edges(
        before[-1], sources, words, targets, initial=initial, labels=seen, action_names=actions, label_names=labels
    )


def least_members(class_of: list[Any]) -> list[int]:
    """For each state, the first one of its class: the same for all ways to number classes."""
    first: dict[Any, int] = {}
    return [first.setdefault(name, state) for state, name in enumerate(class_of)]
