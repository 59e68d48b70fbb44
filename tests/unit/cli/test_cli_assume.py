"""`coarsest assume`: verdicts in all environments that satisfy an assumption, traces of the model, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import coarsest
from command_lines import Runner

COUNTER = """MODULE main
IVAR step : 0..2;
VAR n : 0..9;
ASSIGN init(n) := 0; next(n) := n + step <= 9 ? n + step : 0;
INVARSPEC NAME even := n mod 2 = 0
"""
ENVIRONMENT = "MODULE main VAR step : 0..2; ASSIGN init(step) := 0; next(step) := {0, 2}; FAIRNESS step = 2"


@pytest.fixture
def run(run: Runner) -> Runner:
    Path("counter.smv").write_text(COUNTER)
    Path("environment.smv").write_text(ENVIRONMENT)
    return run


@pytest.mark.parametrize(
    ("assumption", "formulas", "code"),
    [
        ("AG step != 1", [], 0),
        ("step != 1", [], 0),
        ("G step != 1", [], 0),
        ("step < 2", [], 1),
        ("AG AF step > 0", ["AG AF n = 0", "G F n > 3"], 0),
        ("AG AF step > 0", ["AG AF n = 4"], 1),
        ("TRUE", ["even"], 2),
        ("TRUE", ["n mod 2 = 0"], 1),
        ("environment.smv", ["n mod 2 = 0", "G F n = 4"], 0),
        ("environment.smv", ["G F n = 5"], 1),
        ("EF step = 1", [], 2),
        ("F G step = 1", [], 2),
        ("stepp = 1", [], 2),
        ("TRUE", ["AG EF n = 0"], 2),
    ],
)
def test_verdicts(run: Runner, assumption: str, formulas: list[str], code: int) -> None:
    assert run("assume", assumption, "counter.smv", *formulas).code == code


def test_traces_are_those_of_the_model(run: Runner) -> None:
    result = run("assume", "AG (step = 2 -> AX step = 1)", "counter.smv", "n < 3", "--json")
    assert result.code == 1
    (claim,) = json.loads(result.out)["properties"]
    assert claim["verdict"] == "fails"
    assert claim["confirmed"]
    assert set(claim["trace"]["states"][0]) == {"n", "step"}
    assert [state["n"] for state in claim["trace"]["states"]][-1] == 3


def test_an_assumption_that_nothing_satisfies_is_told(run: Runner) -> None:
    result = run("assume", "step = 1 & AG step = 2", "counter.smv")
    assert result.code == 0
    assert "no behaviour of the model satisfies the assumption" in result.err


def test_initial_states_without_paths_do_not_count() -> None:
    """n = 1 is an initial state of the model, but the assumption rules out its step."""
    model = coarsest.loads("MODULE main VAR n : 0..3; ASSIGN init(n) := {0, 1}; next(n) := n = 1 ? 3 : n;")
    assert not model.check("n = 0 | AG n = 3").holds
    assert coarsest.assume("AG n != 3", model, "n = 0 & AG n = 0").holds


def test_a_model_beside_another_with_nothing_in_common(run: Runner) -> None:
    Path("other.smv").write_text("MODULE main VAR b : boolean;")
    assert "no name in common" in run("assume", "other.smv", "counter.smv", "n < 10").err


def test_types_must_agree(run: Runner) -> None:
    Path("other.smv").write_text("MODULE main VAR step : boolean;")
    result = run("assume", "other.smv", "counter.smv", "n < 10")
    assert result.code == 2
    assert "'step' is of type" in result.err
