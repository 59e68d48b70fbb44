"""Formulas of PSL that random machines found to be decided against the definition."""

import pytest

import coarsest
from coarsest.logic.psl.parse_psl import parse_psl_expression
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from coarsest.logic.psl.show_psl import show_psl
from coarsest.text import Source

MODEL = coarsest.loads("MODULE main VAR p : boolean; q : boolean;")


@pytest.mark.parametrize(
    ("formula", "word"),
    [
        ("({{!q[->2]} within {p}}!) abort (TRUE)", "fails"),  # no word has both lengths, and an abort does not change lengths
        ("({{FALSE} && {{q}[*2..3]}}!) abort (p | !p)", "fails"),
        ("({{q; q} && {q}} |-> FALSE) abort (p)", "holds"),
        ("({FALSE}!) abort (TRUE)", "holds"),  # what comes after an abort satisfies even this
        ("eventually! (next![0] ({{!q[=1..2]}[+]}))", "holds"),  # weakly, which is not what stands behind eventually! itself
        ("eventually! {{!q[=1..2]}[+]}", "fails"),
    ],
)
def test_verdicts(formula: str, word: str) -> None:
    (answer,) = MODEL.check(formula)
    assert answer.verdict.word == word


def test_a_weak_sequence_behind_eventually_is_written_so_that_it_stays_weak() -> None:
    formula = psl_from_expr(parse_psl_expression(Source("f", "eventually! (next[0] ({p; q}))")))
    assert psl_from_expr(parse_psl_expression(Source("f", show_psl(formula)))) == formula
