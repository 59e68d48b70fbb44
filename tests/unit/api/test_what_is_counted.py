"""Where a number of states is shown, it is said what is counted, if that is not the reachable states of the model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import coarsest
from command_lines import Runner

COUNTED = """MODULE main VAR x : 0..9; y : 0..4;
ASSIGN init(x) := 0; next(x) := x < 3 ? x + 1 : 0; init(y) := 0; next(y) := (y + 1) mod 5;"""


@pytest.mark.parametrize("engine, formula, said", [
    ("forward", "x < 8 | y > 9", "an inductive invariant of 20 states ("),
    ("forward", "x < 8", "an inductive invariant of 4 states of 1 of 2 variables ("),
    ("backward", "x < 8", "an inductive invariant of 8 states of 1 of 2 variables ("),
    ("forward", "next(x) < 8", "an inductive invariant of 4 states of 1 of 2 variables ("),
])  # fmt: skip
def test_an_invariant_says_what_it_counts(engine: str, formula: str, said: str) -> None:
    """The states of the variables that matter; where an engine has not found the reachable ones, others are among them."""
    text = str(coarsest.loads(COUNTED).check(formula, engine=engine))
    assert said in text and (", reachable or not, implies it" in text) == (engine == "backward")


def test_an_enumeration_says_what_it_counts() -> None:
    text = str(coarsest.loads(COUNTED).check("AG EF x = 0", "AG EF (x = 0 & y = 0)"))
    assert "on all 4 reachable states of 1 of 2 variables" in text.replace("\n        ", " ")
    assert "on all 20 reachable states by" in text.replace("\n        ", " ")


def test_a_reduction_says_what_it_counts(run: Runner) -> None:
    Path("m.smv").write_text("MODULE main IVAR i : 0..2; VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := i = 1;")
    assert "counted      states together with the value of i\n" in run("reduce", "m.smv", "--observe", "x & i = 0").out
    assert "counted" not in run("reduce", "m.smv", "--observe", "x").out
    assert json.loads(run("reduce", "m.smv", "--observe", "x & i = 0", "--json").out)["counted_with"] == ["i"]


@pytest.mark.parametrize(("search", "counts"), [("breadth-first", {"rings", "iterations", "images"}), ("chaining", {"images"})])
def test_a_search_forwards_is_counted(search: str, counts: set[str]) -> None:
    """Rings are told where there are any."""
    (answer,) = coarsest.loads(COUNTED).check("x < 8", engine="forward", search=search)
    told = {name: number for name, number in answer.statistics.items() if name in ("rings", "iterations", "images")}
    assert told.keys() == counts and all(told.values())
