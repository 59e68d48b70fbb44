"""The models of Sebastiani et al.: the verdicts of their tables I and II, by every way to check LTL."""

from __future__ import annotations

import pytest

import coarsest
from coarsest.errors import InputError
from coarsest.experiments.sebastiani_models import CLAIMS, FAMILIES

EXPECTED = {"safety_holds": "holds", "liveness_holds": "holds", "safety_fails": "fails", "liveness_fails": "fails"}
CASES = [*(("dining", n) for n in range(2, 7)), *(("mutex", n) for n in range(2, 7)), ("life", 2), ("life", 3)]


@pytest.mark.parametrize("method", ["partitioned", "automaton", "tableau"])
@pytest.mark.parametrize(("family", "n"), CASES)
def test_tables_one_and_two(family: str, n: int, method: str) -> None:
    model = coarsest.loads(FAMILIES[family](n))
    answers = list(model.answers(ltl=method, vacuity=False))
    assert {answer.name: answer.verdict.word for answer in answers} == EXPECTED
    for answer in answers:
        assert answer.verdict.word == "holds" or answer.confirmed, answer.doubt


@pytest.mark.parametrize("family", FAMILIES)
def test_premises_can_be_met(family: str) -> None:
    """The true properties are not true for want of an occasion."""
    occasions = {
        "dining": ["EF (p & r)", "EF deadlock", "EF s"],
        "mutex": ["EF (p1.t & !p2.t & !p3.t)", "EF (p1.t & p2.t & p3.t)", "AG !(p1.c & p2.c)"],
        "life": ["EF b", "EF born = 3", "EF !d", "EF EG d"],
    }
    model = coarsest.loads(FAMILIES[family](3))
    assert model.check(*occasions[family], vacuity=False).holds


def test_a_chopstick_that_was_offered_is_taken_by_the_neighbour_alone() -> None:
    model = coarsest.loads(FAMILIES["dining"](3))
    assert model.check("AG !(c1.is = offered & EX (c1.is = as_left))", vacuity=False).holds


@pytest.mark.parametrize("family", FAMILIES)
def test_there_is_no_model_for_one(family: str) -> None:
    with pytest.raises(InputError, match="begin at 2"):
        FAMILIES[family](1)


def test_names_of_the_claims() -> None:
    assert tuple(EXPECTED) == CLAIMS
