"""Relations between the states of graphs, slowly, from their definitions: greatest fixpoints over pairs, or over all
partitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from coarsest.lts.labelled import Graph

Pair = tuple[int, int]
Steps = list[list[tuple[str, int]]]


def steps(graph: Graph) -> Steps:
    found: Steps = [[] for _ in range(graph.states)]
    for source, action, target in zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()):
        name = graph.action_names[action]
        found[source].append(("i" if name == "tau" else name, target))
    return found


def labels(graph: Graph) -> list[str]:
    return [graph.label_names[number] for number in graph.labels.tolist()]


def levels(graph: Graph, answers: Callable[[Steps, set[Pair], Pair], bool], keep: Callable[[int, int], bool]) -> list[set[Pair]]:
    """The approximants of a greatest fixpoint: R₀ by labels and `keep`, and Rₖ₊₁ the pairs of Rₖ with answers in Rₖ."""
    moves, seen = steps(graph), labels(graph)
    current = {(s, t) for s, t in product(range(graph.states), repeat=2) if seen[s] == seen[t] and keep(s, t)}
    found = [current]
    while True:
        following = {pair for pair in current if answers(moves, current, pair)}
        if following == current:
            return found
        found.append(following)
        current = following


def _simulates(moves: Steps, relation: set[Pair], pair: Pair) -> bool:
    s, t = pair
    return all(any(b == a and (x, y) in relation for b, y in moves[t]) for a, x in moves[s])


def _bisimulates(moves: Steps, relation: set[Pair], pair: Pair) -> bool:
    return _simulates(moves, relation, pair) and _simulates(moves, {(y, x) for x, y in relation}, pair[::-1])


def _stays(moves: Steps, relation: set[Pair], pair: Pair) -> bool:
    """The same where a state that cannot go on stays, and only such states do so, too."""
    return _simulates(moves, relation, pair) and bool(moves[pair[0]] or not moves[pair[1]])


def simulation_levels(graph: Graph, *, finite: bool = False) -> list[set[Pair]]:
    return levels(graph, _simulates if finite else _stays, lambda s, t: True)


def ready_simulation_levels(graph: Graph) -> list[set[Pair]]:
    ready = [{action for action, _ in out} for out in steps(graph)]
    return levels(graph, _simulates, lambda s, t: ready[s] == ready[t])


def bisimulation_levels(graph: Graph) -> list[set[Pair]]:
    return levels(graph, _bisimulates, lambda s, t: True)


def _silent_beside(moves: Steps, relation: set[Pair], s: int, t: int) -> set[int]:
    """States that t reaches by internal steps through states that are all related to s."""
    reached = {t}
    waiting = [t]
    while waiting:
        for action, target in moves[waiting.pop()]:
            if action == "i" and target not in reached and (s, target) in relation:
                reached.add(target)
                waiting.append(target)
    return reached


def _branching(moves: Steps, relation: set[Pair], pair: Pair) -> bool:
    """Van Glabbeek and Weijland: s -a-> x is answered by nothing (a internal, x ~ t) or by t ⇒ u -a-> y with s ~ u and x ~
    y. All states of t ⇒ u are related to s: without labels this follows for the greatest relation, with labels it is what
    De Nicola and Vaandrager ask for."""
    for s, t in (pair, pair[::-1]):
        for a, x in moves[s]:
            if a == "i" and (x, t) in relation:
                continue
            if not any(b == a and (x, y) in relation for u in _silent_beside(moves, relation, s, t) for b, y in moves[u]):
                return False
    return True


def branching_bisimulation(graph: Graph) -> set[Pair]:
    """The greatest symmetric relation with the transfer property."""
    return levels(graph, _branching, lambda s, t: True)[-1]


def partitions(states: int) -> Iterator[list[int]]:
    def extend(blocks: list[int], used: int) -> Iterator[list[int]]:
        if len(blocks) == states:
            yield list(blocks)
            return
        for block in range(used + 1):
            yield from extend([*blocks, block], max(used, block + 1))

    yield from extend([], 0)


def divergence_preserving_partition(graph: Graph) -> list[int]:
    """Of all partitions that respect labels and satisfy the definition (branching bisimulation, and divergence within a
    block is shared by the whole block), the one with fewest blocks; there is only one such."""
    moves, seen = steps(graph), labels(graph)
    best: list[list[int]] = []
    for blocks in partitions(graph.states):
        relation = {(s, t) for s, t in product(range(graph.states), repeat=2) if blocks[s] == blocks[t]}
        if any(seen[s] != seen[t] or not _branching(moves, relation, (s, t)) for s, t in relation):
            continue
        diverges = [_diverges(moves, blocks, s) for s in range(graph.states)]
        if any(diverges[s] != diverges[t] for s, t in relation):
            continue
        if not best or max(blocks) < max(best[0]):
            best = [blocks]
        elif max(blocks) == max(best[0]):
            best.append(blocks)
    assert len(best) == 1
    return best[0]


def _diverges(moves: Steps, blocks: list[int], state: int) -> bool:
    """Is there an internal path of as many steps as there are states, and one more, in the block?"""
    current = {state}
    for _ in range(len(moves) + 1):
        current = {t for s in current for a, t in moves[s] if a == "i" and blocks[t] == blocks[state]}
    return bool(current)


def shortest_trace_not_included(graph: Graph, firsts: list[int], seconds: list[int]) -> tuple[str, ...] | None:
    """Breadth-first through sets of states: the shortest trace of the first that the second lack. Labels are part of what
    is seen."""
    moves, seen = steps(graph), labels(graph)
    start = [({s for s in firsts if seen[s] == label}, {s for s in seconds if seen[s] == label}) for label in sorted(set(seen))]
    layer: list[tuple[set[int], set[int], tuple[str, ...]]] = [(one, two, ()) for one, two in start]
    known = set()
    while layer:
        following = []
        for one, two, word in layer:
            if one and not two:
                return word
            if not one or (key := (frozenset(one), frozenset(two))) in known:
                continue
            known.add(key)
            for action in sorted({a for s in one for a, _ in moves[s]}):
                for label in sorted(set(seen)):
                    sets = [{t for s in states for a, t in moves[s] if a == action and seen[t] == label} for states in (one, two)]
                    following.append((*sets, (*word, action)))
        layer = following  # type: ignore[assignment]
    return None
