"""Fair simulations from their definitions, slowly: fixpoints over sets of pairs of states, with nothing that is counted.

A round of the game from (p, q) is controlled by the duplicator into a set of pairs if every step of p is answered by a step of
q, with the same action and to a state with the same label, such that the pair of the targets is in the set.

For game simulation with fairness sets F₁ … Fₙ of both, the duplicator wins iff: ⋀ᵢ GF(p ∈ Fᵢ) → ⋀ⱼ GF(q ∈ Fⱼ), which is the
fixpoint of Piterman, Pnueli, Sa'ar 2006 for GR(1). For delay simulation, what is owed to each set is part of the pair.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import chain, combinations, product
from typing import TypeVar

from coarsest.lts.fair import FairGraph
from coarsest.lts.labelled import Graph

Pair = tuple[int, int]
Place = TypeVar("Place", bound=Hashable)
Control = Callable[[set[Place]], set[Place]]


def staying(fair: FairGraph) -> FairGraph:
    """The same where each state without a step has one to itself, which no other action answers."""
    graph = fair.graph
    rows = list(zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()))
    alone = set(range(graph.states)) - {source for source, _, _ in rows}
    rows += [(state, len(graph.action_names), state) for state in sorted(alone)]
    total = Graph.from_edges(
        graph.states, [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows], initial=graph.initial,
        labels=graph.labels, label_names=graph.label_names, action_names=(*graph.action_names, "(stays)"),
    )  # fmt: skip
    return FairGraph(total, fair.fairness)


class Structure:
    """What the definitions speak of."""

    def __init__(self, fair: FairGraph) -> None:
        graph = fair.graph
        self.states = range(graph.states)
        self.label = [graph.label_names[number] for number in graph.labels.tolist()]
        self.steps: list[list[tuple[str, int]]] = [[] for _ in self.states]
        for source, action, target in zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()):
            name = graph.action_names[action]
            self.steps[source].append(("i" if name == "tau" else name, target))
        self.fair = [{s for s in self.states if members[s]} for members in fair.fairness]
        self.answering: dict[object, set[int]] = {}
        self.alike = {(p, q) for p, q in product(self.states, repeat=2) if self.label[p] == self.label[q]}

    def answers(self, p: int, q: int) -> Iterable[list[Pair]]:
        """For each step of p, the pairs after the answers of q."""
        for action, target in self.steps[p]:
            yield [(target, answer) for by, answer in self.steps[q] if by == action and (target, answer) in self.alike]

    def controlled(self, goal: set[Pair]) -> set[Pair]:
        return {(p, q) for p, q in self.alike if all(any(pair in goal for pair in some) for some in self.answers(p, q))}


def least(step: Control[Place]) -> set[Place]:
    current: set[Place] = set()
    while (following := step(current)) != current:
        current = following
    return current


def greatest(step: Control[Place], everything: set[Place]) -> set[Place]:
    current = set(everything)
    while (following := step(current)) != current:
        current = following
    return current


def direct(fair: FairGraph) -> set[Pair]:
    """Definition 4.1.1: the greatest simulation in which fair states are below fair states."""
    structure = Structure(fair)
    fits = {(p, q) for p, q in structure.alike if all(q in members for members in structure.fair if p in members)}
    return greatest(lambda pairs: structure.controlled(pairs) & pairs, fits)


def game(fair: FairGraph) -> set[Pair]:
    """Definition 4.1.7."""
    structure = Structure(fair)
    sets = structure.fair or [set(structure.states)]

    def round_for(goal: set[int], onward: set[Pair]) -> set[Pair]:
        """Visit the goal with the second token, and go on; or forever avoid one of the sets with the first token."""
        visit = {(p, q) for p, q in structure.controlled(onward) if q in goal}

        def nearer(close: set[Pair]) -> set[Pair]:
            start = visit | structure.controlled(close)
            return set().union(
                *(
                    greatest(
                        lambda pairs: start | {(p, q) for p, q in structure.controlled(pairs) if p not in avoided},
                        structure.alike,
                    )
                    for avoided in sets
                )
            )

        return least(nearer)

    def all_rounds(pairs: set[Pair]) -> set[Pair]:
        return pairs.intersection(*(round_for(goal, pairs) for goal in sets))

    return greatest(all_rounds, structure.alike)


def delay(fair: FairGraph) -> set[Pair]:
    """Definition 4.1.6: what is owed is paid, again and again for each set."""
    structure = Structure(fair)
    numbers = range(len(structure.fair))
    Owing = tuple[Pair, frozenset[int]]

    def owed(pair: Pair, before: frozenset[int]) -> Owing:
        mine = {k for k in numbers if pair[0] in structure.fair[k]}
        return pair, (before | mine) - {k for k in numbers if pair[1] in structure.fair[k]}

    debts = [frozenset(some) for some in chain.from_iterable(combinations(numbers, r) for r in range(len(numbers) + 1))]
    everything = set(product(structure.alike, debts))

    def controlled(goal: set[Owing]) -> set[Owing]:
        return {
            (pair, before)
            for pair, before in everything
            if all(any(owed(after, before) in goal for after in some) for some in structure.answers(*pair))
        }

    def all_paid(places: set[Owing]) -> set[Owing]:
        onward = controlled(places)
        paid = [{place for place in onward if k not in place[1]} for k in numbers]
        return onward.intersection(*(least(lambda close, one=one: one | controlled(close)) for one in paid))  # type: ignore[misc]

    won = greatest(lambda places: places & all_paid(places), everything)
    return {pair for pair in structure.alike if owed(pair, frozenset()) in won}


# Whole paths

Word = frozenset[tuple[int, int, frozenset[int]]]
"""All that answers to a finite path can do: from where to where they lead, and which fairness sets they visit on the way."""


def exists(fair: FairGraph) -> set[Pair]:
    """Definition 4.1.2: the greatest relation within which every fair path has a whole fair answer."""
    structure = Structure(fair)

    def answered(pairs: set[Pair]) -> set[Pair]:
        words = _words(structure, pairs)
        structure.answering.clear()
        answers = {p: set(structure.states).intersection(*_lassos(structure, words, p)) for p in structure.states}
        return {(p, q) for p, q in pairs if q in answers[p]}

    return greatest(answered, structure.alike)


def language_included(fair: FairGraph, ones: list[int], others: list[int]) -> bool:
    """Definition 4.2.2: does every fair path from one of some states have the labels and actions of one from others?"""
    structure = Structure(fair)
    words = _words(structure, structure.alike)
    return all(answers & set(others) for p in ones for answers in _lassos(structure, words, p))


def _words(structure: Structure, pairs: set[Pair]) -> dict[int, set[tuple[int, frozenset[int], Word]]]:
    """For each state the finite paths from there: where they end, which sets they visit, and what answers to them can do. There
    are infinitely many paths, but not of these."""
    def visited(state: int) -> frozenset[int]:
        return frozenset(k for k, members in enumerate(structure.fair) if state in members)

    found: dict[int, set[tuple[int, frozenset[int], Word]]] = {}
    for start in structure.states:
        nothing = frozenset((q, q, frozenset[int]()) for p, q in pairs if p == start)
        waiting = [(start, frozenset[int](), nothing)]
        found[start] = set(waiting)
        while waiting:
            state, sets, word = waiting.pop()
            for action, target in structure.steps[state]:
                longer = frozenset(
                    (begin, answer, on_the_way | visited(answer))
                    for begin, end, on_the_way in word
                    for by, answer in structure.steps[end]
                    if by == action and (target, answer) in pairs
                )
                path = (target, sets | visited(target), longer)
                if path not in found[start]:
                    found[start].add(path)
                    waiting.append(path)
    return found


def _lassos(structure: Structure, words: dict[int, set[tuple[int, frozenset[int], Word]]], state: int) -> Iterable[set[int]]:
    """For every path with a fair loop behind it, the states that have a fair answer. A loop has a step, so that it is not the
    path of which nothing is known but its end."""
    for end, stem in {(end, stem) for end, _, stem in words[state]}:
        for loop in {word for back, sets, word in words[end] if back == end and len(sets) == len(structure.fair)}:
            if structure.fair or _has_loop(structure, end):
                if (end, loop) not in structure.answering:
                    structure.answering[end, loop] = _answering(structure, loop)
                yield {begin for begin, end_of_stem, _ in stem if end_of_stem in structure.answering[end, loop]}


def _has_loop(structure: Structure, state: int) -> bool:
    """Only asked where no fairness set tells that a loop has steps; a path without steps is harmless if there is another one."""
    reached: set[int] = set()
    waiting = [state]
    while waiting:
        for _, target in structure.steps[waiting.pop()]:
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return state in reached


def _answering(structure: Structure, loop: Word) -> set[int]:
    """The states from which there is a fair answer to a loop that is repeated for ever."""
    from oracles.fair_graphs import FairGraph as Plain

    after: dict[object, list[object]] = {node: [] for node in [*structure.states, *loop]}
    for one in loop:
        after[one[0]].append(one)
        after[one].append(one[1])
    justice: list[set[object]] = [{one for one in loop if k in one[2]} for k in range(len(structure.fair))]
    good = Plain(after, justice).with_fair_path(set(after))
    return {state for state in structure.states if state in good}


GAMES = {"direct": direct, "delay": delay, "game": game}
"""Those that are games on pairs of states."""
RELATIONS = {**GAMES, "exists": exists}
