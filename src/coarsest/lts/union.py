"""Two graphs side by side, so that a relation between their states is a relation on one graph; and the internal action."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.lts.labelled import INTERNAL, Graph, Numbers, width


def side_by_side(first: Graph, second: Graph) -> Graph:
    """The disjoint union: the states of the second follow those of the first. Actions and labels are the same if their names are;
    the two names of the internal action are one.

    >>> one = Graph.from_edges(2, [0], [0], [1], action_names=("tau",))
    >>> two = Graph.from_edges(2, [0, 1], [1, 0], [1, 0], action_names=("i", "a"))
    >>> both = side_by_side(one, two)
    >>> both.states, both.action_names, both.actions.tolist(), both.initial.tolist()
    (4, ('tau', 'a'), [0, 1, 0], [0, 2])
    """
    names, one, two = _shared(first.action_names, second.action_names, same=INTERNAL)
    label_names, one_label, two_label = _shared(first.label_names, second.label_names)
    kind, large = width(first.states + second.states), width(first.transitions + second.transitions)
    rows = (
        np.empty(first.states + second.states + 1, dtype=large),
        np.empty(first.transitions + second.transitions, dtype=np.int32),
        np.empty(first.transitions + second.transitions, dtype=kind),
    )
    used = _write_rows(first, one, rows, 0, 0)
    used = _write_rows(second, two, rows, first.states, used)
    initial = _after(first.initial, second.initial, first.states, kind)
    labels = np.concatenate([one_label[first.labels], two_label[second.labels]]).astype(kind)
    return Graph(rows[0], rows[1][:used], rows[2][:used], initial, labels, names, label_names)


def _write_rows(graph: Graph, actions: Numbers, rows: tuple[Numbers, Numbers, Numbers], start: int, used: int) -> int:
    """Write the transitions of a graph, in order and each once, behind those that are there, its states behind `start` others:
    graphs are large, so there is no copy between. How many transitions are there now?"""
    large, kind = rows[0].dtype, rows[2].dtype
    parts = zip((graph.offsets, graph.actions, graph.targets), (column.dtype for column in rows))
    columns = [np.require(part, wanted, ("C", "W")) for part, wanted in parts]
    everyone = np.arange(graph.states, dtype=kind)
    offsets = rows[0][start : start + graph.states + 1]
    kernel = kernels("partition.quotient", len(rows[1])).block_rows
    kernel(*columns, actions.astype(np.int32), everyone + kind.type(start), everyone, offsets, rows[1][used:], rows[2][used:])
    offsets += large.type(used)
    return int(offsets[-1])


def _after(first: Numbers, second: Numbers, shift: int, kind: type[np.signedinteger[Any]]) -> Numbers:
    """Numbers, followed by others that are raised by `shift`."""
    both = np.concatenate([first, second], dtype=kind)
    both[len(first) :] += kind(shift)
    return both


def internal_action(graph: Graph) -> int:
    """The number of the internal action, or -1."""
    return next((number for number, name in enumerate(graph.action_names) if name in INTERNAL), -1)


def visible(name: str) -> str:
    """The name of an action that can be seen, also where it would be taken for the internal one.

    >>> visible("i"), visible("!i")
    ('(i)', '!i')
    """
    return f"({name})" if name in INTERNAL else name


def with_one_number_for_each_name(graph: Graph) -> Graph:
    """The graph itself, unless two actions have one name, or both of the internal action: then these have one number.

    >>> graph = Graph.from_edges(3, [0, 0], [0, 1], [1, 2], action_names=("tau", "i"))
    >>> with_one_number_for_each_name(graph).action_names, with_one_number_for_each_name(graph).actions.tolist()
    (('i',), [0, 0])
    """
    names, numbers, _ = _shared(graph.action_names, (), same=INTERNAL)
    if len(names) == len(graph.action_names):
        return graph
    actions = numbers[graph.actions].astype(graph.actions.dtype)
    columns = graph.offsets, actions, graph.targets, graph.initial, graph.labels
    return Graph(*columns, names, graph.label_names, graph.state_names)


def tidied(graph: Graph) -> Graph:
    """The graph with transitions in order, each once, and one number for each name; the internal action has one name."""
    names, numbers, _ = _shared(graph.action_names, (), same=INTERNAL)
    label_names, label_numbers, _ = _shared(graph.label_names, ())
    return Graph.from_edges(
        graph.states, graph.sources, numbers.astype(np.int32)[graph.actions], graph.targets, initial=graph.initial,
        labels=label_numbers[graph.labels], action_names=names, label_names=label_names,
    )  # fmt: skip


def _shared(
    first: tuple[str, ...], second: tuple[str, ...], *, same: tuple[str, ...] = ()
) -> tuple[tuple[str, ...], NDArray[np.int64], NDArray[np.int64]]:
    """All names once, and the new numbers of the first and of the second names; those in `same` count as one name: that which
    is earlier in `same` and occurs, in the first names if any does."""
    internal = next((name for names in (first, second) for name in same if name in names), "")
    numbers: dict[str, int] = {}
    moved = [numbers.setdefault(internal if name in same else name, len(numbers)) for name in (*first, *second)]
    places = np.array(moved, dtype=np.int64)
    return tuple(numbers), places[: len(first)], places[len(first) :]
