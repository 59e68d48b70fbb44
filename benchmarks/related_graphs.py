"""`python -m benchmarks.related_graphs NAME FILE [FROM]`: graphs for `benchmarks.simulations`, each by a process of its own."""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.graph_families import FAMILIES
from coarsest.api.graph import minimise_by
from coarsest.formats import read_graph, write_graph
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.simulation.preorder_ranzato_tapparo import simulation_preorder
from coarsest.run import Run

PATTERN, COPIES = 1000, 103
LARGE, SMALL = 10**6, 20_000


def main(name: str, path: str, source: str | None = None) -> None:
    """Write the graph of that name, perhaps made of another."""
    match name:
        case "brothers":
            graph = brothers_of(PATTERN, COPIES)
        case "warm":
            graph = family("random", SMALL)
        case "scattered":
            graph = scattered(100_000, 250_000)
        case "quotient":
            graph = minimise_by("bisimulation", read_graph(source or "")).graph
        case "changed":
            graph = changed(read_graph(source or ""))
        case _:
            graph = family(name, LARGE)
    write_graph(graph, path)


def family(name: str, size: int) -> Graph:
    """A graph of a family."""
    edges = FAMILIES[name](size)
    return Graph.from_edges(edges.states, edges.sources, edges.actions, edges.targets, action_names=edges.names)


def scattered(states: int, transitions: int) -> Graph:
    """Transitions between random states, with two actions: a tenth of the states has none."""
    random = np.random.default_rng(1)
    columns = [random.integers(0, most, transitions) for most in (states, 2, states)]
    return Graph.from_edges(states, *columns, action_names=("a", "b"))


def changed(graph: Graph) -> Graph:
    """With another action at the last transition."""
    actions = graph.actions.copy()
    actions[-1] = (actions[-1] + 1) % len(graph.action_names)
    return Graph(graph.offsets, actions, graph.targets, graph.initial, graph.labels, graph.action_names, graph.label_names)


def brothers_of(pattern: int, copies: int) -> Graph:
    """Many states that are simulation equivalent and not bisimilar: copies of a random pattern, in which every copy has, beside
    each transition, perhaps one to a state that can do less (a little brother)."""
    random = np.random.default_rng(1)
    sources = np.repeat(np.arange(pattern), 2)
    targets = np.minimum(sources + random.integers(1, 40, len(sources)), pattern - 1)
    base = Graph.from_edges(pattern, sources, random.integers(0, 2, len(sources)), targets, action_names=("a", "b"))
    order = simulation_preorder(base, Run())
    base = merged(base, order.block)
    above = order.matrix()
    rows = base.sources, base.actions, base.targets
    parts = []
    for copy in range(copies):
        parts.append([rows[0] * copies + copy, rows[1], rows[2] * copies + random.integers(0, copies, base.transitions)])
        less = np.array([random.choice(np.flatnonzero(above[:, target])) for target in rows[2]])
        chosen = random.random(base.transitions) < 0.5
        head = less * copies + random.integers(0, copies, base.transitions)
        parts.append([column[chosen] for column in (rows[0] * copies + copy, rows[1], head)])
    columns = [np.concatenate(column) for column in zip(*parts)]
    everyone = np.arange(base.states * copies)
    first = np.full(len(everyone), len(everyone))  # has a step to every state, so that all of them count
    columns = [np.append(*pair) for pair in zip(columns, (first, np.full(len(everyone), 2), everyone))]
    return Graph.from_edges(len(everyone) + 1, *columns, initial=[len(everyone)], action_names=("a", "b", "go"))


if __name__ == "__main__":
    main(*sys.argv[1:])
