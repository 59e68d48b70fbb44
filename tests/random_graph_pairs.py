"""Pairs of random graphs with internal transitions, labels and several initial states, small enough for the definitions."""

from __future__ import annotations

from random import Random

from coarsest.lts.labelled import Graph

ACTIONS = ("a", "b", "i")


def random_silent_graph(random: Random, *, states: int = 7, actions: tuple[str, ...] = ACTIONS, initial: int = 2) -> Graph:
    """Often with cycles of internal transitions, deadlocks and states that cannot be reached."""
    count = random.randint(1, states)
    number = random.randint(0, int(count * random.choice([1, 1.5, 2.5])))
    used = random.randint(1, len(actions))
    labels = random.choice([1, 1, 2])
    return Graph.from_edges(
        count,
        [random.randrange(count) for _ in range(number)],
        [random.choice([random.randrange(len(actions) - used, len(actions)), len(actions) - 1]) for _ in range(number)],
        [random.randrange(count) for _ in range(number)],
        initial=random.sample(range(count), random.randint(1, min(initial, count))),
        labels=[random.randrange(labels) for _ in range(count)],
        action_names=actions,
        label_names=("p", "q")[:labels],
    )


def random_larger_graph(random: Random) -> Graph:
    """A dozen states or three, with few transitions each, so that graphs are deep; internal ones lead far, and in circles. Often
    there are also transitions that weak relations do not see, but branching ones do."""
    count = random.randint(12, 35)
    weights, near = random.choice([(3, 3, 2), (2, 2, 3), (4, 1, 4)]), random.choice([3, 6, count])
    rows = set()
    for _ in range(int(count * random.choice([1.2, 1.5, 2]))):
        source = random.randrange(count)
        rows.add((source, random.choices(range(3), weights)[0], (source + random.randint(-1, near)) % count))
    for _ in range(random.choice([0, 2, 4])):
        rows |= _shortcuts(random, sorted(rows))
    sources, actions, targets = zip(*sorted(rows))
    labels = [int(random.random() < 0.1) for _ in range(count)] if random.random() < 0.2 else None
    return Graph.from_edges(count, sources, actions, targets, labels=labels, action_names=ACTIONS, label_names=("p", "q"))


def _shortcuts(random: Random, rows: list[tuple[int, int, int]]) -> set[tuple[int, int, int]]:
    """Transitions that do at once what an internal one and another do one after the other."""
    internal = ACTIONS.index("i")
    pairs = [(one, next_one) for one in rows for next_one in rows if one[2] == next_one[0] and internal in (one[1], next_one[1])]
    chosen = random.sample(pairs, min(len(pairs), 4))
    return {(one[0], min(one[1], next_one[1]), next_one[2]) for one, next_one in chosen}


def changed_graph(random: Random, graph: Graph) -> Graph:
    """The graph with a state copied, and perhaps a transition more or less: often related to it, often not."""
    sources, actions, targets = (part.tolist() for part in (graph.sources, graph.actions, graph.targets))
    labels = graph.labels.tolist()
    copied = random.randrange(graph.states)
    for place in range(len(sources)):
        if sources[place] == copied:
            sources.append(graph.states)
            actions.append(actions[place])
            targets.append(targets[place])
        if targets[place] == copied and random.random() < 0.5:
            targets[place] = graph.states
    labels.append(labels[copied])
    if sources and random.random() < 0.5:
        place = random.randrange(len(sources))
        if random.random() < 0.5:
            targets[place] = random.randrange(graph.states + 1)
        else:
            del sources[place], actions[place], targets[place]
    return Graph.from_edges(
        graph.states + 1, sources, actions, targets, initial=graph.initial, labels=labels, action_names=graph.action_names,
        label_names=graph.label_names,
    )  # fmt: skip
