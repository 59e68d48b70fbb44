"""Small random graphs with actions and labels, and formulas about them."""

from __future__ import annotations

from itertools import product
from random import Random

from coarsest.api.graph import Graph

ACTIONS, LABELS = ("a", "b"), ("p", "q")


def random_graph(random: Random, most: int = 6) -> Graph:
    states = random.randint(1, most)
    edges = [e for e in product(range(states), range(2), range(states)) if random.random() < 1.6 / states / 2]
    sources, actions, targets = zip(*edges) if edges else ((), (), ())
    return Graph.from_edges(
        states, sources, actions, targets, initial=random.sample(range(states), random.randint(1, min(2, states))),
        labels=[random.randrange(2) for _ in range(states)], action_names=ACTIONS, label_names=LABELS,
    )  # fmt: skip


def branching(random: Random, depth: int) -> str:
    if depth == 0 or random.random() < 0.15:
        return random.choice(("p", "q", "true", "<a>true", "[b]false"))
    inner, other = branching(random, depth - 1), branching(random, depth - 1)
    return random.choice((
        f"!({inner})", f"({inner} & {other})", f"({inner} | {other})", f"({inner} -> {other})", f"<a>({inner})", f"[b]({inner})",
        f"AX ({inner})", f"EX ({inner})", f"AG ({inner})", f"EF ({inner})", f"AF ({inner})", f"EG ({inner})",
        f"A [{inner} U {other}]", f"E [{inner} U {other}]",
    ))  # fmt: skip


def linear(random: Random, depth: int, *, about_steps: bool = True) -> str:
    if depth == 0 or random.random() < 0.15:
        atoms = ("p", "q", "<a>true", "[b]false")
        return random.choice((*atoms, "a", "b", "a | b") if about_steps else atoms)
    inner, other = (linear(random, depth - 1, about_steps=about_steps) for _ in range(2))
    return random.choice((
        f"!({inner})", f"({inner} & {other})", f"({inner} -> {other})", f"X ({inner})", f"G ({inner})", f"F ({inner})",
        f"(({inner}) U ({other}))", f"O ({inner})", f"(({inner}) V ({other}))",
    ))  # fmt: skip
