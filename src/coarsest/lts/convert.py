"""Graphs from the data of other libraries, and back; none of them is needed unless its data is given."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coarsest.lts.labelled import Graph, Numbers

if TYPE_CHECKING:
    from collections.abc import Iterable


def numbered(values: ArrayLike) -> tuple[Numbers, tuple[Any, ...]]:
    """Values as numbers, and the value of each number, in the order of first appearance.

    >>> numbered(["b", "a", "b"])[0].tolist(), numbered(["b", "a", "b"])[1]
    ([0, 1, 0], ('b', 'a'))
    """
    column = np.asarray(values)
    if column.dtype == object:  # mixed types have no order
        number_of: dict[Any, int] = {}
        numbers = np.array([number_of.setdefault(value, len(number_of)) for value in column.tolist()], dtype=np.int64)
        return numbers, tuple(number_of)
    distinct, firsts, indices = np.unique(column, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[indices], tuple(distinct[order].tolist())


def from_scipy(matrix: Any, *, initial: ArrayLike = (0,), labels: ArrayLike | None = None) -> Graph:
    """A sparse square matrix: its entries are transitions, and their values, if they are not all one, the actions.

    >>> from scipy.sparse import csr_matrix
    >>> graph = from_scipy(csr_matrix([[0, 1], [2, 0]]))
    >>> graph, graph.action_names
    (<Graph: 2 states, 2 transitions, 2 actions>, ('1', '2'))
    """
    entries = matrix.tocoo()
    rows, columns = entries.shape
    if rows != columns:
        raise ValueError(f"the matrix of a graph is square, and this one has {rows} rows and {columns} columns")
    actions, names = numbered(entries.data)
    action_names = ("",) if len(names) <= 1 else tuple(map(str, names))
    observed, label_names = _observed(labels)
    return Graph.from_edges(
        rows, entries.row, actions, entries.col, initial=initial, labels=observed, action_names=action_names,
        label_names=label_names,
    )  # fmt: skip


def from_networkx(
    graph: Any, *, initial: Iterable[Hashable] = (), action: str = "label", label: str = "label"
) -> tuple[Graph, tuple[Hashable, ...]]:
    """A NetworkX graph, and the node that each state stands for; without `initial`, the first node is initial.

    `action` and `label` are the attributes of edges and nodes that become actions and labels.

    >>> import networkx
    >>> from_networkx(networkx.DiGraph([("p", "q"), ("q", "p")]))
    (<Graph: 2 states, 2 transitions, 1 action>, ('p', 'q'))
    """
    nodes = tuple(graph.nodes)
    number_of = {node: number for number, node in enumerate(nodes)}
    actions: dict[str, int] = {}
    triples = [
        (number_of[tail], actions.setdefault(str(name), len(actions)), number_of[head])
        for tail, head, name in graph.edges(data=action, default="")
    ]
    if not graph.is_directed():
        triples += [(head, number, tail) for tail, number, head in triples]
    columns = np.array(triples, dtype=np.int64).reshape(-1, 3).T
    observed, label_names = _observed([str(name) for _, name in graph.nodes(data=label, default="")])
    starts = [number_of[node] for node in initial] or [0][: len(nodes)]
    made = Graph.from_edges(
        len(nodes), *columns, initial=starts, labels=observed, action_names=tuple(actions) or ("",), label_names=label_names
    )
    return made, nodes


def from_table(
    table: Any, *, columns: Sequence[str] = ("source", "action", "target"), initial: Sequence[Hashable] = ()
) -> tuple[Graph, tuple[Hashable, ...]]:
    """A table with a row for each transition (pandas, Arrow, or a dictionary of lists), and the value of each state.

    Three columns are source, action and target, two are source and target. Without `initial`, the first source is initial.

    >>> from_table({"source": ["p", "q"], "action": ["a", "b"], "target": ["q", "p"]})
    (<Graph: 2 states, 2 transitions, 2 actions>, ('p', 'q'))
    """
    values = [_values(table, name) for name in columns]
    if len(values) not in (2, 3):
        raise ValueError(f"a table of transitions has two or three columns, and {len(values)} are named")
    ends, names = numbered(np.concatenate([values[0], values[-1]]))
    actions, action_names = numbered(values[1]) if len(values) == 3 else (np.zeros(len(values[0]), dtype=np.int64), ("",))
    number_of = {name: number for number, name in enumerate(names)}
    missing = [value for value in initial if value not in number_of]
    if missing:
        raise ValueError(f"the initial state {missing[0]!r} is in no row of the table")
    starts = [number_of[value] for value in initial] or [0][: len(names)]
    half = len(values[0])
    made = Graph.from_edges(
        len(names), ends[:half], actions, ends[half:], initial=starts, action_names=tuple(map(str, action_names)) or ("",)
    )
    return made, names


def to_networkx(graph: Graph) -> Any:
    """A NetworkX multigraph with the attribute `label` on edges and nodes, and `initial` on nodes."""
    import networkx

    made = networkx.MultiDiGraph()
    initial = set(graph.initial.tolist())
    labels = graph.labels.tolist()
    for state in range(graph.states):
        made.add_node(state, label=graph.label_names[labels[state]], initial=state in initial)
    rows = zip(graph.sources.tolist(), graph.targets.tolist(), graph.actions.tolist())
    made.add_edges_from((source, target, {"label": graph.action_names[action]}) for source, target, action in rows)
    return made


def _observed(labels: ArrayLike | None) -> tuple[Numbers | None, tuple[str, ...]]:
    if labels is None:
        return None, ("",)
    numbers, names = numbered(labels)
    return numbers, tuple(map(str, names)) or ("",)


def _values(table: Any, name: str) -> NDArray[Any]:
    try:
        column = table[name]
    except (KeyError, IndexError):
        names = ", ".join(map(str, getattr(table, "column_names", None) or list(table)))
        raise ValueError(f"the table has no column '{name}'; it has {names}") from None
    return np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else column)
