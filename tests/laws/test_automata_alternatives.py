"""Alternatives put off and unions left out, on random automata: the same words are accepted."""

from __future__ import annotations

from random import Random

import pytest

from coarsest.automata.automaton import Automaton
from coarsest.automata.shrink.degeneralise import degeneralise
from coarsest.automata.shrink.join_alternatives import join_alternatives
from coarsest.automata.shrink.remove_unions import remove_unions
from coarsest.automata.tidy import Transient, tidy, tidy_states
from coarsest.logic.expr import Expr, Name
from coarsest.run import Run
from oracles.automaton_words import accepts
from random_graphs import random_automaton

ATOMS = (Name("p"), Name("q"))


def random_word(random: Random, longest: int) -> list[frozenset[Expr]]:
    return [frozenset(atom for atom in ATOMS if random.random() < 0.5) for _ in range(random.randint(1, longest))]


def require_same_words(random: Random, one: Automaton, other: Automaton) -> None:
    for _ in range(25):
        prefix, cycle = random_word(random, 4)[1:], random_word(random, 4)
        assert accepts(one, prefix, cycle) == accepts(other, prefix, cycle), (prefix, cycle)


def automata(seeds: range) -> list[tuple[Random, Automaton]]:
    found = []
    for seed in seeds:
        random = Random(seed)
        names = iter(ATOMS)
        found.append((random, random_automaton(random, lambda names=names: next(names), sets=seed % 3, states=7)))  # type: ignore[misc]
    return found


@pytest.mark.parametrize("everywhere", [False, True])
def test_joined_alternatives(everywhere: bool) -> None:
    several = 0
    for random, automaton in automata(range(500)):
        joined = join_alternatives(automaton, Run(), most=200, everywhere=everywhere)
        if joined is None:
            continue
        require_same_words(random, automaton, joined)
        several += joined.states > automaton.states
    assert several > 20


def test_too_many_subsets_are_given_up() -> None:
    counts = [join_alternatives(automaton, Run(), most=2, everywhere=True) for _, automaton in automata(range(60))]
    assert any(joined is None for joined in counts)
    assert all(joined.states <= 2 for joined in counts if joined is not None)


@pytest.mark.parametrize("transient", Transient)
def test_removed_unions(transient: Transient) -> None:
    """On edges and on states, whatever marks the transient edges have; and some are removed."""
    removed = 0
    for random, automaton in automata(range(400)):
        joined = join_alternatives(automaton, Run(), most=200, everywhere=bool(random.getrandbits(1)))
        for subject in (automaton, joined or automaton):
            tidied = tidy(subject, transient=transient)
            smaller = remove_unions(tidied, Run())
            require_same_words(random, tidied, smaller)
            removed += smaller.states < tidied.states
            on_states = tidy_states(degeneralise(subject), transient=transient)
            smaller = remove_unions(on_states, Run())
            assert smaller.is_state_based
            require_same_words(random, on_states, smaller)
            removed += smaller.states < on_states.states
    assert removed > 20
