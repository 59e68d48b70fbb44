"""What the tableau of a formula adds to a machine."""

from __future__ import annotations

import pytest

from coarsest.automata.ltl.ltl_tableau_clarke_grumberg_hamaguchi import Tableau
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.logic.parse import parse_expression
from coarsest.logic.show import show


@pytest.mark.parametrize(
    ("text", "promises", "justice"),
    [
        ("G p", 1, 0),
        ("!G p", 1, 1),
        ("F p", 1, 1),
        ("!F p", 1, 0),
        ("F (p & G !q)", 2, 1),
        ("!(F (p & G !q))", 2, 1),
        ("!(G F p -> G F q)", 4, 2),
        ("p U q <-> X p", 2, 1),
        ("G p xor X p", 2, 1),
        ("F p & !F p", 1, 1),
        ("F [1, 3] G p", 4, 0),
        ("!(F [1, 3] G p)", 4, 1),
    ],
)
def test_justice_is_asked_only_where_a_label_could_lie(text: str, promises: int, justice: int) -> None:
    """Until and its kind are put off for ever only where they are asserted, release and its kind only where they are denied."""
    tableau = Tableau()
    tableau.satisfied(parse_expression(text))
    assert (len(tableau.promises), len(tableau.justice)) == (promises, justice)


def test_settled_is_where_nothing_is_promised() -> None:
    tableau = Tableau()
    tableau.satisfied_normal(from_expr(parse_expression("F (p & X q) & O r")))
    assert len(tableau.variables) == 3
    assert show(tableau.settled()).count("ltl-tableau.") == 2  # the third is a memory
