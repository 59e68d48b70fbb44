"""`confirm` for traces: what `check` writes is confirmed, and what was changed is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coarsest.evidence.enumeration.enumerated_states import EnumerationBounds
from command_lines import Runner

MODEL = """MODULE main
VAR n : 0..5; w : unsigned word[4]; at : {idle, busy}; other : boolean; free : 0..9;
IVAR go : boolean;
ASSIGN init(n) := 0; next(n) := go ? (n + 1) mod 6 : n;
  init(w) := 0ud4_0; next(w) := w + 0ud4_3;
  init(at) := idle; next(at) := n > 2 ? busy : at;
JUSTICE at = busy | n < 3
INVARSPEC NAME small := n < 4
INVARSPEC NAME stays := next(n) = n
LTLSPEC NAME once := F n = 5
LTLSPEC NAME bits := G (w = 0ud4_3 -> X w = 0ud4_5)
LTLSPEC NAME never := G at = idle
PSLSPEC NAME sequence := never {n = 1; n = 2}
CTLSPEC NAME tree := AG EF n = 0 -> AF n = 5
CTLSPEC NAME all := AG n < 3
CTLSPEC NAME star := A (F n = 5)
"""
NAMES = ["small", "stays", "once", "bits", "never", "sequence", "all", "star"]


@pytest.fixture
def run(run: Runner) -> Runner:
    Path("m.smv").write_text(MODEL)
    return run


def trace_of(run: Runner, name: str) -> dict[str, Any]:
    run("check", "m.smv", "--property", name, "--trace", "json", "-o", "t.json")
    return json.loads(Path("t.json").read_text())  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", NAMES)
def test_each_counterexample_is_confirmed(name: str, run: Runner) -> None:
    trace_of(run, name)
    found = run("confirm", "m.smv", "t.json")
    assert found.code == 0
    assert found.out.startswith("confirmed: ") and " fails (" in found.out


def test_a_report_has_all_of_them(run: Runner) -> None:
    run("check", "m.smv", "--json", "-o", "r.json")
    found = run("confirm", "m.smv", "r.json", "--json")
    thing = json.loads(found.out)
    assert (found.code, thing["kind"], thing["accepted"]) == (0, "trace", True)
    assert {one["name"] for one in thing["properties"] if one["false"]} == {*NAMES, "tree"}


def test_what_is_about_more_than_one_path_is_evaluated_on_all_states(run: Runner) -> None:
    trace_of(run, "tree")
    found = run("confirm", "m.smv", "t.json")
    how = "confirmed on all 10 reachable states by explicit enumeration"
    assert (found.code, found.out) == (0, f"confirmed: AG EF n = 0 -> AF n = 5 fails (ctl, lasso of 1 state; {how})\n")


def test_a_path_of_a_large_model_may_show_nothing(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither accepted nor rejected: exit code 3."""
    monkeypatch.setattr("coarsest.explain.replay.PATIENT", EnumerationBounds(states=500, steps=5000))
    Path("m.smv").write_text("MODULE main VAR a : 0..999; b : 0..999; c : 0..9; INIT a + b + c = 0; INVAR a + b + c < 2000")
    Path("t.json").write_text(json.dumps({"formula": "EF c = 8", "states": [{"a": 0, "b": 0, "c": 0}], "loop": 0}))
    found = run("confirm", "m.smv", "t.json")
    assert found.code == 3 and "does not show by itself" in found.out
    assert json.loads(run("confirm", "m.smv", "t.json", "--json").out)["accepted"] is None


UNFAIR = """MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := x ? TRUE : {FALSE, TRUE};
JUSTICE !x
LTLSPEC NAME l := G !x
CTLSPEC NAME c := AG !x
INVARSPEC NAME i := !x
"""


@pytest.mark.parametrize("name, formula", [("l", "G !x"), ("c", "AG !x"), ("", "G !x")])
def test_a_path_that_no_fair_one_continues_refutes_nothing(name: str, formula: str, run: Runner) -> None:
    Path("m.smv").write_text(UNFAIR)
    states = [{"x": False}, {"x": True}]
    Path("t.json").write_text(json.dumps({"name": name, "formula": formula, "loop": None, "states": states, "inputs": []}))
    found = run("confirm", "m.smv", "t.json")
    assert found.code == 1 and ("no fair path goes on" in found.out or "holds on the 2 reachable states" in found.out)
    Path("t.json").write_text(json.dumps({"name": "i", "formula": "!x", "loop": None, "states": states, "inputs": []}))
    assert run("confirm", "m.smv", "t.json").code == 0


def test_a_loop_does_not_hide_that_nothing_is_shown(run: Runner) -> None:
    Path("m.smv").write_text("MODULE main VAR x : 0..3; INIT x = 0; INVARSPEC NAME i := x < 3; CTLSPEC NAME c := EF x = 3;")
    for name, formula in (("i", "x < 3"), ("c", "EF x = 3")):
        Path("t.json").write_text(json.dumps({"name": name, "formula": formula, "loop": 0, "states": [{"x": 0}]}))
        assert run("confirm", "m.smv", "t.json").code == 1


def test_what_a_file_says_is_not_printed(run: Runner) -> None:
    """Comments and what a terminal would obey are not the formula that was understood."""
    trace = trace_of(run, "small")
    trace |= {"name": "", "formula": "n < 4 -- and the moon is made of cheese \u001b[2J"}
    Path("t.json").write_text(json.dumps(trace))
    assert run("confirm", "m.smv", "t.json").out == "confirmed: n < 4 fails (invariant, path of 5 states)\n"
    Path("t.json").write_text(json.dumps({**trace, "name": "\u001b[2J"}))
    found = run("confirm", "m.smv", "t.json")
    assert found.code == 1 and "\x1b" not in found.out and "\\x1b[2J" in found.out


