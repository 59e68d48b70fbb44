"""A part without a value is no error where a condition beside it settles the result: NuSMV reads such models, too."""

from __future__ import annotations

import pytest

from coarsest.api import model as api
from coarsest.errors import ModelProblem

ARRAY = """MODULE main
VAR a : array 0..2 of boolean;  i : 0..3;
ASSIGN init(i) := 0;  next(i) := i < 3 ? i + 1 : 0;  next(a[0]) := i <= 2 & a[i];
TRANS i <= 2 -> next(a[1]) = a[i];
DEFINE here := a[i];
"""
DIVISION = """MODULE main
VAR x : 0..3;  y : 0..3;
TRANS y != 0 & next(x) = x / y | next(x) = 0;
JUSTICE y = 0 | x / y < 3;
"""
RIGHT = """MODULE main
VAR a : array 0..2 of boolean;  b : boolean;  i : 0..3;
ASSIGN init(i) := 0;  next(i) := i < 3 ? i + 1 : 0;  next(b) := (a[i] | a[0]) & i <= 2;
INVAR (a[i] -> i < 3) | i = 3;
TRANS (next(a[1]) = a[i] | i > 2) & next(a[0]) = a[0];
"""
WORDS = """MODULE main
VAR w : word[2];  v : word[2];
TRANS next(w) = w / v & v != 0ud2_0 | next(w) = v;
"""
CLAIMS = [
    (ARRAY, "INVARSPEC i <= 2 & a[i] -> i != 3", True),
    (ARRAY, "INVARSPEC i > 2 | a[i] | !a[i]", True),
    (ARRAY, "INVARSPEC i <= 2 -> here", False),
    (ARRAY, "CTLSPEC AG (i <= 2 & here -> i != 3)", True),
    (ARRAY, "CTLSPEC EF (i <= 2 & a[i])", True),
    (ARRAY, "LTLSPEC G (i <= 2 -> a[i])", False),
    (ARRAY, "PSLSPEC always (i <= 2 -> here);", False),
    (ARRAY, "INVARSPEC a[i] & i <= 2 -> i != 3", True),
    (ARRAY, "INVARSPEC a[i] | i > 2 | !a[i]", True),
    (ARRAY, "INVARSPEC here -> i > 2", False),
    (ARRAY, "INVARSPEC !(a[i] & (a[i] | a[0]) & i <= 2) | i != 3", True),
    (ARRAY, "CTLSPEC AG ((here xor a[0]) & i <= 2 -> i != 3)", True),
    (ARRAY, "CTLSPEC EF (a[i] & i <= 2)", True),
    (ARRAY, "LTLSPEC G (a[i] | i > 2)", False),
    (ARRAY, "PSLSPEC always (here | i > 2);", False),
    (RIGHT, "INVARSPEC i = 3 -> !b", False),
    (RIGHT, "CTLSPEC AG (i = 3 -> AX !b)", True),
    (RIGHT, "LTLSPEC G (i = 0 & a[0] -> X b)", True),
    (DIVISION, "INVARSPEC x / y <= 3 | y = 0", True),
    (DIVISION, "INVARSPEC (x / y) * y > x -> y = 0", True),
    (WORDS, "INVARSPEC w / v <= w | v = 0ud2_0", True),
    (WORDS, "INVARSPEC w mod v < v & v != 0ud2_0", False),
    (WORDS, "LTLSPEC G (w mod v < v | v = 0ud2_0)", True),
    (DIVISION, "INVARSPEC y != 0 -> (x / y) * y + x mod y = x", True),
    (DIVISION, "INVARSPEC y = 0 | next(x) <= x / y", True),
    (DIVISION, "CTLSPEC AG (y != 0 -> x / y <= 3)", True),
    (DIVISION, "LTLSPEC F (y = 0 | x / y < 2)", False),
    (DIVISION, "LTLSPEC G (y != 0 & x mod y = 0 -> (x / y) * y = x)", True),
]


@pytest.mark.parametrize(("model", "claim", "holds"), CLAIMS)
@pytest.mark.parametrize("options", [{}, {"relation": "monolithic"}, {"reduce": "bisimulation"}, {"confirm": "always"}], ids=str)
def test_guarded(model: str, claim: str, holds: bool, options: dict[str, str]) -> None:
    assert api.loads(f"{model}{claim}\n").check(**options).holds is holds  # type: ignore[arg-type]


NOT_GUARDED = ["y != 0 <-> x / y > 1", "y = 0 -> x / y > 1", "x / y > 1 -> y != 0", "x / y > 1 & 3 / y > 0"]
NOT_GUARDED += ["!(x / y > 1) | y != 0"]


@pytest.mark.parametrize("claim", NOT_GUARDED)
@pytest.mark.parametrize("carrier", ["bdd", "smt"])
def test_not_guarded(claim: str, carrier: str) -> None:
    with pytest.raises(ModelProblem, match="y = 0"):
        api.loads("MODULE main VAR x : 0..3; y : 0..3;").check(claim, carrier=carrier)


def test_with_formulas() -> None:
    model = api.loads("MODULE main VAR x : 0..3; y : 0..3;")
    for claim in ("y != 0 -> x / y <= 3", "x / y <= 3 | y = 0", "x / y > 3 -> y = 0"):
        assert model.check(claim, carrier="smt").holds


def test_the_index_is_named() -> None:
    with pytest.raises(ModelProblem, match="the index is outside the array when i = 3"):
        api.loads(ARRAY).check("a[i]")


@pytest.mark.parametrize(("claim", "holds"), [("x in {1, b}", False), ("b in {1, b}", True), ("x in {0..3, b}", True)])
def test_booleans_and_numbers_in_one_set(claim: str, holds: bool) -> None:
    assert api.loads("MODULE main VAR x : 0..3; b : boolean;").check(claim).holds is holds
