"""Random fair graphs, small enough for the definitions."""

from __future__ import annotations

from random import Random

import numpy as np

from coarsest.lts.fair import FairGraph
from coarsest.lts.labelled import Graph


def random_fair_graph(random: Random, *, states: int = 6, sets: int | None = None, total: bool = False) -> FairGraph:
    """With few actions and labels, so that something is related; perhaps with dead ends."""
    count = random.randint(1, states)
    actions, labels = random.choice([(1, 1), (1, 2), (2, 1), (2, 2)])
    number = int(count * random.choice([1, 1.5, 2, 3]))
    edges = [(random.randrange(count), random.randrange(actions), random.randrange(count)) for _ in range(number)]
    if total:
        edges += [(s, random.randrange(actions), random.randrange(count)) for s in range(count) if all(s != e[0] for e in edges)]
    columns = list(zip(*edges)) or [(), (), ()]
    graph = Graph.from_edges(
        count, *columns, initial=random.sample(range(count), random.randint(1, min(2, count))),
        labels=[random.randrange(labels) for _ in range(count)], action_names=("a", "tau")[:actions],
        label_names=("p", "q")[:labels],
    )  # fmt: skip
    number_of_sets = random.choice([0, 1, 1, 1, 2]) if sets is None else sets
    chance = random.choice([0.2, 0.5, 0.7])
    fairness = [np.array([random.random() < chance for _ in range(count)]) for _ in range(number_of_sets)]
    return FairGraph(graph, tuple(fairness))
