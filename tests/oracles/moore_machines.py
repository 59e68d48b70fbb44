"""Moore machines as the thesis defines them (Bustan 2002, chapter 5): states one by one, sets of propositions, sets of triples.

Composition, the greatest bisimulation, quotients and isomorphism straight from definitions 5.1.1 to 5.1.7, and the improved
algorithm by its seven stages, with and without legal states.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain, combinations, product
from typing import Any, NamedTuple

State = Hashable
Letters = frozenset[str]
Step = tuple[Any, Letters, Any]


class Fsm(NamedTuple):
    """⟨S, S_0, I, O, L, R⟩"""

    states: frozenset[Any]
    initial: frozenset[Any]
    inputs: Letters
    outputs: Letters
    labels: dict[Any, Letters]
    steps: frozenset[Step]

    def after(self, state: State, letters: Letters) -> set[Any]:
        return {t for s, i, t in self.steps if s == state and i == letters}

    @property
    def is_deterministic(self) -> bool:
        once = all(len(self.after(s, i)) == 1 for s in self.states for i in subsets(self.inputs))
        return once and len(self.initial) == 1


def subsets(names: Iterable[str]) -> Iterator[Letters]:
    members = sorted(names)
    return map(frozenset, chain.from_iterable(combinations(members, n) for n in range(len(members) + 1)))


def reachable(machine: Fsm) -> Fsm:
    """Proposition 5.1.5."""
    states = set(machine.initial)
    while more := {t for s, _, t in machine.steps if s in states} - states:
        states |= more
    return restricted(machine, frozenset(states))


def restricted(machine: Fsm, states: frozenset[Any]) -> Fsm:
    steps = frozenset((s, i, t) for s, i, t in machine.steps if s in states and t in states)
    labels = {state: machine.labels[state] for state in states}
    return machine._replace(states=states, initial=machine.initial & states, labels=labels, steps=steps)


def composition(one: Fsm, two: Fsm) -> Fsm:
    """Definition 5.1.2."""
    inputs = (one.inputs - two.outputs) | (two.inputs - one.outputs)
    states = frozenset(product(one.states, two.states))
    labels = {(s, t): one.labels[s] | two.labels[t] for s, t in states}
    steps = set()
    for s, t in states:
        for i in subsets(inputs):
            mine = one.after(s, (i | two.labels[t]) & one.inputs)
            yours = two.after(t, (i | one.labels[s]) & two.inputs)
            steps |= {((s, t), i, after) for after in product(mine, yours)}
    initial = frozenset(product(one.initial, two.initial))
    return Fsm(states, initial, inputs, one.outputs | two.outputs, labels, frozenset(steps))


def bisimulation(one: Fsm, two: Fsm, outputs: Letters) -> set[tuple[Any, Any]]:
    """The greatest relation that satisfies the three conditions of definition 5.1.4."""
    pairs = {(s, t) for s in one.states for t in two.states if one.labels[s] & outputs == two.labels[t] & outputs}

    def answered(s: Any, t: Any) -> bool:
        for i in subsets(one.inputs):
            mine, yours = one.after(s, i), two.after(t, i)
            if not all(any((u, v) in pairs for v in yours) for u in mine):
                return False
            if not all(any((u, v) in pairs for u in mine) for v in yours):
                return False
        return True

    while wrong := {pair for pair in pairs if not answered(*pair)}:
        pairs -= wrong
    return pairs


def are_equivalent(one: Fsm, two: Fsm, outputs: Letters) -> bool:
    pairs = bisimulation(one, two, outputs)
    left = all(any((s, t) in pairs for t in two.initial) for s in one.initial)
    return left and all(any((s, t) in pairs for s in one.initial) for t in two.initial)


def quotient(machine: Fsm, outputs: Letters) -> tuple[Fsm, dict[Any, frozenset[Any]]]:
    """Definition 5.1.6, with the class of each state."""
    pairs = bisimulation(machine, machine, outputs)
    class_of = {s: frozenset(t for t in machine.states if (s, t) in pairs) for s in machine.states}
    labels = {class_of[s]: machine.labels[s] & outputs for s in machine.states}
    steps = frozenset((class_of[s], i, class_of[t]) for s, i, t in machine.steps)
    initial = frozenset(class_of[s] for s in machine.initial)
    return Fsm(frozenset(class_of.values()), initial, machine.inputs, outputs, labels, steps), class_of


def are_isomorphic(one: Fsm, two: Fsm) -> bool:
    """Two machines without equivalent states: the greatest bisimulation is the only candidate."""
    if len(one.states) != len(two.states) or len(one.steps) != len(two.steps) or one.outputs != two.outputs:
        return False
    pairs = bisimulation(one, two, one.outputs)
    partner = dict(pairs)
    is_a_function_both_ways = len(pairs) == len(partner) == len(set(partner.values())) == len(one.states)
    return (
        is_a_function_both_ways
        and {partner[s] for s in one.initial} == two.initial
        and {(partner[s], i, partner[t]) for s, i, t in one.steps} == two.steps
    )


class Improved(NamedTuple):
    """The machines of the stages."""

    first_reduced: Fsm
    second_reduced: Fsm
    first_closed: Fsm
    second_closed: Fsm
    first_small: Fsm
    second_small: Fsm
    whole: Fsm
    legal: Fsm


def improved(one: Fsm, two: Fsm) -> Improved:
    """Stages 1 to 7 of section 5.3.1, and M'_d of section 5.3.3."""
    first_reduced, in_first = quotient(one, one.outputs & two.inputs)
    second_reduced, in_second = quotient(two, two.outputs & one.inputs)
    first_closed, second_closed = composition(one, second_reduced), composition(first_reduced, two)
    first_small, first_class = quotient(first_closed, one.outputs)
    second_small, second_class = quotient(second_closed, two.outputs)
    whole = composition(first_small, second_small)
    legal = frozenset(
        (first_class[s, in_second[t]], second_class[in_first[s], t]) for s, t in product(one.states, two.states)
    )
    return Improved(
        first_reduced, second_reduced, first_closed, second_closed, first_small, second_small, whole, restricted(whole, legal)
    )
