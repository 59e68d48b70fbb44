"""Directed graphs as two arrays: the targets of node i are `targets[offsets[i]:offsets[i + 1]]` (compressed sparse rows)."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from coarsest.lts.labelled import gathered

Mask: TypeAlias = NDArray[np.bool_]
"""A set of nodes: true at its members."""
Nodes: TypeAlias = NDArray[np.signedinteger[Any]]


class Csr(Struct, frozen=True, eq=False, dict=True):
    """A graph. `from_edges` makes one without parallel edges, where the targets of a node are in increasing order.

    >>> graph = Csr.from_edges(3, [0, 0, 1, 0], [1, 2, 2, 1])
    >>> graph.nodes, graph.edges, graph.successors(0).tolist()
    (3, 3, [1, 2])
    >>> graph.image(np.array([False, True, False])).tolist()
    [False, False, True]
    >>> graph.transposed.successors(2).tolist()
    [0, 1]
    """

    offsets: NDArray[np.int64]
    targets: Nodes

    @classmethod
    def from_edges(cls, nodes: int, sources: ArrayLike, targets: ArrayLike) -> Csr:
        """Build from the two ends of each edge; repeated edges count once."""
        tails = np.asarray(sources, dtype=np.int64)
        heads = np.asarray(targets, dtype=np.int64)
        if tails.shape != heads.shape or tails.ndim != 1:
            raise ValueError("sources and targets must be lists of one length")
        if len(tails) and (min(tails.min(), heads.min()) < 0 or max(tails.max(), heads.max()) >= nodes):
            raise ValueError(f"an edge leaves the nodes 0 to {nodes - 1}")
        edges = np.unique(tails * nodes + heads)
        offsets = np.zeros(nodes + 1, dtype=np.int64)
        np.cumsum(np.bincount(edges // nodes, minlength=nodes) if nodes else [], out=offsets[1:])
        kind = np.int32 if nodes < 2**31 else np.int64
        return cls(offsets, (edges % nodes if nodes else edges).astype(kind))

    @property
    def nodes(self) -> int:
        return len(self.offsets) - 1

    @property
    def edges(self) -> int:
        return len(self.targets)

    @property
    def sources(self) -> NDArray[np.int64]:
        """The source of each edge, beside `targets`."""
        return np.repeat(np.arange(self.nodes), np.diff(self.offsets))

    @cached_property
    def transposed(self) -> Csr:
        """The graph with all edges turned round."""
        sources = self.sources.astype(self.targets.dtype)
        offsets, tails, _ = gathered(self.nodes, self.targets, sources, sources)
        return Csr(offsets.astype(np.int64, copy=False), tails)

    def successors(self, node: int) -> Nodes:
        return self.targets[self.offsets[node] : self.offsets[node + 1]]

    def image(self, members: Mask) -> Mask:
        """The successors of a set of nodes, in time proportional to the edges that leave it."""
        reached = np.zeros(self.nodes, dtype=np.bool_)
        nodes = np.flatnonzero(members)
        if len(nodes) == self.nodes:
            reached[self.targets] = True
            return reached
        starts = self.offsets[nodes]
        lengths = self.offsets[nodes + 1] - starts
        # The indices of all leaving edges: those of each node begin at its start, not where those of the last node ended.
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        reached[self.targets[np.arange(total) + np.repeat(starts - ends + lengths, lengths)]] = True
        return reached
