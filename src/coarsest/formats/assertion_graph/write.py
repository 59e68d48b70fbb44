"""Assertion graphs as text (`.ag`), which `read` reads back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coarsest.logic.expr import TRUE
from coarsest.logic.show import show
from coarsest.model.assertion_graph import AssertionGraph, Vertex


def write(graphs: Sequence[AssertionGraph]) -> str:
    """The graphs, with blank lines between them.

    >>> from coarsest.formats.assertion_graph.read import read
    >>> from coarsest.text import Source
    >>> text = "GRAPH g VERTEX a INITIAL CONS !x VERTEX last FINAL ANT y EDGE a -> {a, last} FAIR {a}"
    >>> print(write(read(Source("g.ag", text))), end="")
    GRAPH g
    VERTEX a     INITIAL  ANT TRUE  CONS !x
    VERTEX last  FINAL    ANT y     CONS TRUE
    EDGE a -> {a, last}
    FAIR {a}
    """
    return "\n".join("".join(f"{line}\n" for line in _lines(graph)) for graph in graphs)


def _lines(graph: AssertionGraph) -> Iterator[str]:
    yield f"GRAPH {graph.name}"
    rows = [_row(graph, index, vertex) for index, vertex in enumerate(graph.vertices)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths) if width]
        yield f"VERTEX {'  '.join(cells)}".rstrip()
    for vertex, after in zip(graph.vertices, graph.successors):
        if after:
            targets = ", ".join(graph.names_of(after))
            yield f"EDGE {vertex.name} -> {targets if len(after) == 1 else f'{{{targets}}}'}"
    for members in graph.fair:
        yield f"FAIR {{{', '.join(graph.names_of(sorted(members)))}}}"


def _row(graph: AssertionGraph, index: int, vertex: Vertex) -> tuple[str, str, str, str]:
    marks = [word for word, members in (("INITIAL", graph.initial), ("FINAL", graph.final)) if index in members]
    trivial = all(condition == TRUE for condition in graph.conditions)
    antecedent, consequent = ("", "") if trivial else (f"ANT {show(vertex.antecedent)}", f"CONS {show(vertex.consequent)}")
    return vertex.name, " ".join(marks), antecedent, consequent
