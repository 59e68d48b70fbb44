"""Formulas of Hennessy–Milner logic: text, truth, and complaints."""

from __future__ import annotations

import pytest

from coarsest.errors import SyntaxProblem
from coarsest.formats.aut.read import parse as parse_graph
from coarsest.logic.modal.hennessy_milner import Builder, show
from coarsest.logic.modal.parse_modal import parse
from coarsest.lts.judge.hennessy_milner import FormulaChecker
from coarsest.text import Source

GRAPH = parse_graph(b'des (0, 6, 5)\n(0, i, 1)\n(1, tau, 2)\n(2, "a b", 3)\n(0, c, 4)\n(4, i, 4)\n(1, c, 4)\n')
TRUE_IN = {
    "true": {0, 1, 2, 3, 4},
    "false": set(),
    "<i>true": {0, 1, 4},
    "<tau>true": {0, 1, 4},
    '<"a b">true': {2},
    '<<"a b">>true': {0, 1, 2},
    "[i]false": {2, 3},
    "[[c]]false": {2, 3, 4},
    '(<c>true U <"a b">true)': set(),
    '(!<"a b">true U <i><"a b">true)': {0, 1},
    "diverges(true)": {4},
    "diverges(<c>true)": set(),
    "(true U <i>[i]false)": {0, 1, 2, 3},
    "X1 & !X2 where X1 = <i>true; X2 = <c>X1": {4},
    'label ""': {0, 1, 2, 3, 4},
    'label "p"': set(),
}


@pytest.mark.parametrize("text", TRUE_IN)
def test_truth_by_hand(text: str) -> None:
    formula = parse(Source("", text))
    assert FormulaChecker(GRAPH).satisfying(formula, range(5)) == TRUE_IN[text]
    assert parse(Source("", show(formula))) == formula


@pytest.mark.parametrize(
    "text",
    ["", "<a", "<a>", "<>true", "[a>true", "(true", "true true", "X1", "label", "true U <a>true", "(true U true)",
     "diverges true", "X1 where X1 = ", "X1 where X1 = X2; X2 = true", "X1 where X1 = true; X1 = true", "!", "&",
     "<a>" * 2000 + "true"],
)  # fmt: skip
def test_what_is_no_formula_is_refused_with_a_place(text: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse(Source("formula", text))
    assert "expected" in str(caught.value)
    assert caught.value.diagnostic.hint


def test_deep_and_wide_formulas_have_short_texts() -> None:
    make = Builder()
    place = make.true
    for _ in range(3000):
        place = make.diamond("a", make.conjunction([place, make.diamond("b", place)]))
    formula = make.formula(place)
    assert formula.depth == 6000
    text = show(formula)
    assert len(text) < 200_000
    assert parse(Source("", text)) == formula
