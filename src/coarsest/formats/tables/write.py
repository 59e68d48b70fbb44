"""Graphs as tables with a row for each transition: Parquet, or text with separators."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING

from coarsest.errors import InputError, Unsupported

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

COLUMNS = ("source", "action", "target")


def require_library() -> None:
    """Raise an error before the work starts if PyArrow is missing."""
    if find_spec("pyarrow") is None:
        raise InputError("writing tables requires PyArrow, which is not installed", hint="pip install 'coarsest[duckdb]'")


def pieces(graph: Graph, path: str) -> Iterator[bytes]:
    """The bytes of a table in the format that the file name asks for; a graph without actions has no column for them."""
    import pyarrow as pa
    from pyarrow import csv, parquet

    if len(graph.label_names) > 1:
        raise Unsupported("a table of transitions has no labels on states", hint="write .npz or .ba instead")
    words = pa.array([name.encode("utf-8", "replace").decode() for name in graph.action_names])
    action = pa.DictionaryArray.from_arrays(pa.array(graph.actions), words)
    columns = [pa.array(graph.sources), action, pa.array(graph.targets)]
    table = pa.table(dict(zip(COLUMNS, columns)))
    if graph.action_names == ("",):
        table = table.drop_columns(["action"])
    file = BytesIO()
    if not path.lower().endswith((".csv", ".tsv")):
        parquet.write_table(table, file)
    else:
        table = table if graph.action_names == ("",) else table.set_column(1, "action", table["action"].cast(pa.string()))
        separator = "\t" if path.lower().endswith(".tsv") else ","
        csv.write_csv(table, file, csv.WriteOptions(delimiter=separator, quoting_style="needed"))
    yield file.getvalue()
