"""Graphs as Aldébaran text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coarsest.errors import Unsupported

if TYPE_CHECKING:
    from coarsest.graph.labelled import Graph

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
    require_writable(graph)
    labels = [name if name == BARE else f'"{name}"' for name in graph.action_names]
    rows = zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist())
    lines = [f"({source}, {labels[action]}, {target})\n" for source, action, target in rows]
    return f"des ({graph.initial[0]}, {graph.transitions}, {graph.states})\n" + "".join(lines)


def require_writable(graph: Graph) -> None:
    """Complain about what the format cannot say."""
    if len(graph.initial) != 1:
        message = f"Aldébaran text has one initial state, and this graph has {len(graph.initial)}"
        raise Unsupported(message, hint="write .ba or .hoa instead")
    if len(graph.label_names) > 1:
        raise Unsupported("Aldébaran text has no labels on states", hint="write .ba or .hoa instead")
