"""Walks that are kept to conditions, taken back, and written to files."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import coarsest
from command_lines import Runner

MODEL = """MODULE main
IVAR go : boolean;
VAR n : 0..9; flag : boolean;
ASSIGN init(n) := 0; next(n) := go ? (n + 1) mod 10 : n; init(flag) := FALSE; next(flag) := {TRUE, FALSE};
"""


def test_random_walks_stay_where_they_may() -> None:
    model = coarsest.loads(MODEL)
    trace = model.simulate(steps=60, constraint=["n < 4", "!flag"])
    assert len(trace) == 61 and all(state["n"] < 4 and not state["flag"] for state in trace.states)
    assert len({state["n"] for state in trace.states}) == 4
    driven = model.simulate(steps=20, constraint=["go", "next(flag)"])
    assert all(step["go"] for step in driven.inputs) and all(state["flag"] for state in driven.states[1:])


def test_by_hand(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("m.smv").write_text(MODEL)
    answers = "w x.json\n1\nc go & n = 5\nc\nc go\nc !next(flag)\n\nc oops\nw walk.json\nw walk.png\nb\nb\n1\nq\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    out = run("simulate", "m.smv", "-i").out
    assert "no state has been chosen yet" in out and not Path("x.json").exists()
    assert "no step leads on from here where go & n = 5; c lifts that" in out
    assert "`oops` is not declared" in out and "known endings are" in out
    states = json.loads(Path("walk.json").read_text())["trace"]["states"]
    assert [state["n"] for state in states] == [0, 1]


def test_the_first_constraint_may_be_an_option(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("m.smv").write_text(MODEL)
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert "there is no initial state where n > 3; c lifts that" in run("simulate", "m.smv", "-i", "--constraint", "n > 3").out
    stuck = run("simulate", "m.smv", "--constraint", "n < 2 & next(n) > n")
    assert "has no successor among those allowed" in stuck.err
    wrong = run("simulate", "m.smv", "--constraint", "F flag")
    assert wrong.code == 2 and "not a condition on states" in wrong.err


def test_graphs_have_no_variables() -> None:
    with pytest.raises(coarsest.InputError, match="has no variables"):
        coarsest.read_graph("examples/buffer.aut").walk().constrain(["x"])
