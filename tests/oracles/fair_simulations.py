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

Pair = tuple[int, int]
Place = TypeVar("Place", bound=Hashable)
Control = Callable[[set[Place]], set[Place]]


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


RELATIONS = {"direct": direct, "delay": delay, "game": game}
