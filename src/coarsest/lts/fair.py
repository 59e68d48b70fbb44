"""Fair graphs: explicit graphs in which only the infinite paths count that visit each fairness set infinitely often."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from coarsest.lts.labelled import Graph

ACCEPTING = "accepting"
"""The label of the members of the fairness set of a graph that was read as a Büchi automaton."""


class FairGraph(Struct, frozen=True, eq=False):
    """A graph with its fairness sets, each as a mask of states. Without any set, every infinite path is fair.

    >>> graph = Graph.from_edges(2, [0, 1], [0, 0], [1, 0])
    >>> FairGraph(graph, (np.array([False, True]),))
    <FairGraph: 2 states, 2 transitions, 1 fairness set>
    """

    graph: Graph
    fairness: tuple[NDArray[np.bool_], ...] = ()

    def __post_init__(self) -> None:
        if any(members.shape != (self.graph.states,) for members in self.fairness):
            raise ValueError("a fairness set has one entry for each state")

    def __repr__(self) -> str:
        graph, sets = self.graph, len(self.fairness)
        return f"<FairGraph: {graph.states} states, {len(graph.targets)} transitions, {sets} fairness set{'s' * (sets != 1)}>"

    @property
    def marks(self) -> NDArray[np.int64]:
        """For each state the fairness sets that it is in, as bits."""
        marks = np.zeros(self.graph.states, dtype=np.int64)
        for number, members in enumerate(self.fairness):
            marks |= members.astype(np.int64) << number
        return marks

    def padded(self, sets: int) -> tuple[NDArray[np.bool_], ...]:
        """The given number of fairness sets: those of the graph, and sets of all states, which demand nothing."""
        everywhere = np.ones(self.graph.states, dtype=np.bool_)
        return (*self.fairness, *[everywhere] * (sets - len(self.fairness)))

    @property
    def words(self) -> tuple[str, ...]:
        """Names for the fairness sets, different from those of all actions."""
        word = "fair"
        while any(name.startswith(word) for name in self.graph.action_names):
            word += "'"
        return tuple(f"{word} {number}" for number in range(len(self.fairness)))

    def with_fairness_as_actions(self) -> Graph:
        """The graph, where members of each fairness set have a step to themselves by an action for this set, so that only members
        simulate members by the rules for graphs."""
        graph = self.graph
        loops = [np.flatnonzero(members) for members in self.fairness]
        numbers = np.repeat(np.arange(len(loops)) + len(graph.action_names), list(map(len, loops)))
        return Graph.from_edges(
            graph.states, np.concatenate([graph.sources, *loops]), np.concatenate([graph.actions, numbers]),
            np.concatenate([graph.targets, *loops]), initial=graph.initial, labels=graph.labels, label_names=graph.label_names,
            action_names=(*graph.action_names, *self.words),
        )  # fmt: skip

    @classmethod
    def from_actions(cls, graph: Graph, words: tuple[str, ...]) -> FairGraph:
        """The fair graph whose fairness sets are the states with these actions; it has no such actions itself."""
        names = np.array(graph.action_names, dtype=object)[graph.actions]
        fairness = tuple(np.isin(np.arange(graph.states), graph.sources[names == word]) for word in words)
        left = graph.only(~np.isin(names, words))
        numbers = np.cumsum([name not in words for name in graph.action_names]) - 1
        actions = numbers[left.actions].astype(left.actions.dtype)
        others = tuple(name for name in graph.action_names if name not in words)
        return cls(replace(left, actions=actions, action_names=others), fairness)


def as_fair(graph: Graph | FairGraph) -> FairGraph:
    """The graph itself, if it is a fair one. Otherwise states with the label `accepting`, if it exists, are the fairness set;
    without that label every infinite path is fair.

    >>> as_fair(Graph.from_edges(2, [0, 1], [0, 0], [1, 0], labels=[0, 1], label_names=("", "accepting"))).fairness
    (array([False,  True]),)
    """
    if isinstance(graph, FairGraph):
        return graph
    if ACCEPTING not in graph.label_names:
        return FairGraph(graph)
    names = tuple("" if name == ACCEPTING else name for name in graph.label_names)
    accepting = np.array([name == ACCEPTING for name in graph.label_names], dtype=np.bool_)
    return FairGraph(replace(graph, label_names=names), (accepting[graph.labels],))


def as_labelled(fair: FairGraph) -> Graph:
    """A graph whose label `accepting` marks the members of its fairness set, if it has one."""
    if not fair.fairness:
        return fair.graph
    (members,) = fair.fairness
    labels = np.where(members, len(fair.graph.label_names), fair.graph.labels).astype(fair.graph.labels.dtype)
    return replace(fair.graph, labels=labels, label_names=(*fair.graph.label_names, ACCEPTING))


def as_plain(graph: Graph | FairGraph) -> Graph:
    """The graph without its fairness sets."""
    return graph.graph if isinstance(graph, FairGraph) else graph
