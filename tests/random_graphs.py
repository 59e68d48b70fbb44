"""Random assertion graphs and random automata over given conditions."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from coarsest.automata.automaton import Automaton
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr
from coarsest.logic.letters.alphabet import alphabet_over
from coarsest.model.assertion_graph import AssertionGraph, Semantics, Vertex


def random_graph(
    random: Random,
    condition: Callable[[], Expr],
    *,
    name: str = "random",
    semantics: Semantics | None = None,
    vertices: int = 4,
    trivial_off_final: bool = False,
) -> AssertionGraph:
    """A graph that is one in the semantics, or in one of them; `trivial_off_final`: only final vertices have consequents."""
    semantics = semantics or random.choice(list(Semantics))
    count = random.randint(1, vertices)
    every = range(count)
    chance = random.choice([0.25, 0.4, 0.6])
    edges = {(v, w) for v in every for w in every if random.random() < chance}
    sets: list[frozenset[int]] = []
    if semantics is Semantics.FAIR:
        edges |= {(v, random.choice(every)) for v in every if not any((v, w) in edges for w in every)}
        sets = [frozenset(random.sample(every, random.randint(1, count))) for _ in range(random.choice([0, 1, 1, 2, 3]))]
    final = frozenset(random.sample(every, random.randint(1, count))) if semantics is Semantics.FINITE else frozenset[int]()
    made = tuple(
        Vertex(
            f"v{v}",
            _condition(random, condition, true=0.35),
            TRUE if trivial_off_final and v not in final else _condition(random, condition, true=0.5),
        )
        for v in every
    )
    initial = frozenset(random.sample(every, random.randint(1, max(1, count // 2))))
    return AssertionGraph(name, made, frozenset(edges), initial, final, tuple(sets))


def _condition(random: Random, condition: Callable[[], Expr], *, true: float) -> Expr:
    if random.random() < true:
        return TRUE
    if random.random() < 0.05:
        return FALSE
    first = condition()
    match random.randrange(4):
        case 0:
            return Apply("not", (first,))
        case 1:
            return Apply(random.choice(["and", "or"]), (first, condition()))
    return first


def random_automaton(random: Random, condition: Callable[[], Expr], *, sets: int, states: int = 4) -> Automaton:
    """An automaton with guards and marks on edges; it may have states without edges."""
    alphabet = alphabet_over(condition() for _ in range(2))
    guards: list[Any] = [alphabet.full, alphabet.empty]
    for number in range(len(alphabet.atoms)):
        guards += [alphabet.atom(number), alphabet.complement(alphabet.atom(number))]
    guards.append(guards[-1] & guards[2])
    count = random.randint(1, states)
    edges = [
        [
            (random.choice(guards), random.getrandbits(sets) if sets else 0, random.randrange(count))
            for _ in range(random.choice([0, 1, 2, 2, 3]))
        ]
        for _ in range(count)
    ]
    initial = tuple(sorted(random.sample(range(count), random.randint(1, max(1, count // 2)))))
    return Automaton(alphabet, initial, [[edge for edge in out if edge[0]] for out in edges], sets)
