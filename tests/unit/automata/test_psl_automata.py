"""PSL to automata, against the definition of PSL on words `prefix cycle^ω`."""

from random import Random

import pytest

from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.automata.psl.psl_to_automaton import psl_to_automaton
from coarsest.automata.psl.psl_to_ltl import psl_to_ltl
from coarsest.errors import LimitExceeded
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from coarsest.run import Limits, Run
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
    linear = psl_to_ltl(formula)
    linear_automaton = None if linear is None else ltl_to_buchi(linear)
    for _ in range(words):
        prefix, cycle = word(rng, atoms=2)
        expected = satisfies(Lasso(tuple(prefix), tuple(cycle)), tree)
        assert accepts(automaton, prefix, cycle) == expected, (text, prefix, cycle)
        assert accepts(negation, prefix, cycle) != expected, (text, prefix, cycle)
        if linear_automaton is not None:
            assert accepts(linear_automaton, prefix, cycle) == expected, (text, prefix, cycle)
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


def test_counting_is_beyond_linear_temporal_logic() -> None:
    assert psl_to_ltl(psl_from_expr(parse("{{a; b}[*]; c}!"))) is None
    assert psl_to_ltl(psl_from_expr(parse("{a; b[*2:5]; c[->3]; d[=2]} |-> {e[*]; f}"))) is not None


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("always ({a; b[*1..3]; c} |-> d)", 6),
        ("always ({req} |=> {gnt[->2]; ack})", 5),
        ("never {a; b[*3]; c}", 6),
        ("always ({a; [*5]; b} |-> c)", 8),
        ("always ({{a; b}[+]} |=> {c; d})", 5),
        ("always (req -> {[*0:8]; ack}!)", 10),
    ],
)
def test_automata_of_negations_are_small(text: str, states: int) -> None:
    assert psl_to_automaton(psl_from_expr(parse(text)), negated=True).states <= states


def test_limits_hold_during_the_construction() -> None:
    with pytest.raises(LimitExceeded):
        psl_to_automaton(psl_from_expr(parse("never {a; [*40]; b}")), negated=False, run=Run(Limits(steps=500)))
