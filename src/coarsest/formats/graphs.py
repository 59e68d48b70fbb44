"""Files that hold explicit graphs: each format is a folder, and one line here."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, cast

from coarsest.errors import FileProblem
from coarsest.files import STANDARD_INPUT, write_whole
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


class GraphFormat(NamedTuple):
    """The endings of files, and the modules with `read(path, run=…)` and, if it is written, `pieces(graph)`."""

    suffixes: tuple[str, ...]
    title: str
    reader: str
    writer: str = ""


GRAPH_FORMATS: Mapping[str, GraphFormat] = MappingProxyType(
    {
        "aut": GraphFormat((".aut",), "Aldébaran", "coarsest.formats.aut.read", "coarsest.formats.aut.write"),
        "ba": GraphFormat((".ba",), "Büchi automata of RABIT", "coarsest.formats.ba.read", "coarsest.formats.ba.write"),
        "hoa": GraphFormat((".hoa",), "Hanoi omega-automata", "coarsest.formats.hoa.read_graph"),
    }
)


def graph_format_of(path: str) -> str | None:
    """The name of the format of a graph file by its ending; None if it is no graph.

    >>> graph_format_of("philosophers.aut"), graph_format_of("philosophers.smv")
    ('aut', None)
    """
    for name, found in GRAPH_FORMATS.items():
        if path.lower().endswith(found.suffixes):
            return name
    return None


def read_graph(path: str | os.PathLike[str], *, format: str | None = None, run: Run | None = None) -> Graph:
    """The graph of a file, by its ending or in the named format; standard input (`-`) is Aldébaran text if nothing is said."""
    name = format or graph_format_of(os.fspath(path)) or ("aut" if os.fspath(path) == STANDARD_INPUT else None)
    if name is None or name not in GRAPH_FORMATS:
        raise _unknown(os.fspath(path), name, "")
    return cast("Graph", import_module(GRAPH_FORMATS[name].reader).read(path, run=run))


def graph_to_pieces(graph: Graph, path: str) -> Iterable[bytes]:
    """The text of a graph in the format that a file name asks for, in pieces; on standard output it is Aldébaran text."""
    name = graph_format_of(path) or ("aut" if path == STANDARD_INPUT else None)
    if name is None or not GRAPH_FORMATS[name].writer:
        raise _unknown(path, None, "written")
    return cast("Iterable[bytes]", import_module(GRAPH_FORMATS[name].writer).pieces(graph))


def write_graph(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write a graph to a file, whole or not at all, in the format that its name asks for."""
    write_whole(path, graph_to_pieces(graph, os.fspath(path)))


def require_graph_format(path: str) -> None:
    """Complain about a file whose name tells no format for a graph, before the work."""
    name = graph_format_of(path)
    if path != STANDARD_INPUT and (name is None or not GRAPH_FORMATS[name].writer):
        raise _unknown(path, None, "written")


def _unknown(path: str, name: str | None, written: str) -> FileProblem:
    formats = [found for found in GRAPH_FORMATS.values() if found.writer or not written]
    if name is not None:
        return FileProblem(f"there is no format `{name}` for graphs", hint=f"formats are {', '.join(GRAPH_FORMATS)}")
    endings = ", ".join(suffix for found in formats for suffix in found.suffixes)
    return FileProblem(f"the format of '{path}' is not known by its name", hint=f"graphs are {written or 'read'} as {endings}")
