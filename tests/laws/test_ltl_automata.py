"""Automata of formulas accept the words that satisfy them: against the definition of the logic, on words with a cycle."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from accepted_words import accepted_word
from coarsest.automata.automaton import Automaton
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi, ltl_to_generalised_buchi
from coarsest.automata.product import product
from coarsest.automata.strength import Strength, strength
from coarsest.automata.tidy import is_empty
from coarsest.logic.expr import Expr
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.logic.show import show
from oracles.automaton_words import accepts
from oracles.ltl_words import Letter, holds
from random_formulas import BOUNDED, FUTURE, PAST, formula, word

WORDS = 4
TRANSLATIONS: tuple[Callable[..., Automaton], ...] = (ltl_to_buchi, ltl_to_generalised_buchi)


def a_formula(rng: random.Random) -> Expr:
    operators = rng.choice((FUTURE, FUTURE, FUTURE + PAST, FUTURE + PAST + BOUNDED))
    return formula(rng, rng.randint(2, 14 if operators is FUTURE else 9), operators=operators)


def letters(automaton: Automaton, numbers: tuple[int, ...]) -> list[Letter]:
    atoms = automaton.alphabet.atoms
    return [frozenset(atom for place, atom in enumerate(atoms) if number >> place & 1) for number in numbers]


def check(expr: Expr, rng: random.Random) -> None:
    """The laws of one formula, with a few words."""
    text = show(expr)
    found = from_expr(expr)
    automata = [translate(found) for translate in TRANSLATIONS]
    negations = [translate(found.negation) for translate in TRANSLATIONS]
    assert all(automaton.sets == 1 and automaton.is_state_based for automaton in (automata[0], negations[0]))
    for one in automata:
        for other in negations:
            assert is_empty(product(one, other)), text
    for _ in range(WORDS):
        prefix, cycle = word(rng)
        expected = holds(expr, prefix, cycle)
        assert [accepts(automaton, prefix, cycle) for automaton in automata] == [expected] * 2, (text, prefix, cycle)
        assert [accepts(automaton, prefix, cycle) for automaton in negations] == [not expected] * 2, (text, prefix, cycle)
    for automaton, satisfied in ((automata[0], True), (automata[1], True), (negations[0], False), (negations[1], False)):
        witness = accepted_word(automaton)
        assert (witness is None) == is_empty(automaton)
        if witness is not None:
            assert holds(expr, letters(automaton, witness.prefix), letters(automaton, witness.cycle)) == satisfied, text
    if found.is_syntactic_safety:
        assert strength(automata[0]) is Strength.CLOSED, text
    if found.is_syntactic_guarantee:
        assert strength(automata[0]) in (Strength.TERMINAL, Strength.CLOSED), text


def campaign(seed: int, formulas: int) -> None:
    rng = random.Random(seed)
    for _ in range(formulas):
        check(a_formula(rng), rng)


@pytest.mark.parametrize("seed", range(4))
def test_words(seed: int) -> None:
    campaign(seed, 60)


def test_words_with_decision_diagrams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coarsest.tuning.TRUTH_TABLE_ATOMS", 0)
    campaign(99, 40)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_words(seed: int) -> None:
    campaign(seed, 600)
