"""Which parts of a property that holds are said not to matter."""

import pytest

import coarsest

MODEL = coarsest.loads("""
MODULE main
VAR n : 0..3; a : boolean; b : boolean;
ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;
""")


@pytest.mark.parametrize(
    ("formula", "parts"),
    [
        ("AG (n < 4 | a)", ["a"]),
        ("AG (n = 0 -> AX n = 1)", []),
        ("AG (n = 3 & a & n = 1 -> AF b)", ["AF b", "a"]),
        ("AG (a -> EF n = 3)", ["a"]),
        ("EF (n = 3 & EG (a | b))", []),  # either will do, and that is no reason to doubt the claim
        ("AG EF (n = 1 | n = 2)", []),
        ("EF (a -> n = 2)", []),
        ("!AG (n < 3 & n < 2)", []),
        ("!AG !(n = 3 | n = 2)", []),
        ("AG (AF n = 2 | EF (a | b))", ["AF n = 2", "EF (a | b)"]),
    ],
)
def test_parts_that_do_not_matter(formula: str, parts: list[str]) -> None:
    (answer,) = MODEL.check(formula)
    assert answer.verdict.word == "holds"
    assert list(answer.warnings) == [f"holds vacuously: '{part}' does not matter" for part in parts]
