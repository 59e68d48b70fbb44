"""Small inputs with huge numbers: an answer or a refusal, soon, and in little memory."""

from __future__ import annotations

import pytest

import coarsest
from coarsest.errors import InputError

HUGE = 10**12  # of every seven steps of the model below, 10**12 are one more than a multiple

CLOCK = """
MODULE main
VAR x : boolean; n : 0..6;
ASSIGN init(x) := FALSE; next(x) := {TRUE, FALSE}; init(n) := 0; next(n) := (n + 1) mod 7;
"""


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        (f"ABF 0..{HUGE} x", False),
        (f"EBF 0..{HUGE} x", True),
        (f"EBG {HUGE - 1}..{HUGE} x", True),
        (f"EBG 0..{HUGE} x", False),
        (f"ABG {HUGE}..{HUGE} n = 1", True),
        (f"ABG {HUGE}..{HUGE + 1} n = 1", False),
        (f"ABF {HUGE + 1}..{HUGE + 6} n = 1", False),
        (f"ABF {HUGE + 1}..{HUGE + 7} n = 1", True),
        (f"A [n < 7 BU {HUGE}..{HUGE + 1} n = 1]", True),
        (f"A [n < 6 BU {HUGE}..{HUGE + 1} n = 1]", False),
        (f"E [n < 7 BU {HUGE + 2}..{HUGE + 5} n = 2]", False),
        (f"E [n < 7 BU {HUGE + 2}..{HUGE + 8} n = 2]", True),
    ],
)
def test_bounded_operators_of_ctl(formula: str, holds: bool) -> None:  # noqa: FBT001
    report = coarsest.loads(CLOCK).check(formula)
    assert report.holds is holds
    words = str(report)
    assert "on every path" not in words if (formula[0] == "E") == holds else "path" in words
