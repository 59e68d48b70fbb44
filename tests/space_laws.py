"""The laws of state spaces, for any carrier of a machine.

`check_space_laws` compares a space that holds all legal states of a machine with the oracle, and checks the algebra of its sets.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from coarsest.logic.expr import Expr
from oracles.brute_force import BruteForce

State = tuple[Any, ...]


def to_set(space: Any, oracle: BruteForce, states: Iterable[State]) -> Any:
    """The states of the oracle as a set of the space."""
    result = space.empty
    for state in states:
        result = result | space.state(oracle.environment(state))
    return result


def check_space_laws(space: Any, oracle: BruteForce, labels: Iterable[Expr] = (), seed: int = 0) -> None:
    """Everything a carrier must satisfy; the space holds all states that satisfy the invariant constraints."""
    random = Random(seed)
    everything = list(oracle.states)
    assert space.count(space.states) == len(everything)
    assert space.states == to_set(space, oracle, everything)
    assert space.initial == to_set(space, oracle, oracle.initial)
    assert space.count(space.initial) == len(oracle.initial)
    assert not space.empty and space.count(space.empty) == 0
    assert bool(space.initial) == bool(oracle.initial)
    for label in labels:
        assert space.where(label) == to_set(space, oracle, oracle.where(label))
    subsets = [everything, []] + [random.sample(everything, random.randint(0, len(everything))) for _ in range(4)]
    subsets += [[state] for state in random.sample(everything, min(3, len(everything)))]
    for chosen in subsets:
        check_steps(space, oracle, set(chosen))
        check_pick(space, oracle, set(chosen))
    for _ in range(4):
        check_algebra(space, oracle, set(random.choice(subsets)), set(random.choice(subsets)))
    check_reachability(space, oracle)


def check_steps(space: Any, oracle: BruteForce, chosen: set[State]) -> None:
    states = to_set(space, oracle, chosen)
    post, pre = space.post(states), space.pre(states)
    after = {b for a, b in oracle.steps if a in chosen}
    before = {a for a, b in oracle.steps if b in chosen}
    assert post == to_set(space, oracle, after)
    assert pre == to_set(space, oracle, before)
    assert space.count(post) == len(after)
    assert space.count(pre) == len(before)
    by_parts, back_by_parts = space.empty, space.empty
    for part in space.parts:
        by_parts = by_parts | part.post(states)
        back_by_parts = back_by_parts | part.pre(states)
    assert by_parts == post
    assert back_by_parts == pre


def check_pick(space: Any, oracle: BruteForce, chosen: set[State]) -> None:
    states = to_set(space, oracle, chosen)
    picked = space.pick(states)
    assert space.count(picked) == min(1, len(chosen))
    assert picked <= states
    assert picked == space.pick(states)
    if chosen:
        described = space.describe(picked)
        assert [described[name].__class__ for name in oracle.names] in [[v.__class__ for v in state] for state in chosen]
        assert tuple(described[name] for name in oracle.names) in chosen


def check_algebra(space: Any, oracle: BruteForce, first: set[State], second: set[State]) -> None:
    a, b = to_set(space, oracle, first), to_set(space, oracle, second)
    assert a & b == to_set(space, oracle, first & second)
    assert a | b == to_set(space, oracle, first | second)
    assert a - b == to_set(space, oracle, first - second)
    assert (a == b) == (first == second)
    assert (a <= b) == (first <= second)
    assert bool(a) == bool(first)
    assert space.count(a) + space.count(b) == space.count(a | b) + space.count(a & b)
    assert space.post(a | b) == space.post(a) | space.post(b)
    assert space.pre(a | b) == space.pre(a) | space.pre(b)
    assert bool(space.post(a) & b) == bool(a & space.pre(b))
    assert space.post(a & b) <= space.post(a) & space.post(b)


def check_reachability(space: Any, oracle: BruteForce) -> None:
    rings = oracle.rings()
    reached, frontier, distance = space.initial, space.initial, 0
    while frontier:
        assert frontier == to_set(space, oracle, rings[distance])
        frontier = space.post(frontier) - reached
        reached = reached | frontier
        distance += 1
    assert distance == len(rings)
    assert space.count(reached) == len(oracle.reachable())
