"""Graphs as Büchi automata of RABIT."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from coarsest.errors import Unsupported
from coarsest.formats.ba.read import ACCEPTING, LABELS

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

PIECE: Final = 50_000
"""The number of transitions in a piece of text."""
BLANKS = " \t\r\v\f"


def pieces(graph: Graph) -> Iterator[bytes]:
    """The text in pieces of moderate size; a graph without labels is written with all states accepting.

    >>> from coarsest.formats.ba.read import parse
    >>> print(b"".join(pieces(parse(b"p\\na,p->q\\nb,q->p\\nq\\n"))).decode(), end="")
    [0]
    a,[0]->[1]
    b,[1]->[0]
    [1]
    """
    accepting = _accepting(graph)
    _require_writable(graph)
    yield "".join(f"[{state}]\n" for state in graph.initial.tolist()).encode()
    sources, names = graph.sources, graph.action_names
    for begin in range(0, graph.transitions, PIECE):
        part = slice(begin, begin + PIECE)
        rows = zip(graph.actions[part].tolist(), sources[part].tolist(), graph.targets[part].tolist())
        text = "".join(f"{names[action]},[{source}]->[{target}]\n" for action, source, target in rows)
        yield text.encode("utf-8", "surrogateescape")
    yield "".join(f"[{state}]\n" for state in accepting).encode()


def _accepting(graph: Graph) -> list[int]:
    """The states to be listed as accepting, or none if all states are accepting."""
    if set(graph.label_names) - {*LABELS}:
        raise Unsupported("this format has no labels of states except `accepting`")
    if len(graph.label_names) == 1:
        return []
    accepting = [state for state, label in enumerate(graph.labels.tolist()) if graph.label_names[label] == ACCEPTING]
    if not accepting:
        raise Unsupported("a graph without accepting states cannot be written in this format: all states would become accepting")
    if len(accepting) == graph.states:
        return []
    if not graph.transitions:
        raise Unsupported("this format cannot distinguish accepting states without transitions from initial ones")
    return accepting


def _require_writable(graph: Graph) -> None:
    """Raise an error if the text would not be read back as the same graph."""
    if not len(graph.initial):
        raise Unsupported("a graph without initial states cannot be written in this format")
    for action in set(graph.actions.tolist()):
        name = graph.action_names[action]
        if not name:
            raise Unsupported("a graph without actions cannot be written in this format", hint="write .aut instead")
        if "," in name or "\n" in name or name != name.strip(BLANKS):
            raise Unsupported(f"the action `{name}` cannot be written in this format", hint="write .aut instead")
