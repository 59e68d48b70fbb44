"""The targets of weak steps as sets: a graph without cycles whose nodes stand for ⇒ and for ⇒a⇒ from each silent component.

The targets of a node are the union of those of its successors, so that sets of states or blocks are computed in portions for all
nodes at once, and never stored for each state.

Reference: Kanellakis, Smolka 1990, CCS expressions, finite state processes, and three problems of equivalence, section 4; from
           the ends of silent paths to their beginnings as in Blom, van de Pol 2009, Distributed branching bisimulation
           minimization by inductive signatures.
Symbols:   s ⇒ t if silent steps, perhaps none, lead from s to t. Node c < `components` stands for ⇒ from the silent component c,
           the others for ⇒a⇒ (`after`) or ⇒a from one, where there is such a step.
Invariant: edges lead to smaller numbers. The targets of a node are the states beside it in `seeds`, and those of its successors.
Deviates:  components may have states with different labels.
Cost:      time and space proportional to the transitions, plus the silent ones times the actions that are possible after them;
           for each portion of sets, a pass over these edges.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest import tuning
from coarsest._kernels.choose import kernels
from coarsest.lts.closures import components
from coarsest.lts.csr import Csr
from coarsest.lts.labelled import Graph
from coarsest.run import Run

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]


class WeakPaths(Struct, frozen=True, eq=False, dict=True):
    """`component` is the node of ⇒ for each state; `owner` and `action` are the component and the action of each node, where the
    action of ⇒ is -1."""

    graph: Csr
    component: Integers
    owner: Integers
    action: Integers
    seed_nodes: Integers
    seeds: Integers
    choice: str = "auto"

    @property
    def components(self) -> int:
        return int(self.component.max(initial=-1)) + 1

    @cached_property
    def width(self) -> int:
        """The number of members of the sets that are computed in one portion."""
        return 64 * int(np.clip(tuning.ARRAY_PIECE // 8 // max(1, self.graph.nodes), 1, 8))

    def nodes_of(self, components: Integers, actions: Integers) -> Integers:
        """The nodes that stand for actions of components."""
        most, first = int(self.action.max(initial=-1)) + 2, self.components
        codes = self.owner[first:] * most + self.action[first:]
        return np.searchsorted(codes, components * most + actions) + first

    def rows(self, columns: Integers, begin: int, end: int) -> Words:
        """For each node, a row of bits: its targets in the columns `begin` to `end`. `columns` are those of states, or -1."""
        rows = np.zeros((self.graph.nodes, (end - begin + 63) // 64), dtype=np.uint64)
        bits = columns[self.seeds] - begin
        inside = (bits >= 0) & (bits < end - begin)
        nodes, bits = self.seed_nodes[inside], bits[inside]
        np.bitwise_or.at(rows, (nodes, bits >> 6), np.uint64(1) << (bits & 63).astype(np.uint64))
        unite(self.graph, rows, self.choice)
        return rows


def unite(graph: Csr, rows: Words, choice: str = "auto") -> None:
    """Add to the row of each node those of all its successors."""
    kernels("paths.unions", graph.edges, choice).unite_along(graph.offsets, graph.targets, rows)


def weak_paths(graph: Graph, internal: int, run: Run, *, after: bool = True, choice: str = "auto") -> WeakPaths:
    """The paths of weak steps of a graph, or of those that end with the action."""
    silent = graph.actions == internal
    sources, targets = graph.sources.astype(np.int64), graph.targets.astype(np.int64)
    component = components(Csr(graph.offsets.astype(np.int64, copy=False), graph.targets), run, silent)
    count, actions = int(component.max(initial=-1)) + 1, len(graph.action_names)
    proper = silent & (component[sources] != component[targets])
    quietly = Csr.from_edges(count, component[sources[proper]], component[targets[proper]])
    groups = _groups(quietly, component[sources[~silent]], graph.actions[~silent].astype(np.int64), actions, choice)
    nodes = np.searchsorted(groups, component[sources[~silent]] * actions + graph.actions[~silent]) + count
    tails, heads = _within_groups(quietly, groups, actions)
    edges = [(quietly.sources, quietly.targets), (tails, heads)]
    seed_nodes, seeds = component, np.arange(graph.states)
    if after:
        edges.append((nodes, component[targets[~silent]]))
    else:
        seed_nodes, seeds = np.append(seed_nodes, nodes), np.append(seeds, targets[~silent])
    columns = [np.concatenate([edge[side] for edge in edges]) for side in (0, 1)]
    owner, action = groups // max(1, actions), groups % max(1, actions)
    return WeakPaths(
        Csr.from_edges(count + len(groups), *columns), component, np.append(np.arange(count), owner),
        np.append(np.full(count, -1), action), seed_nodes, seeds, choice,
    )  # fmt: skip


def longer_paths(paths: WeakPaths) -> WeakPaths:
    """A graph where node 2u has the targets of longer paths of node u, and node 2u + 1 all targets of u. A longer path has a
    silent step to another component before or after. After these nodes come those for silent steps of components, where a longer
    path has at least two steps."""
    tails, heads = paths.graph.sources, paths.graph.targets.astype(np.int64)
    nodes, count = paths.graph.nodes, paths.components
    quiet, visible = tails < count, (tails >= count) & (heads < count)
    every = np.arange(nodes)
    edges = [
        (2 * every + 1, 2 * every),
        (2 * tails[~visible], 2 * heads[~visible] + 1),
        (2 * tails[visible], 2 * heads[visible]),
        (2 * tails[visible] + 1, 2 * heads[visible] + 1),
        (2 * nodes + tails[quiet], 2 * heads[quiet]),
    ]
    columns = [np.concatenate([edge[side] for edge in edges]) for side in (0, 1)]
    graph = Csr.from_edges(2 * nodes + count, *columns)
    none = np.empty(0, dtype=np.int64)
    return WeakPaths(graph, 2 * paths.component + 1, none, none, 2 * paths.seed_nodes + 1, paths.seeds, paths.choice)


def _groups(quietly: Csr, tails: Integers, actions: Integers, number: int, choice: str) -> Integers:
    """The actions that components can do after silent steps, as numbers for pairs of component and action, in order. Since there
    may be many of both, only components with silent steps get sets of actions, in portions."""
    some, ends = np.unique(np.concatenate([quietly.sources, quietly.targets]), return_inverse=True)
    part = Csr.from_edges(len(some), ends[: quietly.edges], ends[quietly.edges :])
    row = np.full(quietly.nodes, -1, dtype=np.int64)
    row[some] = np.arange(len(some))
    portion = 64 * max(1, tuning.ARRAY_PIECE // 8 // max(1, len(some)))
    groups = [tails * number + actions]
    for begin in range(0, number if len(some) else 0, portion):
        inside = (row[tails] >= 0) & (actions >= begin) & (actions < begin + portion)
        bit = actions[inside] - begin
        rows = np.zeros((len(some), (min(portion, number - begin) + 63) // 64), dtype=np.uint64)
        np.bitwise_or.at(rows, (row[tails[inside]], bit >> 6), np.uint64(1) << (bit & 63).astype(np.uint64))
        unite(part, rows, choice)
        owner, word = np.nonzero(rows)
        bits = np.unpackbits(rows[owner, word].view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        which, bit = np.nonzero(bits)
        groups.append(some[owner[which]] * number + begin + 64 * word[which] + bit)
    return np.unique(np.concatenate(groups))


def _within_groups(quietly: Csr, groups: Integers, actions: int) -> tuple[Integers, Integers]:
    """Edges from ⇒a of a component to ⇒a of those that a silent step leads to."""
    bounds = np.searchsorted(groups, np.arange(quietly.nodes + 1) * actions)
    lengths = np.diff(bounds)[quietly.targets]
    heads = np.repeat(bounds[quietly.targets] - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    tails: NDArray[Any] = np.repeat(quietly.sources, lengths) * actions + groups[heads] % max(1, actions)
    return np.searchsorted(groups, tails) + quietly.nodes, heads + quietly.nodes
