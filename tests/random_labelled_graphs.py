"""Random explicit graphs: small ones with everything that may happen, and larger ones of given shapes."""

from __future__ import annotations

from random import Random

import numpy as np

from coarsest.lts.labelled import Graph, gathered


def random_labelled_graph(random: Random, *, states: int = 8) -> Graph:
    """States without transitions, repeated transitions, several initial states, and labels may all occur."""
    count = random.randint(1, states)
    actions = random.choice([1, 1, 2, 3])
    labels = random.choice([1, 1, 2])
    number = round(count * random.choice([0, 0.5, 1, 1.25, 2, 3]))
    rows = [(random.randrange(count), random.randrange(actions), random.randrange(count)) for _ in range(number)]
    if random.random() < 0.3:  # no cycles
        rows = [(min(row[0], row[2]), row[1], max(row[0], row[2])) for row in rows if row[0] != row[2]]
    rows += random.choices(rows, k=len(rows) // 4) if rows else []
    sources, words, targets = np.array(rows, dtype=np.int32).reshape(-1, 3).T.copy()
    initial = random.sample(range(count), random.randint(1, max(1, count // 3)))
    return Graph(
        *gathered(count, sources, words, targets), np.array(initial, dtype=np.int32),
        np.array([random.randrange(labels) for _ in range(count)], dtype=np.int32), ("b", "a", "c")[:actions], ("p", "")[:labels],
    )  # fmt: skip


def renumbered(graph: Graph, random: Random) -> Graph:
    """The same graph with its states, actions, labels and transitions in another order."""
    states, words, labels = (random.sample(range(n), n) for n in (graph.states, len(graph.action_names), len(graph.label_names)))
    new_state, new_word, new_label = np.array(states, np.int32), np.array(words, np.int32), np.array(labels, np.int32)
    order = np.array(random.sample(range(graph.transitions), graph.transitions), dtype=np.int64)
    moved_labels = np.empty_like(graph.labels)
    moved_labels[new_state] = new_label[graph.labels]
    initial = new_state[graph.initial].tolist()
    random.shuffle(initial)
    return Graph(
        *gathered(graph.states, new_state[graph.sources[order]], new_word[graph.actions[order]], new_state[graph.targets[order]]),
        np.array(initial, dtype=np.int32), moved_labels, _moved(graph.action_names, words), _moved(graph.label_names, labels),
    )  # fmt: skip


def _moved(names: tuple[str, ...], places: list[int]) -> tuple[str, ...]:
    return tuple(name for _, name in sorted(zip(places, names)))
