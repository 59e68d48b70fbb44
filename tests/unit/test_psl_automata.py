"""PSL to automata, against the definition of PSL on words `prefix cycle^ω`."""

from random import Random

import pytest

from coarsest.automata.psl_to_automaton import bad_prefix_automaton, psl_to_automaton
from coarsest.logic.psl_from_expr import psl_from_expr
from oracles.automaton_words import accepts
from oracles.sere_words import Lasso, can_match, largest_bound, satisfies
from random_formulas import word
from random_sequences import parse, psl

MOST_WORK = 40


def check_formula(text: str, rng: Random, words: int) -> int:
    """Compare the automata of a formula with the definition on random words; how many words were compared."""
    tree = parse(text)
    if largest_bound(tree) > MOST_WORK or ("abort" in text and not can_match(tree)):
        return 0
    formula = psl_from_expr(tree)
    automaton, negation = psl_to_automaton(formula, negated=False), psl_to_automaton(formula, negated=True)
    bad_prefixes = bad_prefix_automaton(formula)
    for _ in range(words):
        prefix, cycle = word(rng, atoms=2)
        expected = satisfies(Lasso(tuple(prefix), tuple(cycle)), tree)
        assert accepts(automaton, prefix, cycle) == expected, (text, prefix, cycle)
        assert accepts(negation, prefix, cycle) != expected, (text, prefix, cycle)
        if bad_prefixes is not None:
            assert accepts(bad_prefixes, prefix, cycle) != expected, (text, prefix, cycle)
    return words


@pytest.mark.parametrize("size", range(5))
def test_random_formulas(size: int) -> None:
    rng = Random(size)
    compared = sum(check_formula(psl(rng, size), rng, words=4) for _ in range(40))
    assert compared >= 100


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(20))
def test_many_random_formulas(seed: int) -> None:
    rng = Random(1000 + seed)
    compared = sum(check_formula(psl(rng, rng.randrange(7)), rng, words=6) for _ in range(150))
    assert compared >= 500
