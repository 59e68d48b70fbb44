"""Graphs as Büchi automata of RABIT."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from coarsest.errors import Unsupported
from coarsest.formats.ba.read import ACCEPTING, LABELS

if TYPE_CHECKING:
    from coarsest.graph.labelled import Graph

PIECE = 50_000


def pieces(graph: Graph) -> Iterator[bytes]:
    """The text in pieces of moderate size; a graph without labels is written with all states accepting.

    >>> from coarsest.formats.ba.read import parse
    >>> from coarsest.text import Source
    >>> print(b"".join(pieces(parse(Source("two.ba", "p\\na,p->q\\nb,q->p\\nq\\n")))).decode(), end="")
    [0]
    a,[0]->[1]
    b,[1]->[0]
    [1]
    """
    if set(graph.label_names) - {*LABELS}:
        raise Unsupported("this format knows no labels of states but `accepting`")
    for name in graph.action_names:
        if "," in name or "->" in name or "\n" in name:
            raise Unsupported(f"the action `{name}` cannot be written in this format", hint="write .aut instead")
    yield "".join(f"[{state}]\n" for state in graph.initial.tolist()).encode()
    sources, names = graph.sources, graph.action_names
    for begin in range(0, graph.transitions, PIECE):
        part = slice(begin, begin + PIECE)
        rows = zip(graph.actions[part].tolist(), sources[part].tolist(), graph.targets[part].tolist())
        yield "".join(f"{names[action]},[{source}]->[{target}]\n" for action, source, target in rows).encode()
    seen = [graph.label_names[label] for label in graph.labels.tolist()] if len(graph.label_names) > 1 else []
    yield "".join(f"[{state}]\n" for state, name in enumerate(seen) if name == ACCEPTING).encode()
