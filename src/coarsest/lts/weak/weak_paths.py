"""Where weak steps lead, set by set: a graph without cycles whose nodes stand for ⇒ and for ⇒a⇒ from each silent component.

What a node leads to is the union of what its successors lead to, so that sets of states or blocks need not be written down for
each state, but in portions, for all nodes at once.

Reference: Kanellakis, Smolka 1990, CCS expressions, finite state processes, and three problems of equivalence, section 4; from
           the ends of silent paths to their beginnings as in Blom, van de Pol 2009, Distributed branching bisimulation
           minimization by inductive signatures.
Symbols:   s ⇒ t if silent steps, perhaps none, lead from s to t. Node c < `components` stands for ⇒ from the silent component c,
           the others for ⇒a⇒ (`after`) or ⇒a from one, where there is such a step.
Invariant: edges lead to smaller numbers. A node leads to the states beside it in `seeds`, and to what its successors lead to.
Deviates:  components may have states with different labels.
Cost:      time and space by the transitions, and the silent ones times what can be done after them; for each portion of sets a
           pass over that.
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
    """`component` has the node of ⇒ for each state; `owner` and `action` tell for each node which component and action it
    stands for, where the action of ⇒ is -1."""

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
        """How many members sets have, in one portion of them."""
        return 64 * int(np.clip(tuning.ARRAY_PIECE // 8 // max(1, self.graph.nodes), 1, 8))

    def nodes_of(self, components: Integers, actions: Integers) -> Integers:
        """The nodes of what components can do."""
        most, first = int(self.action.max(initial=-1)) + 2, self.components
        codes = self.owner[first:] * most + self.action[first:]
        return np.searchsorted(codes, components * most + actions) + first

    def rows(self, places: Integers, begin: int, end: int) -> Words:
        """For each node, the places from `begin` to `end` that it leads to. `places` has the place of each state, or -1."""
        rows = np.zeros((self.graph.nodes, (end - begin + 63) // 64), dtype=np.uint64)
        place = places[self.seeds] - begin
        inside = (place >= 0) & (place < end - begin)
        nodes, place = self.seed_nodes[inside], place[inside]
        np.bitwise_or.at(rows, (nodes, place >> 6), np.uint64(1) << (place & 63).astype(np.uint64))
        unite(self.graph, rows, self.choice)
        return rows


def unite(graph: Csr, rows: Words, choice: str = "auto") -> None:
    """Add to the row of each node those of all that it leads to."""
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
    places = np.searchsorted(groups, component[sources[~silent]] * actions + graph.actions[~silent]) + count
    tails, heads = _within_groups(quietly, groups, actions)
    edges = [(quietly.sources, quietly.targets), (tails, heads)]
    seed_nodes, seeds = component, np.arange(graph.states)
    if after:
        edges.append((places, component[targets[~silent]]))
    else:
        seed_nodes, seeds = np.append(seed_nodes, places), np.append(seeds, targets[~silent])
    columns = [np.concatenate([edge[side] for edge in edges]) for side in (0, 1)]
    owner, action = groups // max(1, actions), groups % max(1, actions)
    return WeakPaths(
        Csr.from_edges(count + len(groups), *columns), component, np.append(np.arange(count), owner),
        np.append(np.full(count, -1), action), seed_nodes, seeds, choice,
    )  # fmt: skip


def longer_paths(paths: WeakPaths) -> WeakPaths:
    """Of each node u, what longer ways lead to, at 2u, and what it leads to, at 2u + 1: a longer way has a silent step to another
    component before or after. After these come nodes for silent steps of components, where a longer way has at least two."""
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
    """What components can do after silent steps: each with each action, as one number, in order. Only for components with silent
    steps are there sets of actions, in portions; there may be many of both."""
    some, ends = np.unique(np.concatenate([quietly.sources, quietly.targets]), return_inverse=True)
    part = Csr.from_edges(len(some), ends[: quietly.edges], ends[quietly.edges :])
    place = np.full(quietly.nodes, -1, dtype=np.int64)
    place[some] = np.arange(len(some))
    portion = 64 * max(1, tuning.ARRAY_PIECE // 8 // max(1, len(some)))
    groups = [tails * number + actions]
    for begin in range(0, number if len(some) else 0, portion):
        inside = (place[tails] >= 0) & (actions >= begin) & (actions < begin + portion)
        bit = actions[inside] - begin
        rows = np.zeros((len(some), (min(portion, number - begin) + 63) // 64), dtype=np.uint64)
        np.bitwise_or.at(rows, (place[tails[inside]], bit >> 6), np.uint64(1) << (bit & 63).astype(np.uint64))
        unite(part, rows, choice)
        owner, word = np.nonzero(rows)
        bits = np.unpackbits(rows[owner, word].view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        which, bit = np.nonzero(bits)
        groups.append(some[owner[which]] * number + begin + 64 * word[which] + bit)
    return np.unique(np.concatenate(groups))


def _within_groups(quietly: Csr, groups: Integers, actions: int) -> tuple[Integers, Integers]:
    """From ⇒a of a component to ⇒a of those that a silent step leads to."""
    bounds = np.searchsorted(groups, np.arange(quietly.nodes + 1) * actions)
    lengths = np.diff(bounds)[quietly.targets]
    heads = np.repeat(bounds[quietly.targets] - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    tails: NDArray[Any] = np.repeat(quietly.sources, lengths) * actions + groups[heads] % max(1, actions)
    return np.searchsorted(groups, tails) + quietly.nodes, heads + quietly.nodes
