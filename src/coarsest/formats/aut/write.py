"""Graphs as Aldébaran text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from coarsest.errors import Unsupported

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

PIECE = 1 << 18
BARE = "i"
"""The hidden action of CADP is written without quotation marks."""


def write(graph: Graph) -> str:
    """The graph as text, a transition on each line, in the order of their sources.

    >>> from coarsest.formats.aut.read import parse
    >>> print(write(parse(b'des (0,2,2)\\n(1,i,0)\\n(0,a,1)\\n')), end="")
    des (0, 2, 2)
    (0, "a", 1)
    (1, i, 0)
    """
    return b"".join(pieces(graph)).decode("utf-8", "surrogateescape")


def pieces(graph: Graph, *, choice: str = "auto") -> Iterator[bytes]:
    """The text in pieces of moderate size, as bytes; `choice` is of "auto", "compiled" and "pure"."""
    import numpy as np

    from coarsest._kernels.choose import kernels

    require_writable(graph)
    yield f"des ({graph.initial[0]}, {graph.transitions}, {graph.states})\n".encode()
    labels = label_texts(graph.action_names)
    label_offsets = np.zeros(len(labels) + 1, dtype=np.int64)
    np.cumsum([len(label) for label in labels], out=label_offsets[1:])
    text = np.empty(PIECE + max(map(len, labels)), dtype=np.uint8)
    written = np.frombuffer(b"".join(labels), dtype=np.uint8)
    reached = np.zeros(2, dtype=np.int64)
    kernel = kernels("text.aut_lines", graph.transitions, choice)
    while reached[1] < graph.transitions:
        used = kernel.write_lines(graph.offsets, graph.actions, graph.targets, written, label_offsets, text, reached)
        yield text[:used].tobytes()


def label_texts(names: Sequence[str]) -> list[bytes]:
    """The names of actions as they are written."""
    return [(name if name == BARE else f'"{name}"').encode("utf-8", "surrogateescape") for name in names]


def require_writable(graph: Graph) -> None:
    """Complain about what the format cannot say."""
    if len(graph.initial) != 1:
        message = f"Aldébaran text has one initial state, and this graph has {len(graph.initial)}"
        raise Unsupported(message, hint="write .ba instead")
    if len(graph.label_names) > 1:
        raise Unsupported("Aldébaran text has no labels on states", hint="write .ba instead")
