"""Aldébaran text to graphs, in the dialects of CADP and mCRL2.

The first line is `des (initial, transitions, states)`, every other one a transition `(from, label, to)`. A label may stand in
quotation marks, which are no part of it; without them it may contain commas. `i` (CADP) and `tau` (mCRL2) are hidden actions.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from coarsest.files import STANDARD_INPUT, read_bytes
from coarsest.formats.aut.explain import wrong_header, wrong_line, wrong_number_of_lines
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.graph.labelled import Graph

HIDDEN = frozenset({"i", "tau"})
"""Actions that nobody sees."""

_HEADER = re.compile(rb"\s*des[ \t]*\([ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*\)[ \t\r]*(?:\n|\Z)")


class Header(NamedTuple):
    """What the first line says, and where the second begins."""

    initial: int
    transitions: int
    states: int
    end: int


def read(path: str | os.PathLike[str], *, run: Run | None = None) -> Graph:
    """The graph of a file; `-` is standard input."""
    name = os.fspath(path)
    return parse(read_bytes(name), "<stdin>" if name == STANDARD_INPUT else name, run=run)


def parse(text: bytes, name: str = "<text>", *, run: Run | None = None) -> Graph:
    """The graph that a text describes.

    >>> graph = parse(b'des (0, 2, 2)\\n(0, "send, then wait", 1)\\n(1, i, 0)\\n')
    >>> graph.states, graph.transitions, graph.action_names
    (2, 2, ('send, then wait', 'i'))
    """
    import numpy as np

    from coarsest._kernels.aut_text_pure import parse_lines
    from coarsest.graph.labelled import Graph

    header = _header(text, name)
    kind: Any = np.int32 if header.states < 2**31 else np.int64
    data = np.frombuffer(text, dtype=np.uint8)
    sources, targets = (np.empty(header.transitions, dtype=kind) for _ in range(2))
    actions = np.empty(header.transitions, dtype=np.int32)
    name_places = np.empty((header.transitions, 2), dtype=np.int64)
    found = np.zeros(2, dtype=np.int64)
    place = parse_lines(data, header.end, len(data), header.states, sources, actions, targets, name_places, found)
    if place < len(data):
        raise wrong_line(text, name, place, states=header.states, transitions=header.transitions, found=int(found[0]))
    if found[0] < header.transitions:
        raise wrong_number_of_lines(text, name, header.transitions, int(found[0]))
    names = tuple(text[first:last].decode("utf-8", "replace") for first, last in name_places[: found[1]].tolist())
    return Graph.from_edges(
        header.states, sources, actions, targets, initial=(header.initial,), action_names=names or ("",)
    )


def _header(text: bytes, name: str) -> Header:
    match = _HEADER.match(text)
    if match is None:
        raise wrong_header(text, name)
    header = Header(int(match.group(1)), int(match.group(2)), int(match.group(3)), match.end())
    if header.initial >= max(header.states, 1) or header.states == 0:
        raise wrong_header(text, name)
    return header


