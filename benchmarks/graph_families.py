"""Families of explicit graphs of growing size: arrays of sources, actions and targets, in the order of the sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.signedinteger[Any]]
SEED = 1


class Edges(NamedTuple):
    """A graph: its number of states, a column for each part of its transitions, and the names of its actions."""

    states: int
    sources: Numbers
    actions: Numbers
    targets: Numbers
    names: tuple[str, ...]


def random(transitions: int) -> Edges:
    """Four transitions from every state to random ones, with three actions: hardly anything can be reduced."""
    generator = np.random.default_rng(SEED)
    states = max(1, transitions // 4)
    sources = np.repeat(np.arange(states, dtype=np.int32), 4)
    number = len(sources)
    return Edges(states, sources, generator.integers(0, 3, number), generator.integers(0, states, number), ("a", "b", "c"))


def sparse(transitions: int) -> Edges:
    """1.25 transitions for every state, between random ones, with three actions: most states lead to a dead end."""
    generator = np.random.default_rng(SEED)
    states = max(1, transitions * 4 // 5)
    sources = np.sort(generator.integers(0, states, transitions))
    return Edges(
        states, sources, generator.integers(0, 3, transitions), generator.integers(0, states, transitions), ("a", "b", "c")
    )


def grid(transitions: int) -> Edges:
    """A square, with steps to the right and down."""
    side = int((transitions / 2) ** 0.5) + 1
    state = np.arange(side * side, dtype=np.int32)
    inside = np.stack([state % side < side - 1, state // side < side - 1], axis=1).ravel()
    targets = np.stack([state + 1, state + side], axis=1).ravel()[inside]
    return Edges(side * side, np.repeat(state, 2)[inside], np.tile([0, 1], side * side)[inside], targets, ("right", "down"))


def chain(transitions: int) -> Edges:
    """One step after the other: as deep as can be."""
    sources = np.arange(transitions, dtype=np.int32)
    return Edges(transitions + 1, sources, np.zeros_like(sources), sources + 1, ("a",))


def tree(transitions: int) -> Edges:
    """Every state but the root has a random parent among those before it."""
    generator = np.random.default_rng(SEED)
    parents = (generator.random(transitions) * np.arange(1, transitions + 1)).astype(np.int32)
    order = np.argsort(parents, kind="stable")
    return Edges(transitions + 1, parents[order], np.zeros_like(parents), (order + 1).astype(np.int32), ("a",))


def product(transitions: int) -> Edges:
    """Circles of three states side by side, all alike: a state of the quotient counts how many are where."""
    circles = 1
    while 3 ** (circles + 1) * (circles + 1) <= 2.1 * transitions:
        circles += 1
    sources = np.repeat(np.arange(3**circles, dtype=np.int32), circles)
    power = np.tile(3 ** np.arange(circles, dtype=np.int32), 3**circles)
    place = sources // power % 3
    return Edges(3**circles, sources, place, sources + np.where(place == 2, -2 * power, power), ("a", "b", "c"))


def philo(transitions: int) -> Edges:
    """Philosophers in a circle who think, are hungry, and eat in two ways that look alike, unless a neighbour eats."""
    seats = 2
    while 4 ** (seats + 1) * (seats + 1) // 2 <= 2.4 * transitions:
        seats += 1
    state = np.arange(4**seats, dtype=np.int32)
    columns: list[tuple[Numbers, Numbers, Numbers]] = []
    for seat in range(seats):
        here, beside = state >> 2 * seat & 3, state >> 2 * ((seat + 1) % seats) & 3
        able = beside < 2
        there = np.choose(here, [np.ones_like(here), 2 + beside, np.zeros_like(here), np.zeros_like(here)])
        targets = (state & ~(3 << 2 * seat)) | (there << 2 * seat)
        columns.append((state[able], (3 * seat + np.minimum(here, 2))[able].astype(np.int32), targets[able]))
    sources, actions, targets = (np.concatenate(parts) for parts in zip(*columns))
    order = np.argsort(sources, kind="stable")
    names = tuple(f"{word}{seat}" for seat in range(seats) for word in ("hungry", "eat", "think"))
    return Edges(4**seats, sources[order], actions[order], targets[order], names)


FAMILIES: Mapping[str, Callable[[int], Edges]] = {
    "random": random, "sparse": sparse, "grid": grid, "chain": chain, "tree": tree, "product": product, "philo": philo,
}  # fmt: skip
