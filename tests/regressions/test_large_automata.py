"""Formulas whose automata are out of reach are checked by a tableau instead."""

from coarsest.api.model import loads
from coarsest.check.products.ltl import automaton_if_small
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.logic.parse import parse_expression
from coarsest.run import Run

DEPTH = 13
RING = f"""MODULE main
VAR x : 0..{DEPTH};
ASSIGN init(x) := 0; next(x) := (x + 1) mod {DEPTH + 1};
"""


def nested(last: int) -> str:
    """!((TRUE U x = 1) U x = 2) U …: with every level there is more for an automaton to remember."""
    formula = "TRUE"
    for value in range(1, DEPTH):
        formula = f"({formula} U x = {value})"
    return f"!{formula} U x = {last}"


def test_a_deeply_nested_until_is_not_translated_into_an_automaton() -> None:
    assert automaton_if_small(from_expr(parse_expression(nested(DEPTH))).negation, Run()) is None
    assert automaton_if_small(from_expr(parse_expression("G (x = 1 -> F x = 2)")).negation, Run()) is not None


def test_it_is_checked_all_the_same() -> None:
    model = loads(RING)
    for last, verdict in ((0, Holds), (DEPTH, Fails)):
        (answer,) = model.check(nested(last), vacuity=False).answers
        assert isinstance(answer.verdict, verdict)
        assert answer.confirmed or verdict is Holds