@pytest.mark.parametrize("name, kind, formula", [
    ("once", "invariant", "n < 4"), ("nobody", "invariant", "n < 4"), ("small", "ltl", "n < 4"), ("small", "invariant", "n < 3"),
    ("", "ltl", "n < 4"),
])  # fmt: skip
def test_name_kind_and_formula_belong_together(name: str, kind: str, formula: str, run: Runner) -> None:
    trace = trace_of(run, "small")
    assert trace["kind"] == "invariant"
    Path("t.json").write_text(json.dumps({**trace, "name": name, "kind": kind, "formula": formula}))
    assert run("confirm", "m.smv", "t.json").code == 1


def change(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda trace: trace.update({key: value})


def in_state(place: int, name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda trace: trace["states"][place].update({name: value})


def without(name: str) -> Callable[[dict[str, Any]], None]:
    def edit(trace: dict[str, Any]) -> None:
        for state in trace["states"]:
            del state[name]

    return edit


WRONG = {
    "another value": ("small", in_state(1, "n", 3), "step 1 is not a step"),
    "not initial": ("small", in_state(0, "n", 1), "the first state is not initial"),
    "out of range": ("small", in_state(1, "n", 17), "n is 17, which is not a value of 0..5"),
    "a wrong word": ("bits", in_state(1, "w", "0ud4_99"), "w is '0ud4_99', which is not a value of"),
    "no constant of a word": ("bits", in_state(1, "w", "three"), "w is 'three', which is not a value of"),
    "no word": ("bits", in_state(1, "w", [1]), "w is [1], which is not a value of"),
    "no symbol": ("never", in_state(1, "at", None), "at is None, which is not a value of"),
    "an unknown variable": ("small", in_state(0, "q", 1), "the model has no variable q"),
    "true in the last state": ("small", change("formula", "n < 5"), "the last state does not violate"),
    "true on the lasso": ("once", change("formula", "F n = 0"), "the formula is true on the lasso"),
    "true as a sequence": ("sequence", change("formula", "never {n = 1; n = 4}"), "the formula is true on the lasso"),
    "no lasso": ("once", change("loop", None), "there are 0 steps, but inputs for 1"),
    "a loop to nowhere": ("once", change("loop", 99), "`loop` is 99"),
    "no states": ("once", change("states", []), "a list of `states`"),
    "a state that is none": ("once", change("states", [3]), "a state is an object"),
    "no formula": ("once", change("formula", ""), "does not say which formula"),
    "another formula": ("once", change("formula", "F m = 5"), "`m` is not declared"),
    "a hidden variable": ("never", without("n"), "the trace has no value for n"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_changed_trace_is_rejected(wrong: str, run: Runner) -> None:
    name, edit, reason = WRONG[wrong]
    trace = trace_of(run, name)
    edit(trace)
    if (wrong not in ("no formula",) and "formula" in wrong) or wrong.startswith("true"):
        trace["name"] = ""
    Path("t.json").write_text(json.dumps(trace))
    found = run("confirm", "m.smv", "t.json")
    assert found.code == 1, found
    assert found.out.startswith("rejected: the trace of ")
    assert reason in found.out


def test_nothing_failed(run: Runner) -> None:
    run("check", "m.smv", "n < 6", "--json", "-o", "r.json")
    found = run("confirm", "m.smv", "r.json")
    assert (found.code, found.out) == (1, "rejected: the file has no trace of a property that fails\n")


HELD = """MODULE main VAR x : boolean; y : 0..3; IVAR i : boolean;
ASSIGN init(x) := FALSE; next(x) := x; init(y) := 3; next(y) := y;
"""
ONE, TWO = {"x": False}, {"x": False, "y": 3}


@pytest.mark.parametrize("states, inputs, reason", [
    ([ONE, {"x": False, "y": 0}], [], "state 1 has a value of y, unlike state 0"),
    ([TWO, ONE], [], "state 1 lacks a value of y, unlike state 0"),
    ([{"x": False, "i": True}, {"x": False, "i": True}], [], "state 0 has a value of i, which is an input of steps"),
    ([TWO, TWO], [{"i": True}, {"i": True, "y": 0}], "the inputs of step 2 have a value of y, which is not an input"),
    ([ONE, ONE], [{}, {"i": True}], "i has no value"),
])  # fmt: skip
def test_every_value_that_is_shown_is_replayed(states: list[Any], inputs: list[Any], reason: str, run: Runner) -> None:
    """What follows the first state and the first step may not say anything else than these do."""
    Path("m.smv").write_text(f"{HELD} LTLSPEC NAME l := F x")
    Path("t.json").write_text(json.dumps({"name": "l", "formula": "F x", "loop": 0, "states": states, "inputs": inputs}))
    found = run("confirm", "m.smv", "t.json")
    assert found.code == 1 and reason in found.out


@pytest.mark.parametrize("states, inputs", [([ONE, ONE], []), ([TWO, TWO], [{"i": True}, {"i": False}])])
def test_what_a_formula_does_not_need_may_be_shown_or_left_out(states: list[Any], inputs: list[Any], run: Runner) -> None:
    Path("m.smv").write_text(f"{HELD} LTLSPEC NAME l := F x")
    Path("t.json").write_text(json.dumps({"name": "l", "formula": "F x", "loop": 0, "states": states, "inputs": inputs}))
    assert run("confirm", "m.smv", "t.json").code == 0
