"""Parameters of a model, which keep their first value, are no variables of its diagrams; verdicts and evidence know them."""

from __future__ import annotations

import pytest

import coarsest
from coarsest.errors import ModelProblem
from coarsest.model.parts.constant_variables import constant_variables

PLACES = "".join(f"init(at[{place}]) := {place * 5 % 16};" for place in range(8))
MODEL = f"""MODULE main
FROZENVAR at : array 0..7 of 0..15; free : 0..3;
VAR index : 0..7; x : 0..15; speed : 0..3; mode : {{slow, fast}};
DEFINE step := 1;
ASSIGN {PLACES}
  init(index) := 0; next(index) := (index + speed) mod 8;
  init(speed) := step; next(speed) := speed;
  init(x) := 0; next(x) := mode = slow ? at[index] : x;
  init(mode) := slow; next(mode) := free = 2 ? {{slow, fast}} : slow;
"""
CLAIMS = [
    "INVARSPEC x != 15", "INVARSPEC x != 11", "INVARSPEC next(speed) = 1", "CTLSPEC AG AF x = 0", "CTLSPEC EF x = at[7]",
    "LTLSPEC G F x = at[3]", "LTLSPEC free < 2 -> G F x = at[3]", "LTLSPEC at[2] = 10", "LTLSPEC G at[7] = 4",
]  # fmt: skip


def test_what_is_constant() -> None:
    constants = constant_variables(coarsest.loads(MODEL).machine)
    assert {name: constant.value for name, constant in constants.items()} == {
        "speed": 1, **{f"at[{place}]": place * 5 % 16 for place in range(8)}
    }  # fmt: skip


@pytest.mark.parametrize(
    "equations",
    [
        "init(v) := 1; next(v) := go ? 1 : 2;",
        "init(v) := 1; next(v) := case go : 1; esac;",
        "init(v) := 1; next(v) := go ? v : w;",
        "init(v) := {1, 2}; next(v) := v;",
        "init(v) := 1;",
        "next(v) := 1;",
        "v := go ? 1 : 2;",
    ],
)
def test_what_is_not_plain_to_see(equations: str) -> None:
    model = coarsest.loads(f"MODULE main VAR v : 0..3; w : 0..3; go : boolean; ASSIGN {equations}")
    assert constant_variables(model.machine) == {}


@pytest.mark.parametrize("claim", CLAIMS)
def test_verdicts_and_evidence_are_the_same(claim: str) -> None:
    model = coarsest.loads(MODEL + claim)
    (answer,), (expected,) = model.check(certificates=True), model.check(merge=False, certificates=True)
    assert answer.verdict.word == expected.verdict.word
    assert answer.confirmed
    assert expected.confirmed
    if (trace := getattr(answer.verdict, "trace", None)) is not None:
        assert all(state["at[3]"] == 15 and state["speed"] == 1 for state in trace.states)


@pytest.mark.parametrize("merge", [True, False])
def test_a_constraint_that_forbids_the_value(merge: bool) -> None:
    model = coarsest.loads(MODEL + "INIT at[1] = 6 INVARSPEC FALSE")
    report = model.check(merge=merge)
    assert report.answers[0].verdict.word == "holds"
    assert any("initial state" in warning for warning in report.warnings)


def test_an_equation_without_a_value_is_an_error() -> None:
    bits = "".join(f"b{number} : boolean; " for number in range(40))
    text = f"MODULE main VAR x : 0..3; {bits} ASSIGN init(x) := 1; next(x) := case b1 : x; esac;"
    with pytest.raises(ModelProblem, match="no condition of the case holds"):
        coarsest.loads(text).reach()
