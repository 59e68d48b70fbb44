"""Two graphs side by side, so that a relation between their states is a relation on one graph; and the internal action."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.choose import kernels
from coarsest.lts.labelled import INTERNAL, Graph, Numbers, width


def side_by_side(first: Graph, second: Graph) -> Graph:
    """The disjoint union: the states of the second follow those of the first. Actions and labels with the same name are the same;
    the two names of the internal action count as one.

    >>> one = Graph.from_edges(2, [0], [0], [1], action_names=("tau",))
    >>> two = Graph.from_edges(2, [0, 1], [1, 0], [1, 0], action_names=("i", "a"))
    >>> both = side_by_side(one, two)
    >>> both.states, both.action_names, both.actions.tolist(), both.initial.tolist()
    (4, ('tau', 'a'), [0, 1, 0], [0, 2])
    """
    names, first_actions, second_actions = _shared(first.action_names, second.action_names, same=INTERNAL)
    label_names, first_labels, second_labels = _shared(first.label_names, second.label_names)
    kind, large = width(first.states + second.states), width(first.transitions + second.transitions)
    rows = (
        np.empty(first.states + second.states + 1, dtype=large),
        np.empty(first.transitions + second.transitions, dtype=np.int32),
        np.empty(first.transitions + second.transitions, dtype=kind),
    )
    used = _write_rows(first, first_actions, rows, 0, 0)
    used = _write_rows(second, second_actions, rows, first.states, used)
    initial = np.concatenate([first.initial.astype(kind), second.initial.astype(kind) + kind(first.states)])
    labels = np.concatenate([first_labels[first.labels], second_labels[second.labels]]).astype(kind)
    return Graph(rows[0], rows[1][:used], rows[2][:used], initial, labels, names, label_names)


def _write_rows(graph: Graph, actions: Numbers, rows: tuple[Numbers, Numbers, Numbers], start: int, used: int) -> int:
    """Write the transitions of a graph, in order and each once, behind the `used` ones, with its states numbered from `start` on.
    It returns the number of transitions so far. Graphs are large, so nothing is copied twice."""
    large, kind = rows[0].dtype, rows[2].dtype
    parts = zip((graph.offsets, graph.actions, graph.targets), (column.dtype for column in rows))
    columns = [np.require(part, dtype, ("C", "W")) for part, dtype in parts]
    everyone = np.arange(graph.states, dtype=kind)
    offsets = rows[0][start : start + graph.states + 1]
    kernel = kernels("partition.quotient", len(rows[1])).block_rows
    kernel(*columns, actions.astype(np.int32), everyone + kind.type(start), everyone, offsets, rows[1][used:], rows[2][used:])
    offsets += large.type(used)
    return int(offsets[-1])


def internal_action(graph: Graph) -> int:
    """The number of the internal action, or -1."""
    return next((number for number, name in enumerate(graph.action_names) if name in INTERNAL), -1)


def visible(name: str) -> str:
    """The name of a visible action, in brackets if it would be taken for the internal one.

    >>> visible("i"), visible("!i")
    ('(i)', '!i')
    """
    return f"({name})" if name in INTERNAL else name


def with_one_number_for_each_name(graph: Graph) -> Graph:
    """The graph, where actions with the same name, or with the two names of the internal action, have one number.

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
    """The graph with transitions in order and without repetitions, one number for each name, and one internal action."""
    names, numbers, _ = _shared(graph.action_names, (), same=INTERNAL)
    label_names, label_numbers, _ = _shared(graph.label_names, ())
    return Graph.from_edges(
        graph.states, graph.sources, numbers.astype(np.int32)[graph.actions], graph.targets, initial=graph.initial,
        labels=label_numbers[graph.labels], action_names=names, label_names=label_names,
    )  # fmt: skip


def _shared(
    first: tuple[str, ...], second: tuple[str, ...], *, same: tuple[str, ...] = ()
) -> tuple[tuple[str, ...], NDArray[np.int64], NDArray[np.int64]]:
    """All names once, and the new numbers of the first and of the second names. The names in `same` count as one: the earliest
    of them that occurs in the first names, or else in the second."""
    internal = next((name for names in (first, second) for name in same if name in names), "")
    numbers: dict[str, int] = {}
    moved = [numbers.setdefault(internal if name in same else name, len(numbers)) for name in (*first, *second)]
    new = np.array(moved, dtype=np.int64)
    return tuple(numbers), new[: len(first)], new[len(first) :]
