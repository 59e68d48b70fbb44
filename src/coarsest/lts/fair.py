"""Fair graphs: explicit graphs some of whose infinite paths count, those that visit each fairness set infinitely often."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest.lts.labelled import Graph


class FairGraph(Struct, frozen=True, eq=False):
    """A graph, and for each of its fairness sets which states are members. Without any set, every infinite path is fair.

    >>> graph = Graph.from_edges(2, [0, 1], [0, 0], [1, 0])
    >>> FairGraph(graph, (np.array([False, True]),))
    <FairGraph: 2 states, 2 transitions, 1 fairness set>
    """

    graph: Graph
    fairness: tuple[NDArray[np.bool_], ...] = ()

    def __post_init__(self) -> None:
        if any(members.shape != (self.graph.states,) for members in self.fairness):
            raise ValueError("a fairness set says of each state whether it is a member")

    def __repr__(self) -> str:
        graph, sets = self.graph, len(self.fairness)
        return f"<FairGraph: {graph.states} states, {len(graph.targets)} transitions, {sets} fairness set{'s' * (sets != 1)}>"
