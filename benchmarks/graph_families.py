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


def taumix(transitions: int) -> Edges:
    """Three transitions from every state to random ones, half of them internal."""
    generator = np.random.default_rng(SEED)
    states = max(1, transitions // 3)
    number = 3 * states
    actions = np.where(generator.random(number) < 0.5, 0, generator.integers(1, 3, number))
    return Edges(states, np.repeat(np.arange(states), 3), actions, generator.integers(0, states, number), ("tau", "a", "b"))


def tauscc(transitions: int) -> Edges:
    """One internal cycle through all states, and two more transitions from each to random ones, half of them internal."""
    generator = np.random.default_rng(SEED)
    states = max(1, transitions // 3)
    state = np.arange(states)
    random_ends, random_actions = generator.integers(0, states, (states, 2)), generator.choice([0, 0, 1, 2], (states, 2))
    targets = np.column_stack([(state + 1) % states, random_ends])
    return Edges(
        states, np.repeat(state, 3), np.column_stack([np.zeros_like(state), random_actions]).ravel(), targets.ravel(),
        ("tau", "a", "b"),
    )  # fmt: skip


def tauislands(transitions: int) -> Edges:
    """Internal cycles of 20 states; from every state an action leads to a random one of another island."""
    generator = np.random.default_rng(SEED)
    states = max(1, transitions // 40) * 20
    state = np.arange(states)
    around = state // 20 * 20 + (state + 1) % 20
    targets = np.column_stack([around, generator.integers(0, states, states)])
    actions = np.column_stack([np.zeros_like(state), generator.integers(1, 4, states)])
    return Edges(states, np.repeat(state, 2), actions.ravel(), targets.ravel(), ("tau", "a", "b", "c"))


def buffers(transitions: int) -> Edges:
    """A pipeline of cells that are empty, 0 or 1: what is in one moves on, or gets lost, by internal steps."""
    cells = 2
    while 3 ** (cells + 1) * (8 * cells + 15) // 9 <= transitions:
        cells += 1
    state = np.arange(3**cells, dtype=np.int64)
    digit = [state // 3**cell % 3 for cell in range(cells)]
    empty = state[digit[0] == 0]
    columns: list[tuple[Numbers, int, Numbers]] = [(empty, value, empty + value) for value in (1, 2)]
    for cell in range(cells):
        here, full = 3**cell, digit[cell] > 0
        columns.append((state[full], 0, (state - digit[cell] * here)[full]))
        if cell < cells - 1:
            able = full & (digit[cell + 1] == 0)
            columns.append((state[able], 0, (state + 2 * digit[cell] * here)[able]))
    for value in (1, 2):
        able = digit[-1] == value
        columns.append((state[able], 2 + value, (state - value * 3 ** (cells - 1))[able]))
    sources, targets = np.concatenate([column[0] for column in columns]), np.concatenate([column[2] for column in columns])
    actions = np.concatenate([np.full(len(column[0]), column[1]) for column in columns])
    order = np.argsort(sources, kind="stable")
    return Edges(3**cells, sources[order], actions[order], targets[order], ("tau", "in !0", "in !1", "out !0", "out !1"))


def dense(transitions: int) -> Edges:
    """About as many transitions from each state as there are states, which are twins of one another."""
    generator = np.random.default_rng(SEED)
    pairs = max(1, int(transitions**0.5) // 2)
    half = generator.integers(0, 2 * pairs, (pairs, 2 * pairs))
    actions = generator.integers(0, 2 * pairs, (pairs, 2 * pairs))
    sources = np.repeat(np.arange(2 * pairs), 2 * pairs)
    names = tuple(f"a{number}" for number in range(2 * pairs))
    return Edges(2 * pairs, sources, np.tile(actions.ravel(), 2), np.tile(half.ravel(), 2), names)


def scalefree(transitions: int) -> Edges:
    """Few states have many transitions, most have one or two; targets are random."""
    generator = np.random.default_rng(SEED)
    states = max(1, transitions // 4)
    shares = np.cumsum(generator.permutation(np.arange(1, states + 1) ** -0.7))
    sources = np.sort(np.minimum(np.searchsorted(shares, generator.random(transitions) * shares[-1]), states - 1))
    targets = generator.integers(0, states, transitions)
    return Edges(states, sources, generator.integers(0, 3, transitions), targets, ("a", "b", "c"))


def star(transitions: int) -> Edges:
    """One state leads to all others, and each of these to a random one of them."""
    generator = np.random.default_rng(SEED)
    points = max(1, transitions // 2)
    sources = np.concatenate([np.zeros(points, dtype=np.int64), np.arange(1, points + 1)])
    targets = np.concatenate([np.arange(1, points + 1), generator.integers(1, points + 1, points)])
    return Edges(points + 1, sources, generator.integers(0, 3, 2 * points), targets, ("a", "b", "c"))


def sturmian(transitions: int) -> Edges:
    """One cycle along a Sturmian word, whose parts are as much alike as those of a word without period can be."""
    state = np.arange(transitions, dtype=np.int64)
    golden = (5**0.5 - 1) / 2
    word = (np.floor((state + 1) * golden) - np.floor(state * golden)).astype(np.int64)
    return Edges(transitions, state, word, (state + 1) % transitions, ("a", "b"))


def oddlabels(transitions: int) -> Edges:
    """Four transitions from every state to a state nearby, with 200 long names full of commas, brackets, quotes and blanks."""
    generator = np.random.default_rng(SEED)
    states = max(1, transitions // 4)
    sources = np.repeat(np.arange(states), 4)
    number = len(sources)
    targets = np.minimum(sources + generator.integers(1, 50, number), states - 1)
    names = tuple(f'send (to: "node {n}", [{n}, {n + 1}, "a, b"], \\{{x | x > {n}\\}} )  ; part {n} of 200' for n in range(200))
    return Edges(states, sources, generator.integers(0, 200, number), targets, names)


FAMILIES: Mapping[str, Callable[[int], Edges]] = {
    "random": random, "sparse": sparse, "grid": grid, "chain": chain, "tree": tree, "product": product, "philo": philo,
    "scalefree": scalefree, "dense": dense, "star": star, "sturmian": sturmian, "oddlabels": oddlabels,
    "taumix": taumix, "tauscc": tauscc, "tauislands": tauislands, "buffers": buffers,
}  # fmt: skip
